"""The adapters for gymnasium."""

from __future__ import annotations

import contextlib
import functools
import io
import pickle
import unittest
import warnings
from typing import Any

import numpy as np

import powderkeg

import gymnasium
from gymnasium.utils.env_checker import check_env

import powderkeg.gymnasium
from powderkeg import games

from . import served


class EnvTest(served.ServedTest):
    def make(self, game: str, **options: Any) -> powderkeg.gymnasium.Env:
        env = gymnasium.make(games.gymnasium_id(game), client=self.client, **options)
        self.addCleanup(env.close)
        return env.unwrapped

    def test_every_game_is_registered_with_its_version(self) -> None:
        served = {g.name: self.client.spec(g.name).version for g in self.client.games()}
        self.assertEqual(games.GAMES, served, "powderkeg/games.py lists other games than the server has")
        for name in served:
            self.assertIn(games.gymnasium_id(name), gymnasium.registry)
        for name, want in (("kuhn", "powderkeg/Kuhn-v1"), ("liars_dice", "powderkeg/LiarsDice-v1")):
            self.assertEqual(games.gymnasium_id(name), want)

    def test_the_checker_is_content(self) -> None:
        for game in games.GAMES:
            seats = self.client.spec(game).seats
            for seat in (0, seats - 1):
                for observation in ("box", "dict"):
                    for illegal in ("terminate", "random"):
                        with self.subTest(game=game, seat=seat, observation=observation, illegal=illegal):
                            env = self.make(game, seat=seat, observation=observation, illegal=illegal, max_decisions=50)
                            with warnings.catch_warnings():
                                warnings.simplefilter("default")  # it recommends much
                                with contextlib.redirect_stdout(io.StringIO()):  # of render mode human
                                    check_env(env)
                            env.close()

    def test_options_are_keywords(self) -> None:
        env = self.make("jogu", first="wu", expansion=True)
        self.assertEqual(env.game_spec.game, "jogu(first=wu,expansion=true)")
        with self.assertRaisesRegex(powderkeg.ServerError, "jogu has no option \"frist\"; its options: first"):
            self.make("jogu", frist="wu")
        env = gymnasium.make(games.gymnasium_id("tictactoe"), client=self.client, max_episode_steps=1)
        self.addCleanup(env.close)
        _, info = env.reset(seed=1)
        self.assertTrue(env.step(int(np.flatnonzero(info["action_mask"])[0]))[3], "max_episode_steps does not truncate")

    def test_before_the_first_reset_one_like_it_is_pickled(self) -> None:
        env = powderkeg.gymnasium.Env("leduc", seat=1, address=self.client.address)
        again = pickle.loads(pickle.dumps(env))
        self.addCleanup(env.close)
        self.addCleanup(again.close)
        self.assertEqual((again.game_spec.game, again.seat), ("leduc", 1))
        self.assertEqual(again.reset(seed=1)[0].tolist(), env.reset(seed=1)[0].tolist())

    def test_many_environments_share_a_connection(self) -> None:
        own = powderkeg.start()
        self.addCleanup(own.close)
        make = functools.partial(gymnasium.make, "powderkeg/Kuhn-v1", address=own.address)
        envs = gymnasium.vector.SyncVectorEnv([make] * 200)
        self.addCleanup(envs.close)
        observations, infos = envs.reset(seed=1)
        self.assertEqual(observations.shape[0], 200)
        envs.step(infos["action_mask"].argmax(axis=1))

    def test_unknown_reset_options_are_ignored_with_a_warning(self) -> None:
        env = self.make("kuhn")
        with self.assertWarnsRegex(UserWarning, "colour.* ignored; there is position"):
            env.reset(seed=1, options={"colour": "red"})

    def test_rewards_add_up_to_the_return_and_the_seed_decides(self) -> None:
        traces = []
        for _ in range(2):
            env = self.make("leduc", seat=1, opponents="random")
            env.action_space.seed(7)
            trace = []
            for episode in range(20):
                observation, info = env.reset(seed=3 if episode == 0 else None)
                total, terminated = 0.0, False
                while not terminated:
                    self.assertEqual(env.native.last.actor, 1)
                    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
                    self.assertFalse(truncated or info["illegal_action"])
                    total += reward
                    trace.append(observation.tolist())
                self.assertEqual(total, env.native.last.returns[1])
                self.assertTrue(info["action_mask"].all(), "a softmax over no action is no number")
            traces.append(trace)
        self.assertEqual(traces[0], traces[1])

    def illegal(self, env: powderkeg.gymnasium.Env) -> int:
        _, info = env.reset(seed=1)
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        return int(np.flatnonzero(info["action_mask"] == 0)[0])

    def test_illegal_actions_are_treated_as_asked(self) -> None:
        env = self.make("tictactoe", illegal="random")
        wrong = self.illegal(env)
        *_, terminated, truncated, info = env.step(wrong)
        self.assertTrue(info["illegal_action"] and not truncated)
        self.assertNotIn(info["executed_action"], (wrong, -1))
        self.assertEqual(env.native.last.decisions, 2)
        with self.assertRaisesRegex(TypeError, "action is 1.0, it must be a whole number"):
            env.step(1.0)
        env = self.make("tictactoe", illegal="raise")
        action = self.illegal(env)
        with self.assertRaisesRegex(ValueError, f"action {action} is not legal here; legal: "):
            env.step(action)
        self.assertEqual(env.native.last.decisions, 1)
        env = self.make("tictactoe")
        _, reward, terminated, _, info = env.step(self.illegal(env))
        self.assertEqual((reward, terminated, info["illegal_action"]), (-1.0, True, True))
        self.assertEqual(info["executed_action"], -1)
        self.assertTrue(info["action_mask"].all())
        with self.assertRaisesRegex(powderkeg.Error, "reset"):
            env.step(0)

    def test_positions_fields_and_words(self) -> None:
        env = self.make("kuhn", render_mode="ansi")
        env.reset(options={"position": {"cards": ["Q", "K"], "actions": []}})
        self.assertEqual(env.observe().named("card"), {"J": 0.0, "Q": 1.0, "K": 0.0})
        self.assertIn("seat 1: ?", env.render())
        self.assertEqual(env.action_masks().tolist(), [True, True])
        cards = set()
        for _ in range(40):
            env.reset()
            cards.add(tuple(env.observe().field("card")))
        self.assertEqual(len(cards), 3, "the position outlives the episode that it was for")
        for bad in ({"seat": 2}, {"illegal": "ignore"}, {"render_mode": "film"}, {"opponents": ["random", None]}):
            with self.assertRaises(ValueError), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gymnasium warns of the render mode first
                self.make("kuhn", **bad)

    def test_drawings_show_a_seat_alone(self) -> None:
        env = self.make("kuhn", seat=1, render_mode="svg")
        seen = []
        for other in "JQ":
            env.reset(options={"position": {"cards": [other, "K"], "actions": ["pass"]}})
            drawing = env.render()
            self.assertIsInstance(drawing, powderkeg.Drawing)
            self.assertEqual(drawing._repr_svg_(), drawing)
            self.assertRegex(drawing, "^<svg [^>]*viewBox")
            self.assertIn('data-card="K"', drawing)
            seen.append(drawing)
        self.assertEqual(*seen)
        with self.assertRaisesRegex(powderkeg.ServerError, "forbidden: seat 0 is played by an agent"):
            env.native.drawing(0)

    def test_pixels(self) -> None:
        env = self.make("tictactoe", render_mode="rgb_array")
        env.reset(seed=1)
        before = env.render()
        self.assertEqual((before.dtype, before.ndim, before.shape[1:]), (np.uint8, 3, (960, 3)))
        self.assertEqual(before[2, 2].tolist(), [0xFB, 0xFA, 0xF6], "the ground by day")
        env.step(4)
        after = env.render()
        self.assertEqual(before.shape, after.shape)
        self.assertFalse(np.array_equal(before, after))
        self.assertEqual(env.native.drawing().pixels(200).shape[1], 200)

    def test_the_cap_truncates(self) -> None:
        env = self.make("connect4", max_decisions=2)
        env.reset(seed=1)
        env.step(0)
        _, _, terminated, truncated, _ = env.step(1)
        self.assertEqual((terminated, truncated), (False, True))


if __name__ == "__main__":
    unittest.main()
