"""The adapter for pettingzoo."""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import logging
import pickle
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

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
        for do in (typed.turns, typed.together, typed.alone, typed.native):
            with self.subTest(do.__name__):
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


if __name__ == "__main__":
    unittest.main()
