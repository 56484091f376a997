"""Checkpoints out of the server's files and into them, and the network in NumPy."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import powderkeg
from powderkeg import model, weights

from . import served

GOLDEN = Path(__file__).resolve().parents[3] / "checkpoints" / "testdata" / "v1"


class WeightsTest(served.ServedTest):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_what_the_go_side_has_written_is_read_and_written_the_same(self) -> None:
        golden = weights.load(GOLDEN)
        self.assertEqual((golden.game, golden.updates, golden.network.hidden), ("kuhn", 120, (2,)))
        weights.save(self.folder / "again", golden)
        raw = (GOLDEN / "weights.safetensors").read_bytes()
        self.assertEqual((self.folder / "again" / "weights.safetensors").read_bytes(), raw)
        want = json.loads((GOLDEN / "manifest.json").read_text())
        want["files"] = {"weights.safetensors": want["files"]["weights.safetensors"]}
        self.assertEqual(json.loads((self.folder / "again" / "manifest.json").read_text()), want)

    def test_what_entities_share_is_kept(self) -> None:
        shared = {"count": 2, "width": 1, "fields": [{"offset": 0, "size": 1, "each": 1, "next": 0}], "actions": [0]}
        empty = weights.Network(inputs=4, actions=3, seats=2, hidden=(5,), entities=(shared,))
        tensors = {name: np.zeros(shape, np.float32) for name, shape in empty.shapes().items()}
        weights.save(self.folder / "net", dataclasses.replace(weights.load(GOLDEN), network=empty, weights=tensors))
        self.assertEqual(weights.load(self.folder / "net").network, empty)

    def test_advised_networks_are_kept_and_not_played(self) -> None:
        golden = weights.load(GOLDEN)
        advised = dataclasses.replace(golden, network=dataclasses.replace(golden.network, advice=3))
        weights.save(self.folder / "net", advised)
        self.assertEqual(weights.load(self.folder / "net").network.advice, 3)
        with self.assertRaisesRegex(weights.CheckpointError, "as an agent of a server"):
            powderkeg.Model(advised)

    def test_the_server_computes_the_same_logits(self) -> None:
        rng = np.random.default_rng(1)
        for game, shape in (
            ("kuhn", {"hidden": [16]}),
            ("leduc", {"hidden": [32, 32, 32], "activation": "tanh", "residual": True}),
            ("connect4", {"hidden": [64, 32, 32], "layer_norm": True, "residual": True}),
            ("jogu", {"hidden": [64, 64]}),
        ):
            with self.subTest(game=game):
                spec = self.client.spec(game)
                made = weights.new(spec, seed=3, **shape)
                # Biases and gains that are not at their start show that they are used.
                noisy = made.with_weights({n: w + rng.normal(0, 0.1, w.shape) for n, w in made.weights.items()})
                path = self.folder / game
                weights.save(path, noisy)
                agent = self.client.load_agent(game, f"checkpoint:{path}")
                player = powderkeg.Model.load(path, spec)
                with self.client.make_vec(game, 32) as vec:
                    step = vec.reset(seed=1)
                    for _ in range(20):
                        logits, values = agent.evaluate(step.observations)
                        mine, my_values = player.forward(step.observations)
                        np.testing.assert_allclose(mine, logits, atol=1e-5)
                        np.testing.assert_allclose(my_values, values, atol=1e-5)
                        step = vec.step(powderkeg.random_actions(step.masks, rng))
                self.assertGreater(np.ptp(logits), 0.1)
                agent.close()

    def test_models_play_as_the_server_does(self) -> None:
        spec = self.client.spec("leduc")
        checkpoint = weights.new(spec, [16], seed=1)
        policy = dict(checkpoint.weights, **{"policy.weight": checkpoint.weights["policy.weight"] * 100})
        path = self.folder / "leduc"
        weights.save(path, checkpoint.with_weights(policy))
        agent = self.client.load_agent("leduc", f"checkpoint:{path}", seed=5)
        player = powderkeg.Model.load(path, spec)
        rng = np.random.default_rng(2)
        with self.client.make_vec("leduc", 1) as vec:
            step = vec.reset(seed=1)
            n = 4000
            obs, masks = np.repeat(step.observations, n, axis=0), np.repeat(step.masks, n, axis=0)
            p = player.probabilities(step.observations, step.masks)[0]
            self.assertGreater(p.max() - p[p > 0].min(), 0.05)
            for actions in (agent.act_batch(obs, masks), player(obs, masks, rng)):
                share = np.bincount(actions, minlength=len(p)) / n
                # Five standard deviations of a share of 4000 draws are at most 0.04.
                self.assertTrue((abs(share - p) < 0.04).all(), (share, p))
        best = powderkeg.Model.load(path, temperature=0)(obs[:3], masks[:3], rng)
        self.assertEqual(best.tolist(), [int(p.argmax())] * 3)

    def test_sampling_never_takes_what_has_no_probability(self) -> None:
        p = np.tile(np.array([0, 0.5, 0, 0.5, 0], dtype=np.float32), (2000, 1))
        counts = np.bincount(model.sample(p, np.random.default_rng(0)), minlength=5)
        self.assertEqual(counts[[0, 2, 4]].tolist(), [0, 0, 0])
        self.assertGreater(counts[[1, 3]].min(), 900)
        for draw, want in ((0.0, 1), (1.0, 3)):  # a draw that rounding has pushed up to the sum
            rng = mock.Mock(random=lambda shape, draw=draw: np.full(shape, draw))
            self.assertEqual(model.sample(p[:1] * np.float32(1.0000001), rng).tolist(), [want])

    def test_damage_and_misuse_are_told(self) -> None:
        spec = self.client.spec("kuhn")
        made = weights.new(spec, [4])
        path = self.folder / "c"
        weights.save(path, made)
        with self.assertRaisesRegex(powderkeg.CheckpointError, "exists"):
            weights.save(path, made)
        with self.assertRaisesRegex(powderkeg.CheckpointError, "game is kuhn, that of leduc"):
            powderkeg.Model(made, self.client.spec("leduc"))
        for wrong, want in (
            ({"policy.bias": np.zeros(3)}, "policy.bias is float32"),
            ({"torso.0.bias": np.full(4, np.nan)}, "finite"),
            ({"extra": np.zeros(1)}, "not in both: extra"),
        ):
            with self.subTest(want), self.assertRaisesRegex(powderkeg.CheckpointError, want):
                weights.save(self.folder / "bad", made.with_weights({**made.weights, **wrong}))
            self.assertFalse((self.folder / "bad").exists())
        with self.assertRaisesRegex(powderkeg.CheckpointError, "relu and tanh"):
            network = dataclasses.replace(made.network, activation="gelu")
            weights.save(self.folder / "bad", dataclasses.replace(made, network=network))
        self.assertEqual(sorted(os.listdir(self.folder)), ["c"], "something is left of what failed")
        manifest = (path / "manifest.json").read_text()
        size = json.loads(manifest)["files"]["weights.safetensors"]["size"]
        (path / "manifest.json").write_text(manifest.replace(f'"size": {size}', f'"size": {size + 1}'))
        with self.assertRaisesRegex(powderkeg.CheckpointError, "manifest.json is not the file that manifest.sha256"):
            weights.load(path)
        digest = (path / "manifest.sha256").read_bytes()
        (path / "manifest.sha256").unlink()  # as in checkpoints from before there was one
        with self.assertRaisesRegex(powderkeg.CheckpointError, "weights.safetensors is not the file that"):
            weights.load(path)
        (path / "manifest.sha256").write_bytes(digest)
        (path / "manifest.json").write_text(manifest)
        file = path / "weights.safetensors"
        raw = bytearray(file.read_bytes())
        raw[-1] ^= 1
        file.write_bytes(bytes(raw))
        with self.assertRaisesRegex(powderkeg.CheckpointError, "is not the file that"):
            weights.load(path)
        with self.assertRaisesRegex(powderkeg.CheckpointError, "no checkpoint"):
            weights.load(self.folder)
        for bad in (b"", b"\xff" * 8, raw[:-4], bytes(raw).replace(b"[0,", b"[1,", 1)):
            with self.assertRaises(powderkeg.CheckpointError):
                weights.decode_tensors(bytes(bad))


if __name__ == "__main__":
    unittest.main()
