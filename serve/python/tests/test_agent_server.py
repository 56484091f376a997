"""Agents of Python behind a socket, asked by the client of this package."""

from __future__ import annotations

import os
import socket
import tempfile
import unittest
from typing import Any

import msgpack
import numpy as np
import numpy.typing as npt

import powderkeg
from powderkeg import wire
from powderkeg.agent_server import AgentServer, Policy
from powderkeg.spec import Spec

from . import served


def make(spec: Spec, name: str) -> Policy:
    """Agents of this test: random, and some that are wrong."""
    if name == "random":
        return lambda observations, masks, rng: powderkeg.random_actions(masks, rng)
    if name == "illegal":
        return lambda observations, masks, rng: np.argmin(masks, axis=1)
    if name == "short":
        return lambda observations, masks, rng: np.zeros(len(masks) + 1, dtype=np.int32)
    if name == "broken":
        return broken
    raise ValueError("agents: random, illegal, short, broken")


def broken(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.int32]:
    raise RuntimeError("out of order")


class AgentServerTest(served.ServedTest):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s")
        self.server = AgentServer(make, "unix:" + self.path, client=self.client).start()
        self.addCleanup(self.server.close)
        self.asker = powderkeg.connect(self.server.address)
        self.addCleanup(self.asker.close)

    def agent(self, name: str, seed: int = 0, game: str = "leduc") -> powderkeg.Agent:
        params = {"game": game, "agent": name, "seed": seed}
        return powderkeg.Agent(self.asker, self.client.spec(game), self.asker.call("agent.load", params), params)

    def shown(self, n: int) -> Any:
        with self.client.make_vec("leduc", n) as vec:
            return vec.reset(seed=1)

    def test_choices_follow_from_the_seed(self) -> None:
        step = self.shown(64)
        chosen = [self.agent("random", seed).act_batch(step.observations, step.masks).tolist() for seed in (1, 1, 2)]
        self.assertEqual(chosen[0], chosen[1])
        self.assertNotEqual(chosen[0], chosen[2])
        self.assertTrue(all(step.masks[i, a] for i, a in enumerate(chosen[0])))

    def test_it_says_what_is_wrong(self) -> None:
        step = self.shown(2)
        for name, code, said in (
            ("illegal", "internal", "which is not legal"),
            ("short", "internal", "it must be of 2 whole numbers"),
            ("broken", "internal", "RuntimeError: out of order"),
        ):
            with self.assertRaisesRegex(powderkeg.ServerError, said) as caught:
                self.agent(name).act_batch(step.observations, step.masks)
            self.assertEqual(caught.exception.code, code)
        for method, params, code, said in (
            ("agent.load", {"game": "whist", "agent": "random"}, "game", "whist"),
            ("agent.load", {"game": "leduc", "agent": "nobody"}, "agent", "nobody: agents: random, illegal"),
            ("agent.load", {"game": "leduc", "agent": 3}, "params", "agent=3"),
            ("agent.load", {"game": "leduc", "agent": "random", "speed": 1}, "params", "speed=1"),
            ("act_batch", {"agent": 99, "observations": b"", "masks": b""}, "handle", "99"),
            ("env.make", {"game": "leduc"}, "method", "methods: act_batch, agent.close"),
        ):
            with self.assertRaisesRegex(powderkeg.ServerError, said) as caught:
                self.asker.call(method, params)
            self.assertEqual(caught.exception.code, code)
        good = self.agent("random")
        with self.assertRaisesRegex(powderkeg.ServerError, "n at least 1"):
            good.act_batch(step.observations[:0], step.masks[:0])
        good.act_batch(step.observations, step.masks)  # the connection has lived through all that
        good.close()
        with self.assertRaisesRegex(powderkeg.ServerError, "handle"):
            self.asker.call("act_batch", {"agent": good.handle or 4, "observations": b"", "masks": b""})

    def test_rubbish_ends_the_connection_and_not_the_server(self) -> None:
        for frame in (b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", b"\x00\x00\x00\x02\xc1\xc1", b"\x00\x00\x00\x01\x90", b"\x00\x00"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
                s.connect(self.path)
                s.sendall(frame)
                s.shutdown(socket.SHUT_WR)
                with s.makefile("rb") as answers:
                    answer = answers.read()
            if answer:
                self.assertEqual(msgpack.unpackb(answer[4:])[2]["code"], "frame")
        hello = wire.encode_request(1, "hello", {"versions": [99]})
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
            s.connect(self.path)
            s.sendall(hello)
            with s.makefile("rb") as answers:
                self.assertEqual(msgpack.unpackb(answers.read()[4:])[2]["code"], "version")
        self.agent("random")

    def test_a_server_that_has_hung_up_is_called_again(self) -> None:
        mine = powderkeg.connect(served.ADDRESS)
        with AgentServer(make, client=mine).start() as server, powderkeg.connect(server.address) as asker:
            mine.close()
            self.assertEqual(asker.call("agent.load", {"game": "kuhn", "agent": "random", "seed": 1})["game"], "kuhn")

    def test_addresses(self) -> None:
        for address in ("tcp:", "unix:", "http://here", "tcp:127.0.0.1:http"):
            with self.assertRaisesRegex(powderkeg.Error, "is no address"):
                AgentServer(make, address)
        with self.assertRaisesRegex(powderkeg.Error, "Address already in use"):
            AgentServer(make, self.server.address)
        with AgentServer(make, client=self.client).start() as server, powderkeg.connect(server.address) as asker:
            self.assertRegex(server.address, r"^tcp:127\.0\.0\.1:\d+$")
            self.assertEqual(asker.call("agent.load", {"game": "kuhn", "agent": "random", "seed": 1})["game"], "kuhn")
        self.server.close()
        self.assertFalse(os.path.exists(self.path))


if __name__ == "__main__":
    unittest.main()
