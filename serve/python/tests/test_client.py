"""The client against a running server: the one at POWDERKEG_ADDRESS, or one that
is started. The agents random and batch must be loadable; the tests of the
server's Go code see to that."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import List
from unittest import mock

import numpy as np

import powderkeg
from powderkeg import program, server

from . import served


class ClientTest(served.ServedTest):
    def test_games_and_spec_agree(self) -> None:
        games = {g.name: g for g in self.client.games()}
        for name in ("kuhn", "leduc", "tictactoe", "connect4", "liars_dice"):
            spec = self.client.spec(name)
            self.assertEqual(len(spec.actions), games[name].actions)
            self.assertEqual(spec.observation_size, games[name].observation_size)
            self.assertEqual(spec.observation_size, sum(f.size for f in spec.fields))
            for number, action in enumerate(spec.actions):
                self.assertEqual(spec.action(action), number)
        with self.assertRaisesRegex(KeyError, "no action 'fly'"):
            self.client.spec("kuhn").action("fly")
        with self.assertRaisesRegex(KeyError, "fields: seat, card, betting"):
            self.client.spec("kuhn").field("cards")

    def test_fields_read_what_the_position_says(self) -> None:
        env = self.client.make("kuhn", position={"cards": ["Q", "K"], "actions": ["pass"]})
        card = env.spec.view(env.last.observation, "card")
        self.assertEqual(dict(zip(env.spec.field("card").labels, card.tolist())), {"J": 0, "Q": 0, "K": 1})
        self.assertEqual(env.spec.decode(env.last.observation)["betting"].tolist(), [[1, 0], [0, 0], [0, 0]])
        batch = np.stack([env.last.observation] * 3)
        self.assertEqual(env.spec.view(batch, "betting").shape, (3, 3, 2))
        self.assertEqual(env.spec.legal(env.last.mask), ["pass", "bet"])
        self.assertEqual([(a.name, a.description) for a in env.legal()], [("pass", "check"), ("bet", "bet")])
        self.assertEqual(env.observe().field("card").tolist(), card.tolist())
        self.assertEqual(env.observe(seat=1).named("card"), {"J": 0, "Q": 0, "K": 1})
        self.assertEqual(env.observe(seat=0).named("card"), {"J": 0, "Q": 1, "K": 0})
        with self.assertRaisesRegex(ValueError, "use field"):
            env.observe().named("betting")
        with self.assertRaisesRegex(ValueError, "have 11 numbers"):
            env.spec.observation(card)
        self.assertEqual(env.text(), "seat 0: ?\nseat 1: K\nbetting: pass\n")
        self.assertEqual(env.view(), {"cards": ["?", "K"], "actions": ["pass"]})
        self.assertEqual(env.view(0), {"cards": ["Q", "?"], "actions": ["pass"]})
        self.assertEqual(env.question(), (1, "", "", "", "", "Check, or bet 1 chip"))  # of one question only
        dice = self.client.make("liars_dice", seed=1)
        bid = {a.name: a for a in dice.legal()}["2-4"]
        self.assertEqual((bid.verb, bid.object, bid.amount), ("BID", "4", 2))
        self.assertEqual({a.verb: a.amount for a in env.legal()}, {"pass": None, "bet": None})
        self.assertTrue(dice.question().rule.startswith("R") and dice.question().text)
        dice.close()
        env.close()

    def test_the_same_seed_gives_the_same_episode(self) -> None:
        env = self.client.make("leduc", seed=5)
        first = self.episode(env, env.last)
        later = self.episode(env, env.reset())
        self.assertEqual(first, self.episode(env, env.reset(seed=5)))
        self.assertEqual(later, self.episode(env, env.reset()))
        env.close()

    def episode(self, env: powderkeg.Env, step: powderkeg.Step) -> list:
        trace = [step.observation.tolist()]
        rewards = step.rewards.copy()
        while not step.done:
            step = env.step(step.legal[-1] if step.decisions % 2 else step.legal[0])
            rewards += step.rewards
            trace.append(step.observation.tolist())
        self.assertEqual(rewards.tolist(), step.returns.tolist())
        self.assertEqual(step.actor, powderkeg.TERMINAL)
        return trace + [step.returns.tolist()]

    def test_a_drawn_seed_can_be_used_again(self) -> None:
        env = self.client.make("leduc")
        first = env.last.observation.tolist()
        self.assertEqual(env.reset(seed=env.seed).observation.tolist(), first)

    def test_positions_round_trip(self) -> None:
        env = self.client.make("leduc", seed=2)
        position = env.position()
        again = self.client.make("leduc", position=position.position)
        self.assertEqual(again.position(), position)

    def test_a_whole_game_against_a_served_agent(self) -> None:
        for seat in (0, 1):
            with self.client.match("connect4", "random", seat=seat, seed=seat) as env:
                step = env.last
                while not step.done:
                    self.assertEqual((step.actor, step.observer), (seat, seat))
                    step = env.step(env.spec.actions[step.legal[0]])
                self.assertTrue(step.terminated)
                self.assertEqual(step.returns.sum(), 0)
                self.assertEqual(step.observer, seat)
                with self.assertRaises(powderkeg.ServerError) as caught:
                    env.text(1 - seat)
                self.assertEqual(caught.exception.code, "forbidden")
        with self.assertRaisesRegex(ValueError, "seats 0 to 1"):
            self.client.match("connect4", "random", seat=2)

    def test_errors_have_codes_and_change_nothing(self) -> None:
        env = self.client.make("kuhn", seed=1)
        for action in (7, -1, 1 << 40, "raise"):
            with self.assertRaises(powderkeg.ServerError) as caught:
                env.step(action)
            self.assertEqual(caught.exception.code, "illegal")
            self.assertIn("pass", caught.exception.message)
        self.assertEqual(env.step("bet").decisions, 1)
        for call, code in (
            (lambda: self.client.make("chess"), "game"),
            (lambda: self.client.call("fly"), "method"),
            (lambda: self.client.call("env.step", {"env": 999, "action": 0}), "handle"),
            (lambda: self.client.call("env.reset", {"envy": 1}), "params"),
            (lambda: self.client.make("kuhn", position="{"), "position"),
        ):
            with self.assertRaises(powderkeg.ServerError) as caught:
                call()
            self.assertEqual(caught.exception.code, code)

    def test_vec_shows_views_of_the_right_shapes(self) -> None:
        rng = np.random.default_rng(0)
        with self.client.make_vec("connect4", 16, max_decisions=20) as vec:
            step, ended = vec.reset(seed=3), 0
            d, a = vec.spec.observation_size, len(vec.spec.actions)
            for _ in range(60):
                self.assertEqual(step.observations.shape, (16, d))
                self.assertEqual(step.masks.shape, (16, a))
                self.assertEqual(step.rewards.shape, (16, 2))
                self.assertTrue(step.observations.flags.writeable)
                np.testing.assert_array_equal(np.flatnonzero(step.terminated | step.truncated), step.ended)
                self.assertEqual(step.final.shape, (len(step.ended), d))
                self.assertEqual(step.returns.shape, (len(step.ended), 2))
                self.assertTrue((step.lengths <= 20).all())
                ended += len(step.ended)
                actions = powderkeg.random_actions(step.masks, rng)
                self.assertTrue((step.masks[np.arange(16), actions] == 1).all())
                step = vec.step(actions)
            self.assertGreater(ended, 30)
            self.assertEqual(vec.seed, 3)
            with self.assertRaises(powderkeg.ServerError) as caught:
                vec.step(np.full(16, a))
            self.assertEqual(caught.exception.code, "illegal")

    def test_vec_is_the_same_with_any_number_of_workers(self) -> None:
        traces = []
        for workers in (1, 2):
            rng = np.random.default_rng(1)
            with self.client.make_vec("leduc", 9, workers=workers) as vec:
                step = vec.reset(seed=1 << 63)
                trace = [step.observations]
                for _ in range(30):
                    step = vec.step(powderkeg.random_actions(step.masks, rng))
                    trace.append(step.observations)
                traces.append(np.stack(trace))
        np.testing.assert_array_equal(traces[0], traces[1])

    def test_disabled_autoreset_waits_for_reset_slots(self) -> None:
        with self.client.make_vec("kuhn", 4, autoreset="disabled") as vec:
            step = vec.reset(seed=0)
            while not len(step.ended):
                step = vec.step([1, 1, 0, 0])
            self.assertEqual(step.final.shape[0], 0)
            with self.assertRaises(powderkeg.ServerError) as caught:
                vec.step([0, 0, 0, 0])
            self.assertEqual(caught.exception.code, "over")
            step = vec.reset_slots(step.ended, np.arange(len(step.ended)))
            self.assertEqual(len(step.ended), 0)
            vec.step([0, 0, 0, 0])

    def test_slots_are_stepped_apart(self) -> None:
        with self.client.make_vec("connect4", 3) as vec, self.client.make_vec("connect4", 3) as other:
            vec.reset(seed=1)
            other.reset(seed=1)
            some = vec.step_slots([2, 0], [3, 4])
            self.assertEqual((some.slots.tolist(), some.actors.tolist()), ([2, 0], [1, 1]))
            every = other.step([4, 5, 3])
            np.testing.assert_array_equal(some.observations, every.observations[[2, 0]])
            self.assertEqual(vec.step([0, 0, 0]).actors.tolist(), [0, 1, 0])

    def test_sent_actions_come_back_as_their_slots_are_done(self) -> None:
        with self.client.make_vec("connect4", 6) as vec, self.client.make_vec("connect4", 6) as other:
            start = vec.reset(seed=4)
            other.reset(seed=4)
            self.assertEqual(start.slots.tolist(), list(range(6)))
            self.assertEqual(vec.send([5, 0, 2], [1, 2, 3]), 3)
            rows = {}
            for count in (1, 2):
                step = vec.recv(count)
                self.assertEqual(step.observations.shape[0], count)
                rows.update(zip(step.slots.tolist(), step.observations))
            self.assertEqual(sorted(rows), [0, 2, 5])
            want = other.step([2, 0, 3, 0, 0, 1])
            for slot, row in rows.items():
                np.testing.assert_array_equal(row, want.observations[slot])
            with self.assertRaises(powderkeg.ServerError):
                vec.step([0] * 6)

    def test_datasets_are_episodes_that_can_be_played_again(self) -> None:
        spec = self.client.spec("leduc")
        with self.client.dataset("leduc", ["random"], 20, seed=3, text=True, rows=7) as data:
            batches = list(data)
        self.assertGreater(len(batches), 5)
        self.assertTrue(all(0 < len(b.actions) <= 7 for b in batches))
        env, episode = self.client.make("leduc"), -1
        for b in batches:
            self.assertEqual(b.logits.shape, (0, len(spec.actions)))
            for i, action in enumerate(b.actions):
                if b.steps[i] == 0:
                    episode += 1
                    step = env.reset(int(b.seeds[i]))
                    self.assertEqual(len(b.opening.row(i)), 2)
                self.assertEqual((b.episodes[i], b.actors[i], b.text[i]), (episode, step.actor, env.text()))
                np.testing.assert_array_equal(b.observations[i], step.observation)
                np.testing.assert_array_equal(b.masks[i], step.mask)
                step = env.step(action)
                self.assertEqual(b.terminated[i], step.terminated)
                np.testing.assert_array_equal(b.rewards[i], step.rewards)
                if step.done:
                    np.testing.assert_array_equal(b.returns[i], step.returns)
        self.assertEqual(episode, 19)
        again = self.client.dataset("leduc", ["random"], 20, seed=3, workers=2)
        self.assertEqual(np.concatenate([b.actions for b in again]).tolist(), np.concatenate([b.actions for b in batches]).tolist())
        self.assertEqual(list(again), [])

    def test_random_actions_are_uniform_and_legal(self) -> None:
        rng = np.random.default_rng(0)
        masks = np.array([[0, 1, 1, 0, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]], dtype=np.uint8)
        chosen = np.array([powderkeg.random_actions(masks, rng) for _ in range(6000)])
        counts = np.bincount(chosen[:, 0], minlength=5)
        # Six standard deviations of a binomial count of 6000 thirds are 220.
        self.assertTrue((abs(counts[[1, 2, 4]] - 2000) < 220).all(), counts)
        self.assertEqual(counts.sum(), counts[[1, 2, 4]].sum())
        self.assertTrue((chosen[:, 1] == 0).all())
        self.assertTrue((chosen[:, 2] == 4).all())
        self.assertTrue((powderkeg.random_actions(masks[1:2], rng) == 0).all())

    def test_agents_choose_legal_actions(self) -> None:
        env = self.client.make("leduc", seed=1)
        agent = self.client.load_agent("leduc", "random", seed=4)
        self.assertFalse(agent.batch)
        for _ in range(10):
            self.assertEqual(env.last.mask[agent.act(env)], 1)
        game, name = ("leduc", "batch") if "batch" in self.client.welcome["agents"] else ("jogu", "zoo:jogu")
        batch = self.client.load_agent(game, name)
        self.assertTrue(batch.batch)
        with self.client.make_vec(game, 5) as vec:
            step = vec.reset(seed=1)
            actions = batch.act_batch(step.observations, step.masks)
            self.assertTrue((step.masks[np.arange(5), actions] == 1).all())
        agent.close()
        agent.close()

    def test_a_closed_client_says_so(self) -> None:
        other = powderkeg.connect(served.ADDRESS)
        env = other.make("kuhn")
        other.close()
        other.close()
        with self.assertRaises(powderkeg.ConnectionLost):
            env.step(0)

    def test_bad_addresses_are_refused(self) -> None:
        for address in ("nonsense", "unix:", "tcp:127.0.0.1", "udp:127.0.0.1:1"):
            with self.assertRaisesRegex(powderkeg.Error, "unix:PATH"):
                powderkeg.connect(address)
        with self.assertRaises(powderkeg.ConnectionLost):
            powderkeg.connect("unix:/nonexistent/socket")


@unittest.skipUnless(os.environ.get("POWDERKEG_BIN"), "POWDERKEG_BIN names no program")
class OwnServerTest(unittest.TestCase):
    def test_a_server_of_ones_own_ends_with_the_client(self) -> None:
        client = powderkeg.start()
        assert client._server is not None
        process = client._server._process
        folder = os.path.dirname(client._server._log)
        self.assertEqual(client.make("kuhn").spec.name, "kuhn")
        self.assertIsNone(process.poll())
        client.close()
        self.assertEqual(process.wait(10), 0)
        self.assertFalse(os.path.exists(folder))

    def test_a_broken_connection_does_not_hide_what_broke_it(self) -> None:
        other = powderkeg.start()
        with self.assertRaises(RuntimeError), other.make("kuhn") as env:
            with mock.patch("powderkeg.wire.Wire._fill", side_effect=RuntimeError):
                env.step(0)
        self.assertTrue(other.closed)
        other.close()

    def test_a_server_ends_even_if_python_is_killed(self) -> None:
        for end in ("os.kill(os.getpid(), signal.SIGKILL)", "sys.exit()", "os._exit(1)"):
            script = f"import os, signal, sys, powderkeg\nc = powderkeg.start(); print(c.address, flush=True)\n{end}"
            done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=30)
            deadline = time.monotonic() + 10
            with self.subTest(end), self.assertRaises(powderkeg.ConnectionLost):
                while time.monotonic() < deadline:
                    # A server that still drains answers, and says so, until it is gone.
                    with contextlib.suppress(powderkeg.ServerError):
                        powderkeg.connect(done.stdout.strip()).close()
                    time.sleep(0.02)

    def test_the_shared_server_is_started_once_and_forks_leave_it_alone(self) -> None:
        with mock.patch.dict(os.environ):
            os.environ.pop("POWDERKEG_ADDRESS", None)
            address = server.shared()
            self.assertEqual(server.shared(), address)
            shared = server._shared
            assert shared is not None
            child = os.fork()
            if child == 0:
                with contextlib.suppress(BaseException):
                    shared.stop()
                    powderkeg.connect(server.shared()).close()
                os._exit(0)
            os.waitpid(child, 0)
            powderkeg.connect(address).close()
            shared.stop()
            self.assertNotEqual(server.shared(), address)
            assert server._shared is not None
            server._shared.stop()

    def test_a_program_that_does_not_serve_is_reported(self) -> None:
        with mock.patch.dict(os.environ, {"POWDERKEG_BIN": "/bin/false"}):
            with self.assertRaisesRegex(powderkeg.ServerNotFound, "/bin/false serve .* ended with 1"):
                powderkeg.start()
        with mock.patch.dict(os.environ, {"POWDERKEG_BIN": "/nonexistent"}):
            with self.assertRaisesRegex(powderkeg.ServerNotFound, "no program"):
                powderkeg.start()

    def test_without_a_program_there_is_a_hint(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": ""}):
            del os.environ["POWDERKEG_BIN"]
            with mock.patch.object(program, "source_tree", return_value=None):
                with self.assertRaisesRegex(powderkeg.ServerNotFound, "install a wheel .* POWDERKEG_BIN"):
                    program.find()
            with mock.patch.object(program, "source_tree", return_value=Path("/nowhere")):
                with self.assertRaisesRegex(powderkeg.ServerNotFound, "type: make -C /nowhere build"):
                    program.find()

    def test_the_source_tree_is_found_under_any_path_of_the_module(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            tree = Path(name).resolve()
            package = tree / "serve" / "python" / "powderkeg"
            package.mkdir(parents=True)
            (tree / "main.go").touch()
            (tree / "go.mod").write_text("module example.com/you/powderkeg\n")
            with mock.patch.object(program, "__file__", str(package / "program.py")):
                self.assertEqual(program.source_tree(), tree)
            other = tree / "venv" / "powderkeg"
            package.rename(tree / "elsewhere")
            with mock.patch.object(program, "__file__", str(other / "program.py")):
                self.assertIsNone(program.source_tree())

    def test_the_console_script_does_not_find_itself(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PATH": folder}):
            del os.environ["POWDERKEG_BIN"]
            script = Path(folder, program.NAME)
            script.write_text("")
            script.chmod(0o755)
            with mock.patch.object(program, "source_tree", return_value=None):
                self.assertEqual(program.find(), str(script))
                with mock.patch.object(sys, "executable", str(Path(folder, "python"))):
                    with self.assertRaises(powderkeg.ServerNotFound):
                        program.find()

    def test_the_command_line_is_the_program(self) -> None:
        ran = subprocess.run([sys.executable, "-m", "powderkeg", "--no-such-flag"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertNotEqual(ran.returncode, 0)


class NumbersTest(served.ServedTest):
    def test_numpy_scalars_are_numbers(self) -> None:
        env = self.client.make("tictactoe", seed=np.uint64(2**63), max_decisions=np.int8(5))
        self.assertEqual(env.seed, 2**63)
        for action in (np.int32(4), np.array(0), "play 1" if "play 1" in env.spec.actions else env.spec.actions[1]):
            env.step(action)
        self.assertEqual(env.last.decisions, 3)
        self.client.match("kuhn", "random", seat=np.int64(1)).close()

    def test_what_is_no_whole_number_is_refused_by_name(self) -> None:
        env = self.client.make("tictactoe", seed=1)
        vec = self.client.make_vec("tictactoe", 2)
        vec.reset(seed=1)
        for what, call in {
            "action is the float 1": lambda: env.step(1.0),
            "action 4294967297 is not legal": lambda: env.step(2**32 + 1),
            "seed is negative": lambda: env.reset(-1),
            "seed is the float 1.5": lambda: env.reset(1.5),
            "max_decisions is the float": lambda: self.client.make("kuhn", max_decisions=2.0),
            "more than 64 bits": lambda: env.reset(2**64),
            "actions is of float64": lambda: vec.step([0.0, 1.0]),
            "actions has 4294967297": lambda: vec.step([0, 2**32 + 1]),
            "seeds has -1": lambda: vec.reset_slots([0], [-1]),
            "a list of them": lambda: env.step(object()),
        }.items():
            with self.subTest(what), self.assertRaisesRegex((powderkeg.ServerError, ValueError, TypeError), what) as caught:
                call()
            self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(env.last.decisions, 0)
        env.step(0)

    def test_drawn_seeds_are_exact_as_floats(self) -> None:
        seeds = [self.client.make("kuhn").seed for _ in range(20)]
        self.assertTrue(all(0 <= s < 2**53 for s in seeds))
        self.assertEqual(len(set(seeds)), 20)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_what_is_the_parents_is_refused_in_a_fork(self) -> None:
        env, vec = self.client.make("kuhn", seed=1), self.client.make_vec("kuhn", 2)
        vec.reset(seed=1)
        calls = (lambda: env.step("bet"), lambda: env.text(), lambda: vec.step([0, 0]), lambda: self.client.make("kuhn"))
        with getattr(self.client._wire, "_lock"):  # which a thread of the parent has
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                told = 0
                for call in calls:
                    try:
                        call()
                    except powderkeg.ConnectionLost as e:
                        told += "this process was forked after" in str(e)
                env.close()
                self.client.close()
                os._exit(told)
            _, status = os.waitpid(child, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), len(calls))
        self.assertEqual((env.step("bet").decisions, vec.step([1, 1]).actors.tolist()), (1, [1, 1]))

    def test_an_interrupted_step_shows_what_came_of_it(self) -> None:
        env = self.client.match("connect4", "mcts(sims=10000)", seed=1)
        for decisions, action in enumerate((3, "column_4", 3), start=1):
            timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                env.step(action)
                timer.join()
                raise KeyboardInterrupt  # had it been faster
            timer.join()
            if decisions == 2:
                env.text()  # what comes late is noted whoever waits for it
            self.assertEqual(env.last.decisions, decisions)
            self.assertEqual(env.last.legal.tolist(), [a.action for a in env.legal()])
        with self.assertRaises(powderkeg.ServerError):
            env.step("column_9")
        self.assertEqual((env.last.decisions, env.step(3).decisions), (3, 4))

    def test_interrupted_anywhere_an_environment_knows_what_it_is_at(self) -> None:
        def interrupt(*_: Any) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        env, rng = self.client.make("leduc", seed=1), np.random.default_rng(1)
        for _ in range(60):
            with contextlib.suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.001 + rng.random() / 1000)
                while True:
                    if env.last.done:
                        env.reset()
                    env.step(int(rng.choice(env.last.legal)))
            legal = self.client.call("env.legal", {"env": env.handle})
            self.assertEqual(env.last.actor, legal["actor"])
            self.assertEqual(env.last.legal.tolist(), np.frombuffer(legal["actions"], "<i4").tolist())
            self.assertEqual(env.last.observation.tolist(), np.frombuffer(
                self.client.call("env.observe", {"env": env.handle, "seat": env.last.observer})["observation"], "<f4").tolist())  # fmt: skip

    def test_an_interrupted_call_leaves_the_client_usable(self) -> None:
        env = self.client.make("connect4", seed=1)
        agent = self.client.load_agent("connect4", "mcts(sims=10000)")
        for _ in range(3):
            # The server is slow enough that the signal comes while the client waits.
            timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                agent.act(env)
                time.sleep(10)  # had it been fast
            timer.join()
            self.assertEqual(self.client.spec("connect4").seats, 2)
            self.assertIn(agent.act(env), range(7))
        env.step(3)
        self.assertEqual(env.last.decisions, 1)

    def test_threads_take_turns(self) -> None:
        errors: List[BaseException] = []

        def play(seed: int) -> None:
            try:
                with self.client.make("leduc", seed=seed) as env:
                    for _ in range(50):
                        env.step(env.last.legal[0])
                        if env.last.done:
                            env.reset()
            except BaseException as e:
                errors.append(e)

        threads = [threading.Thread(target=play, args=(s,)) for s in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(errors, [])

    def test_who_does_not_think_does_not_wait(self) -> None:
        own, moves, begun = powderkeg.start(), 0, threading.Event()
        slow, quick = own.match("jogu", "mcts(sims=10000)", seed=1), own.make("leduc", seed=1)

        def think() -> None:
            nonlocal moves
            with contextlib.suppress(powderkeg.Error):  # the end of the connection
                while True:
                    begun.set()
                    slow.step(slow.last.legal[0])
                    moves += 1

        thinker = threading.Thread(target=think)
        thinker.start()
        begun.wait()
        for _ in range(200):
            quick.step(quick.last.legal[0])
            if quick.last.done:
                quick.reset()
        self.assertLess(moves, 10)  # some dozens where they wait for each other
        own.close()
        thinker.join()

    def test_nobody_waits_for_an_agent_but_who_has_asked_it(self) -> None:
        agent, slow, quick = self.client.load_agent("jogu", "mcts(sims=10000)"), self.client.make("jogu", seed=1), self.client.make("leduc", seed=1)
        for wait in (lambda: agent.act(slow), lambda: self.client.match("jogu", "mcts(sims=10000)", seat=1, seed=1)):
            waiting = threading.Thread(target=wait)
            waiting.start()
            time.sleep(0.1)  # it is asked by then, and takes a second
            for _ in range(5):
                quick.reset()
                quick.text()
            self.assertTrue(waiting.is_alive())
            waiting.join()

    def test_an_agent_that_thinks_decides_alike_on_a_connection_of_its_own(self) -> None:
        text = "mcts(sims=30)"
        agent, same = self.client.load_agent("leduc", text, seed=7), self.client.call("agent.load", {"game": "leduc", "agent": text, "seed": 7})
        envs = [self.client.make("leduc", seed=n) for n in (1, 1, 2)]
        self.assertIsNot(agent._lane, self.client)
        for _ in range(3):
            for env in envs:
                want = self.client.call("act", {"agent": same["agent"], "env": env.handle})["action"]
                self.assertEqual(agent.act(env), want)
                if env.step(want).done:
                    env.reset()
        held = len(agent._copies)
        del env, envs
        gc.collect()
        self.assertEqual((held, len(agent._copies)), (3, 0))
        over = self.client.make("kuhn", seed=1)
        with self.assertRaisesRegex(powderkeg.ServerError, "agent [0-9]+ was loaded for leduc, env [0-9]+ plays kuhn"):
            agent.act(over)
        self.assertIs(self.client.load_agent("leduc", "random")._lane, self.client)
        agent.close()

    def test_what_agents_play_in_has_connections_of_its_own(self) -> None:
        own = powderkeg.start()
        opened = [own.match("kuhn", "random", seed=n) for n in range(10)]
        places = {id(env._client) for env in opened}
        self.assertEqual(len(places), 8)
        self.assertNotIn(id(own), places)
        self.assertIs(own.make("kuhn")._client, own)
        agent = own.load_agent("kuhn", "random", seed=3)
        self.assertIn(agent.act(opened[0]), opened[0].last.legal)
        agent.close()
        for env in opened[1:]:
            env.close()
        self.assertIn(id(own.match("kuhn", "random")._client), places)
        own.close()
        self.assertTrue(all(env._client.closed for env in opened))

    def test_a_dead_server_ends_close_quietly(self) -> None:
        own = powderkeg.start()
        env, vec, agent = own.make("kuhn"), own.make_vec("kuhn", 2), own.load_agent("kuhn", "random")
        assert own._server is not None
        own._server._process.kill()
        own._server._process.wait()
        for thing in (env, vec, agent, own):
            thing.close()
            thing.close()


if __name__ == "__main__":
    unittest.main()
