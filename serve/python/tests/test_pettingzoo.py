"""The adapter for pettingzoo."""

from __future__ import annotations

import unittest
import warnings
from typing import Any

import numpy as np

import powderkeg

from . import checks, libraries, served  # libraries comes before pettingzoo

from powderkeg import pettingzoo


class EnvTest(served.ServedTest):
    def make(self, game: str, **options: Any) -> pettingzoo.Env:
        env = pettingzoo.env(game, client=self.client, **options)
        self.addCleanup(env.close)
        return env

    def test_the_api_test_is_content(self) -> None:
        for game in ("kuhn", "leduc", "tictactoe", "connect4", "liars_dice(players=3)", "jogu"):
            for cap in (0, 5):
                with self.subTest(game=game, cap=cap):
                    checks.pettingzoo_env(self.make(game, max_decisions=cap))
                    if libraries.PETTINGZOO:
                        from pettingzoo.test import api_test

                        with warnings.catch_warnings():
                            warnings.simplefilter("default")  # it recommends much
                            api_test(self.make(game, max_decisions=cap), num_cycles=100)

    def test_the_seed_test_is_content(self) -> None:
        for game in ("leduc", "jogu"):
            with self.subTest(game=game):
                checks.pettingzoo_seeds(lambda: pettingzoo.env(game, client=self.client))
                if libraries.PETTINGZOO:
                    from pettingzoo.test import seed_test

                    seed_test(lambda: pettingzoo.env(game, client=self.client), num_cycles=100)

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
