"""The adapter for pettingzoo."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import io
import logging
import pickle
import random
import signal
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import numpy as np
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import powderkeg
from powderkeg import pettingzoo
from powderkeg.games import GAMES

from . import served, typed


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keeps what the library prints and logs to itself."""
    logging.disable(logging.WARNING)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logging.disable(logging.NOTSET)


class EnvTest(served.ServedTest):
    def make(self, game: str, **options: Any) -> pettingzoo.Env:
        env = pettingzoo.raw_env(game, client=self.client, **options)
        self.addCleanup(env.close)
        return env

    def test_the_tests_of_the_library_are_content(self) -> None:
        variants: List[Tuple[str, Dict[str, Any]]] = [(game, {"max_decisions": 40}) for game in GAMES]
        variants += [(game, {}) for game in ("kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "jogu")]
        variants += [("liars_dice", {"players": 4}), ("jogu", {"first": "any", "second": "any", "expansion": True})]
        variants += [("domination", {"players": n, "max_decisions": 40}) for n in (3, 6)]
        for game, options in variants:
            with self.subTest(game=game, **options), warnings.catch_warnings(), quiet():
                warnings.simplefilter("default")  # they recommend much
                make = functools.partial(pettingzoo.env, game, client=self.client, **options)
                parallel = functools.partial(pettingzoo.parallel_env, game, client=self.client, **options)
                api_test(make(), num_cycles=1000)
                seed_test(make, num_cycles=50)
                parallel_api_test(parallel(), num_cycles=1000)
                parallel_seed_test(parallel, num_cycles=50)
                state_test(make(), parallel())
                render_test(make)

    def test_every_game_has_a_module(self) -> None:
        from powderkeg.pettingzoo import jogu_v2
        import powderkeg.pettingzoo.leduc_v1

        for name, version in GAMES.items():
            self.assertTrue(hasattr(pettingzoo, f"{name}_v{version}"))
        env = jogu_v2.raw_env(first="wu", client=self.client)
        self.addCleanup(env.close)
        self.assertEqual(env.game_spec.game, "jogu(first=wu)")
        self.assertIs(powderkeg.pettingzoo.leduc_v1, sys.modules["powderkeg.pettingzoo.leduc_v1"])

    def test_the_modules_are_declared_to_type_checkers(self) -> None:
        tree = ast.parse(Path(pettingzoo.__file__).read_text(encoding="utf-8"))
        declared = {node.target.id for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
                    and ast.unparse(node.annotation) == "GameModule"}  # fmt: skip
        self.assertEqual(declared, {f"{game}_v{version}" for game, version in GAMES.items()})

    def test_what_a_user_writes_runs(self) -> None:
        for do in (typed.turns, typed.together, typed.alone, lambda: typed.told("dict"), typed.many, typed.native):
            with self.subTest(str(do)):
                do()

    def test_the_parallel_interface_ignores_who_is_not_asked(self) -> None:
        env = pettingzoo.parallel_env("tictactoe", client=self.client)
        self.addCleanup(env.close)
        observations, infos = env.reset(seed=1)
        self.assertEqual(infos, {"player_0": {"to_act": True}, "player_1": {"to_act": False}})
        self.assertTrue(observations["player_1"]["action_mask"].all())
        observations, *_, infos = env.step({"player_0": 4, "player_1": 0})
        self.assertEqual(observations["player_1"]["action_mask"].tolist(), [1, 1, 1, 1, 0, 1, 1, 1, 1])
        with self.assertRaisesRegex(ValueError, "player_1 is to act"):
            env.step({"player_0": 0})
        _, rewards, terminations, _, _ = env.step({"player_0": 0, "player_1": 4})
        self.assertEqual((rewards, terminations), ({"player_0": 0.0, "player_1": -1.0}, {"player_0": True, "player_1": True}))
        self.assertEqual(env.agents, [])
        with self.assertRaisesRegex(powderkeg.Error, "reset"):
            env.step({})

    def test_the_state_is_what_all_observe(self) -> None:
        env = self.make("kuhn", position={"cards": ["Q", "K"], "actions": []})
        env.reset()
        shown = [env.observe(a)["observation"] for a in env.agents]
        np.testing.assert_array_equal(env.state(), np.concatenate(shown))
        self.assertFalse(np.array_equal(shown[0], shown[1]))

    def test_before_the_first_reset_one_like_it_is_pickled(self) -> None:
        address = self.client.address
        env = pettingzoo.raw_env("leduc", address=address, max_decisions=3)
        self.addCleanup(env.close)
        again = pickle.loads(pickle.dumps(env))
        self.addCleanup(again.close)
        self.assertEqual((again.game_spec.game, again._max_decisions), ("leduc", 3))

    def test_actions_are_whole_numbers(self) -> None:
        env = self.make("tictactoe")
        env.reset(seed=1)
        with self.assertRaisesRegex(TypeError, "action is 4.0, it must be a whole number"):
            env.step(4.0)
        env.step(np.uint8(4))

    def test_each_agent_sees_its_own_side(self) -> None:
        env = self.make("kuhn", render_mode="ansi")
        env.reset(options={"position": {"cards": ["Q", "K"], "actions": ["pass"]}})
        self.assertEqual(env.agent_selection, "player_1")
        seen = {a: env.observe(a) for a in env.agents}
        cards = {a: env.game_spec.observation(o["observation"]).named("card") for a, o in seen.items()}
        self.assertEqual(cards, {"player_0": {"J": 0, "Q": 1, "K": 0}, "player_1": {"J": 0, "Q": 0, "K": 1}})
        self.assertEqual({a: o["action_mask"].tolist() for a, o in seen.items()}, {"player_0": [0, 0], "player_1": [1, 1]})
        self.assertEqual(env.legal(), ["pass", "bet"])
        self.assertIn("seat 0: ?", env.render())
        env.step(env.game_spec.action("bet"))
        env.step(np.int32(env.game_spec.action("pass")))
        self.assertEqual(env.terminations, {"player_0": True, "player_1": True})
        self.assertEqual(env.rewards, {"player_0": -1.0, "player_1": 1.0})
        for agent in ("player_0", "player_1"):
            self.assertEqual(env.agent_selection, agent)
            with self.assertRaises(ValueError):
                env.step(0)
            env.step(None)
        self.assertEqual(env.agents, [])
        with self.assertRaisesRegex(powderkeg.Error, "reset"):
            env.step(0)

    def test_what_an_agent_has_been_told_is_not_told_again(self) -> None:
        env = self.make("tictactoe")
        env.reset(seed=1)
        env._cumulative_rewards["player_0"] = 2.5  # none of the games pays before its end
        self.assertEqual(env.last()[1], 2.5)
        env.step(0)
        self.assertEqual(env._cumulative_rewards, {"player_0": 0.0, "player_1": 0.0})

    def test_an_illegal_action_changes_nothing(self) -> None:
        env = self.make("tictactoe")
        env.reset(seed=1)
        env.step(4)
        with self.assertRaises(powderkeg.ServerError) as caught:
            env.step(4)
        self.assertEqual(caught.exception.code, "illegal")
        with self.assertRaisesRegex(ValueError, "player_1 is to act"):
            env.step(None)
        self.assertEqual((env.agent_selection, env.native.last.decisions), ("player_1", 1))


#: What a program may do with an environment, at a good moment or not.
DOES: List[Tuple[str, Callable[[Any], Any]]] = [
    *((name, lambda e, n=name: getattr(e, n)) for name in (
        "agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents", "max_num_agents", "possible_agents",
        "metadata", "render_mode", "game_spec", "_cumulative_rewards", "_private", "no_such_thing",
    )),
    *((f"step({action!r})", lambda e, a=action: e.step(a)) for action in (
        0, 1, 4, np.int64(2), np.uint8(1), np.array(1), True, 99, -1, None, 1.0, np.float32(1), "0", [0], 2**70,
    )),
    ("step of last", lambda e: step_of_last(e)),
    ("reset", lambda e: e.reset(seed=1)),
    ("reset to a position", lambda e: e.reset(seed=2, options={"position": None})),
    ("last", lambda e: e.last()),
    ("last, not observed", lambda e: e.last(observe=False)),
    ("observe", lambda e: e.observe("player_0")),
    ("observe nobody", lambda e: e.observe("player_9")),
    ("observe within", lambda e: e.env.env.observe(e.agent_selection)),
    ("reset within", lambda e: None if hasattr(e, "agents") else e.unwrapped.reset(seed=3)),
    ("agent_iter", lambda e: next(iter(e.agent_iter()))),
    ("agent_iter without a step", lambda e: [agent for agent, _ in zip(e.agent_iter(), range(2))]),
    ("agent_iter of 0", lambda e: list(e.agent_iter(0))),
    ("state", lambda e: e.state()),
    ("render", lambda e: e.render()),
    ("legal", lambda e: e.legal()),
    ("spaces", lambda e: (e.observation_space("player_0"), e.action_space("player_1"), e.action_space("player_1") is e.action_space("player_1"))),
    ("no space", lambda e: e.action_space("player_9")),
    ("str", str),
    ("copy", lambda e: copy.deepcopy(e).last()),
]  # fmt: skip


def step_of_last(env: Any) -> None:
    """What a learner does."""
    observation, _, termination, truncation, _ = env.last()
    env.step(None if termination or truncation else int(np.flatnonzero(observation["action_mask"])[-1]))


def plain(value: Any) -> Any:
    """What can be compared."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return (str(value.dtype), value.tolist()) if isinstance(value, np.ndarray) else value


def outcome(env: Any, do: Callable[[Any], Any]) -> Tuple[Any, List[Any]]:
    """What comes of it, and what is logged."""
    EnvLogger.flush()
    try:
        came = plain(do(env))
    except Exception as e:
        came = type(e), str(e)
    logged = list(EnvLogger.mqueue)
    return came, logged


class TurnsTest(served.ServedTest):
    """env() is the game in PettingZoo's wrappers to whoever uses it, however he does."""

    def both(self, game: str, **options: Any) -> Tuple[Any, Any]:
        """Ours, and the wrappers themselves."""
        ours = pettingzoo.env(game, client=self.client, **options)
        raw = pettingzoo.raw_env(game, client=self.client, **options)
        self.addCleanup(ours.close)
        self.addCleanup(raw.close)
        checked = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw.game_spec.min_return)
        return ours, wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))

    def test_it_does_what_the_wrappers_do(self) -> None:
        seen = set()
        for seed in range(240):
            game, options = [("tictactoe", {"render_mode": "ansi"}), ("kuhn", {}), ("leduc", {"max_decisions": 3})][seed % 3]
            ours, theirs = self.both(game, **options)
            draw, done = random.Random(seed), []
            for _ in range(40):
                name = draw.choice(["step of last"] * 30 + ["reset"] * 3 + list(dict(DOES)))
                do = dict(DOES)[name]
                done.append(name)
                with quiet():
                    want, got = outcome(theirs, do), outcome(ours, do)
                if "spec" not in name:
                    self.assertEqual(got, want, f"{game}: {done}")
                seen.add((name, got[0][0].__name__ if isinstance(got[0], tuple) and isinstance(got[0][0], type) else "", len(got[1]) > 0))
            ours.close()
            theirs.close()
        for want in (("step(99)", "AssertionError", False), ("step(0)", "", True), ("step(None)", "", True), ("agents", "AttributeError", False),
                     ("render", "AssertionError", False), ("agent_iter without a step", "AssertionError", False)):  # fmt: skip
            self.assertIn(want, seen)

    def test_it_is_those_wrappers(self) -> None:
        ours, theirs = self.both("tictactoe")
        kinds = wrappers.OrderEnforcingWrapper, wrappers.AssertOutOfBoundsWrapper, wrappers.TerminateIllegalWrapper, pettingzoo.Env
        for env in (ours, theirs):
            inner = env
            for kind in kinds:
                self.assertIsInstance(inner, kind)
                inner = getattr(inner, "env", None)
            self.assertIsInstance(env.unwrapped, pettingzoo.Env)
            self.assertEqual(str(env), "tictactoe_v1")
        self.assertIsInstance(ours, wrappers.BaseWrapper)

    def test_copies_and_pickles_go_on_alike(self) -> None:
        address = self.client.address
        env = pettingzoo.env("leduc", address=address)
        self.addCleanup(env.close)
        env.reset(seed=3)
        for _ in range(2):
            step_of_last(env)
        for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            self.addCleanup(again.close)
            self.assertIs(again.unwrapped, again.env.env.env)
            begun = copy.deepcopy(env)
            self.addCleanup(begun.close)
            while begun.agents:
                self.assertEqual(plain(again.last()), plain(begun.last()))
                step_of_last(again)
                step_of_last(begun)
        self.assertEqual(len(env.agents), 2)

    def test_interrupted_anywhere_it_shows_what_the_game_is_at(self) -> None:
        def interrupt(*_: Any) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        env, draw = pettingzoo.env("leduc", client=self.client), random.Random(1)
        self.addCleanup(env.close)
        env.reset(seed=1)
        for _ in range(60):
            with contextlib.suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.001 + draw.random() / 1000)
                while env.agents:
                    step_of_last(env)
                signal.setitimer(signal.ITIMER_REAL, 0)
            shown = env.unwrapped.native.last
            if not env.agents or shown.done:
                env.reset()
                continue
            observation, reward, *_ = env.last()
            self.assertEqual(env.agent_selection, f"player_{shown.actor}")
            self.assertEqual(observation["action_mask"].tolist(), shown.mask.tolist())
            self.assertEqual(reward, 0)

    def test_an_illegal_action_ends_the_episode_for_whoever_chose_it(self) -> None:
        env = pettingzoo.env("tictactoe", client=self.client)
        self.addCleanup(env.close)
        env.reset(seed=1)
        env.env.env.observe("player_0")
        env.step(4)
        with self.assertLogs("pettingzoo.utils.env_logger", "WARNING") as logs:
            env.step(4)
        self.assertIn("Illegal move made", logs.output[0])
        ended = []
        for agent in env.agent_iter():
            _, reward, termination, truncation, _ = env.last()
            ended.append((agent, reward, termination, truncation))
            env.step(None)
        self.assertEqual(ended, [("player_0", 0.0, True, True), ("player_1", -1.0, True, True)])
        env.reset(seed=1)
        self.assertEqual(env.agents, ["player_0", "player_1"])


if __name__ == "__main__":
    unittest.main()
