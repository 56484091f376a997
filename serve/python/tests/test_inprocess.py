"""The environments of this process beside those of a server: the same games byte for byte, and a
life that leaves nothing behind."""

from __future__ import annotations

import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import unittest
from typing import Any, Callable, Iterator, List

import numpy as np

import powderkeg
import powderkeg.gymnasium
import powderkeg.gymnasium_vector
import powderkeg.pettingzoo
from powderkeg import client, inprocess
from powderkeg.env import Step


def flat(value: Any) -> Any:
    """What a value holds, to the byte and the type."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {k: flat(v) for k, v in value.items()}
    if isinstance(value, str):  # handles count what a connection has opened, and a client has several
        return re.sub(r"\b(env|vec|agent|dataset) \d+", r"\1 N", value)
    if isinstance(value, (tuple, list, np.ndarray)):
        return type(value).__name__, [flat(v) for v in value]
    return type(value).__name__, value


def fault(call: Any) -> Any:
    """The error of a call: its class and words."""
    try:
        call()
    except Exception as e:
        return type(e), str(e)
    return None


class TransportsTest(unittest.TestCase):
    """Whatever is done over the socket and in the process looks alike."""

    clients: List[powderkeg.Client]

    @classmethod
    def setUpClass(cls) -> None:
        cls.clients = [powderkeg.connect("process"), powderkeg.start()]

    @classmethod
    def tearDownClass(cls) -> None:
        for client in cls.clients:
            client.close()

    def both(self, play: Any) -> None:
        """Compares what play yields with either client."""
        ours, theirs = (play(client) for client in self.clients)
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            self.assertEqual(flat(a), flat(b), f"yield {i}")

    def test_the_server_introduces_itself_alike(self) -> None:
        self.both(lambda c: iter([c.welcome, c.games()]))

    def test_single_environments(self) -> None:
        def play(client: powderkeg.Client, game: str, **options: Any) -> Iterator[Any]:
            env = client.make(game, seed=7, **options)
            rng = np.random.default_rng(3)
            yield env.last, env.seed, env.spec.game
            for i in range(120):
                if env.last.done:
                    yield fault(lambda: env.step(0)), env.last
                    yield env.reset(None if i % 2 else i)
                    continue
                yield [a.name for a in env.legal()], env.text(), env.view()
                yield fault(lambda: env.step(len(env.spec.actions))), fault(lambda: env.step("no such action")), fault(lambda: env.step(0.5))
                action = int(rng.choice(env.last.legal))
                yield env.step(env.spec.actions[action] if i % 5 == 0 else np.int16(action)), env.last, env.observe().values
            env.close()
            yield fault(lambda: env.step(0)), fault(lambda: env.reset())

        for game in ("tictactoe", "leduc", "liars_dice", "jogu", "insurgency", "minuteman"):
            with self.subTest(game):
                self.both(lambda c: play(c, game))
        self.both(lambda c: play(c, "leduc", agents=["random", None]))
        self.both(lambda c: play(c, "connect4", agents=[None, "scripted"], max_decisions=4))
        self.both(lambda c: play(c, "kuhn", position={"cards": ["Q", "K"], "actions": ["pass"]}))

    def test_vectorised_environments(self) -> None:
        def play(client: powderkeg.Client, game: str, mode: str, agents: Any) -> Iterator[Any]:
            vec = client.make_vec(game, 6, autoreset=mode, agents=agents, max_decisions=9)
            rng = np.random.default_rng(5)
            yield fault(lambda: vec.step([0] * 6))
            step = vec.reset(seed=11)
            for i in range(60):
                yield step, vec.seed
                if mode == "disabled" and len(step.ended):
                    step = vec.reset_slots(step.ended[::-1], np.arange(len(step.ended)))
                    continue
                actions = powderkeg.random_actions(step.masks, rng)
                yield fault(lambda: vec.step(np.full(6, len(vec.spec.actions)))), fault(lambda: vec.step([0]))
                yield fault(lambda: vec.step_slots([9], [0]))
                if i % 4 == 3 and mode != "disabled":
                    slots = np.array([4, 1], np.int32)
                    yield vec.step_slots(slots, actions[slots])
                    step = vec.reset_slots([0], [i])
                else:
                    step = vec.step(actions.tolist() if i % 2 else actions)
            vec.close()
            yield fault(lambda: vec.step([0] * 6))

        for mode in ("same-step", "next-step", "disabled"):
            for game, agents in (("leduc", ()), ("leduc", ["random", None]), ("jogu", ())):
                with self.subTest(game=game, mode=mode, agents=agents):
                    self.both(lambda c: play(c, game, mode, agents))

    def test_the_asynchronous_way(self) -> None:
        def play(client: powderkeg.Client) -> Iterator[Any]:
            vec = client.make_vec("leduc", 3, workers=1)
            step = vec.reset(seed=2)
            for _ in range(20):
                yield vec.send(step.slots, powderkeg.random_actions(step.masks, np.random.default_rng(1)))
                step = vec.recv(3)
                yield step, fault(lambda: vec.recv(1))

        self.both(play)

    def test_farama(self) -> None:
        def gym(client: powderkeg.Client) -> Iterator[Any]:
            env = powderkeg.gymnasium.Env("leduc", opponents="random", client=client)
            yield env.reset(seed=4)
            for i in range(60):
                step = env.step(int(np.flatnonzero(env.action_masks())[0]) if i % 9 else 99)
                yield step
                if step[2] or step[3]:
                    yield env.reset()

        def vector(client: powderkeg.Client, mode: str) -> Iterator[Any]:
            envs = powderkeg.gymnasium_vector.VectorEnv("leduc", 4, client=client, autoreset_mode=mode)
            obs, infos = envs.reset(seed=4)
            for i in range(60):
                yield obs, infos
                obs, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1) if i % 9 else np.full(4, 99))
                yield rewards, terminated, truncated

        def aec(client: powderkeg.Client) -> Iterator[Any]:
            env = powderkeg.pettingzoo.raw_env("kuhn", client=client)
            for seed in range(10):
                env.reset(seed=seed)
                for _ in env.agent_iter():
                    obs, reward, terminated, truncated, _ = env.last()
                    yield obs, reward, env.state()
                    env.step(None if terminated or truncated else int(obs["action_mask"].argmax()))

        self.both(gym)
        self.both(aec)
        for mode in ("NextStep", "SameStep"):
            self.both(lambda c: vector(c, mode))

    def test_agents_and_datasets(self) -> None:
        def play(client: powderkeg.Client) -> Iterator[Any]:
            env = client.make("jogu", seed=1)
            for name in ("random", "mcts(sims=20)", "zoo:jogu", "nobody"):
                yield fault(lambda: client.load_agent("jogu", name))
            agent = client.load_agent("jogu", "zoo:jogu", seed=3)
            vec = client.make_vec("jogu", 4)
            step = vec.reset(seed=1)
            yield agent.act(env), agent.act_batch(step.observations, step.masks), agent.evaluate(step.observations)
            for rows in client.dataset("leduc", ["random"], 20, seed=5):
                yield rows.observations, rows.actions, rows.returns

        self.both(play)


class MemoryTest(unittest.TestCase):
    """Whose memory steps are written to."""

    client: powderkeg.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = powderkeg.connect("process")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()

    def test_steps_are_yours_unless_you_say_otherwise(self) -> None:
        for copied in (True, False):
            env = self.client.make("tictactoe", seed=1, copy=copied)
            first = env.last
            second = env.step(4)
            self.assertEqual(np.shares_memory(first.observation, second.observation), not copied)
            self.assertEqual(first.mask[4], 1 if copied else 0)
            vec = self.client.make_vec("tictactoe", 3, copy=copied)
            one, two = vec.reset(seed=1), vec.step([4, 4, 4])
            self.assertEqual(np.shares_memory(one.masks, two.masks), not copied)
            self.assertEqual(one.masks[0, 4], 1 if copied else 0)
            self.assertFalse(np.shares_memory(vec.step_slots([1], [0]).masks, two.masks))

    def test_arrays_of_a_dropped_copy_stay_with_whoever_has_them(self) -> None:
        env = self.client.make("leduc", seed=1, copy=False)
        ways: List[Callable[[Step], Any]] = [
            lambda step: step, lambda step: step.observation, lambda step: step.mask[1:], lambda step: np.from_dlpack(step.rewards),
            lambda step: memoryview(step.returns),
        ]  # fmt: skip
        for keep in ways:
            dropped = env.child("raise")
            handle, kept = dropped.handle, keep(dropped.last)
            del dropped
            clones = [env.clone() for _ in range(3)]
            self.assertNotIn(handle, [clone.handle for clone in clones])
            del kept
            while clones:
                clones.pop().close()
        dropped = env.child("raise")
        handle, decisions = dropped.handle, dropped.last.decisions
        del dropped
        self.assertEqual((env.clone().handle, decisions), (handle, 1))

    def test_a_tree_leaves_its_places_to_the_next_one(self) -> None:
        env = self.client.make("leduc", seed=1)
        tree = [env.clone() for _ in range(1000)]
        places = {node.handle for node in tree}
        self.assertEqual({node.last.observation.tobytes() for node in tree}, {env.last.observation.tobytes()})
        del tree
        tree = [env.child(1) for _ in range(1000)]
        self.assertEqual({node.handle for node in tree}, places)
        self.assertEqual({node.last.decisions for node in tree}, {1})

    def test_arrays_of_yours_are_written_to(self) -> None:
        vec, twin = self.client.make_vec("leduc", 4), self.client.make_vec("leduc", 4)
        mine = np.full((2, 4, vec.spec.observation_size), np.nan, np.float32)  # one half of a larger array
        masks = np.zeros((4, len(vec.spec.actions)), np.uint8)
        vec.write_to(observations=mine[1], masks=masks)
        vec.reset(seed=3), twin.reset(seed=3)
        for _ in range(20):
            a, b = vec.step(masks.argmax(axis=1)), twin.step(masks.argmax(axis=1))
            self.assertIs(a.masks, masks)
            self.assertEqual(flat(list(a)), flat(list(b)))
            self.assertEqual(mine[1].tobytes(), b.observations.tobytes())
        self.assertTrue(np.isnan(mine[0]).all())
        env = self.client.make("kuhn", seed=1)
        observation = np.zeros(11, np.float32)
        env.write_to(observation=observation)
        self.assertEqual(env.last.observation.tolist(), self.client.make("kuhn", seed=1).last.observation.tolist())
        self.assertIs(env.step("bet").observation, observation)
        self.assertEqual(np.from_dlpack(observation).tolist(), env.last.observation.tolist())

    def test_arrays_that_do_not_fit_are_refused_by_name(self) -> None:
        env = self.client.make("kuhn", seed=1)
        frozen = np.zeros(11, np.float32)
        frozen.flags.writeable = False
        for array, words in (
            (np.zeros(11), "observation is float64[11], it must be float32[11]"),
            (np.zeros(12, np.float32), "observation is float32[12], it must be float32[11]"),
            (np.zeros((11, 2), np.float32)[:, 0], "observation is not contiguous in memory; have numpy.ascontiguousarray(observation)"),
            (frozen, "observation is not writeable"),
            ([0.0] * 11, "observation is a list, it must be a NumPy array float32[11]"),
        ):
            with self.subTest(words), self.assertRaises((TypeError, ValueError)) as caught:
                env.write_to(observation=array)
            self.assertEqual(str(caught.exception), words)
        with self.assertRaisesRegex(TypeError, "no array 'obs'; there are observation, mask"):
            env.write_to(obs=frozen)
        before = env.last
        env.step("bet")
        self.assertEqual(before.decisions, 0)
        self.assertEqual(env.last.decisions, 1)


class LifeTest(unittest.TestCase):
    """Forks, interrupts, threads, what is dropped, the end."""

    client: powderkeg.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = powderkeg.connect("process")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()

    def test_what_is_dropped_is_given_up(self) -> None:
        for address in ("process", "socket"):
            with powderkeg.start() if address == "socket" else powderkeg.connect("process") as client:
                for i in range(300):
                    client.make("kuhn") if i % 2 else client.make_vec("kuhn", 4)
                gc.collect()
                for kind in ("env", "vec"):
                    with self.assertRaisesRegex(powderkeg.ServerError, r"open: \[\]"):
                        client.call(f"{kind}.close", {kind: 1 << 40})

    def test_what_is_dropped_in_the_middle_of_a_call_is_given_up_after_it(self) -> None:
        env = self.client.make("kuhn")
        handle = env.handle
        with self.client._wire._lock:  # as if a call were under way in this thread
            del env
            gc.collect()
        with self.assertRaisesRegex(powderkeg.ServerError, f"env {handle} is not open"):
            self.client.call("env.text", {"env": handle})

    def test_a_fork_is_told_and_can_go_on_by_a_server(self) -> None:
        env, vec = self.client.make("kuhn", seed=1), self.client.make_vec("kuhn", 2)
        vec.reset(seed=1)
        gym = powderkeg.gymnasium.Env("kuhn", client=self.client)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                said = [str(fault(call)) for call in (
                    lambda: env.step(0), lambda: vec.step([0, 0]), lambda: env.text(), lambda: gym.reset(), lambda: self.client.make("kuhn"),
                    lambda: powderkeg.connect("process"),
                )]  # fmt: skip
                env.close()
                del vec
                gc.collect()
                if os.environ.get("POWDERKEG_ADDRESS") == "process":
                    del os.environ["POWDERKEG_ADDRESS"]
                fresh = powderkeg.gymnasium.Env("kuhn")
                said.append(repr(fresh.reset(seed=1)[0].shape))
                os.write(write, "\n".join(said).encode())
            except BaseException as e:
                os.write(write, repr(e).encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as told:
            said = told.read().split("\n")
        os.waitpid(child, 0)
        self.assertEqual(len(said), 7, said)
        for line in said[:6]:
            self.assertIn("this process was forked after powderkeg was loaded", line)
        self.assertEqual(said[6], "(11,)")
        self.assertEqual(env.step(0).decisions, 1)  # the parent's goes on

    def test_a_fork_in_the_middle_of_another_threads_call_does_not_hang(self) -> None:
        env = self.client.make("kuhn", seed=1)
        with self.client._wire._lock, client._lock:
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                said = [fault(call) for call in (lambda: env.text(), lambda: env.step(0), lambda: self.client.make("kuhn"))]
                elsewhere = client.shared("process").address != "process"  # a server, since the library's threads are gone
                os._exit(0 if elsewhere and all(f is not None and f[0] is powderkeg.ConnectionLost for f in said) else 1)
            _, status = os.waitpid(child, 0)
        self.assertEqual(status, 0)

    def test_threads_do_not_wait_for_what_others_think(self) -> None:
        slow = self.client.match("jogu", "mcts(sims=10000)", seed=1)
        quick = self.client.make("leduc", seed=1)
        thinking = threading.Thread(target=lambda: slow.step(int(slow.last.legal[0])))
        thinking.start()
        for _ in range(20):
            if quick.last.done:
                quick.reset()
            quick.step(int(quick.last.legal[0]))
        self.assertTrue(thinking.is_alive())
        thinking.join()

    def test_threads_step_side_by_side(self) -> None:
        def play(seed: int) -> List[Any]:
            env, shown = self.client.make("leduc", seed=seed), []
            for _ in range(300):
                step = env.reset() if env.last.done else env.step(int(env.last.legal[0]))
                shown.append(flat(step))
            return shown

        alone = [play(seed) for seed in range(4)]
        together: List[Any] = [None] * 4
        threads = [threading.Thread(target=lambda s=s: together.__setitem__(s, play(s))) for s in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(together, alone)

    def test_the_interpreter_ends_whatever_is_open(self) -> None:
        script = """if True:
            import threading, powderkeg, powderkeg.gymnasium
            c = powderkeg.connect("process")
            env = c.match("jogu", "mcts(sims=10000)", seed=1)
            threading.Thread(target=lambda: env.step(int(env.last.legal[0])), daemon=True).start()
            v = c.make_vec("leduc", 64); v.reset(seed=1)
            e = powderkeg.gymnasium.Env("kuhn"); e.reset()
            print("the end")
        """
        ran = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=120)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "the end\n", ""))

    def test_without_the_library_a_program_serves_and_that_is_said_once(self) -> None:
        script = """if True:
            import pathlib, sys
            import powderkeg.gymnasium
            from powderkeg import inprocess
            inprocess.find = lambda: (pathlib.Path(sys.argv[1]), pathlib.Path("zoo")) if sys.argv[1:] else None
            for _ in range(2):
                env = powderkeg.gymnasium.Env("kuhn")
                env.reset(seed=1)
            powderkeg.connect().close()
            print(env.native._client.address.partition(":")[0])
        """
        environment = {k: v for k, v in os.environ.items() if k != "POWDERKEG_ADDRESS"}
        for arguments, words in (([], f"there is no {inprocess.NAME}"), ([__file__], "is no library of powderkeg")):
            ran = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=120, env=environment)
            self.assertIn(ran.stdout.strip(), ("unix", "tcp"), ran.stderr)
            self.assertEqual(ran.stderr.count(words), 1, ran.stderr)

    def test_a_library_that_is_none_is_refused(self) -> None:
        for path, words in (
            (__file__, "is no library of powderkeg"), ("/nonexistent", "which is no file"),
            (np.random.mtrand.__file__, "has no pk_version, it is older than this client or no library of powderkeg; install both from one wheel"),
        ):  # fmt: skip
            script = "import powderkeg\ntry: powderkeg.connect('process')\nexcept powderkeg.ServerNotFound as e: print(e)"
            ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "POWDERKEG_LIBRARY": path})
            self.assertIn(words, ran.stdout)

    def test_errors_are_pickled(self) -> None:
        again = pickle.loads(pickle.dumps(powderkeg.ServerError("illegal", "no: such")))
        self.assertEqual((again.code, again.message, str(again)), ("illegal", "no: such", "illegal: no: such"))


if __name__ == "__main__":
    unittest.main()
