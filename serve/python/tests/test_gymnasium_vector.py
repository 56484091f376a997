"""The vectorised adapter for gymnasium."""

from __future__ import annotations

import shutil
import tempfile
import unittest
from typing import Any, List

import numpy as np

import powderkeg

import gymnasium
from gymnasium.vector import AutoresetMode

import powderkeg.gymnasium
from powderkeg.gymnasium_vector import VectorEnv

from . import served

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)


class VectorEnvTest(served.ServedTest):
    def vector(self, **options: Any) -> VectorEnv:
        envs = VectorEnv(client=self.client, **options)
        self.addCleanup(envs.close)
        return envs

    def test_the_checker_is_content(self) -> None:
        envs = gymnasium.make_vec("powderkeg/Leduc-v1", num_envs=3, client=self.client, vectorization_mode="vector_entry_point")
        self.addCleanup(envs.close)
        observations, infos = envs.reset(seed=1)
        self.assertTrue(envs.observation_space.contains(observations))
        self.assertTrue(envs.action_space.contains(envs.action_space.sample()))
        self.assertEqual(infos["action_mask"].dtype, np.int8)
        for _ in range(30):
            observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
            self.assertTrue(envs.observation_space.contains(observations))
            for array, dtype in ((rewards, np.float64), (terminated, np.bool_), (truncated, np.bool_)):
                self.assertEqual((array.shape, array.dtype), ((3,), dtype))

    def rollout(self, envs: VectorEnv, steps: int = 60) -> Any:
        """Plays at random and returns what was seen, and each slot's episodes' returns."""
        rng = np.random.default_rng(5)
        _, infos = envs.reset(seed=11)
        totals, returns, trace = np.zeros(envs.num_envs), [[] for _ in range(envs.num_envs)], []
        due = np.zeros(envs.num_envs, bool)
        for _ in range(steps):
            masks = infos["action_mask"].view(np.uint8)
            if envs.autoreset_mode == AutoresetMode.DISABLED and due.any():
                _, infos = envs.reset(options={"reset_mask": due})
                masks = infos["action_mask"].view(np.uint8)
            obs, rewards, terminated, truncated, infos = envs.step(powderkeg.random_actions(masks, rng))
            self.assertFalse(infos["illegal_action"].any())
            totals += rewards
            due = terminated | truncated
            for slot in np.flatnonzero(due):
                returns[slot].append(totals[slot])
                totals[slot] = 0
            trace.append((obs.copy(), rewards, terminated, truncated))
            if envs.autoreset_mode == AutoresetMode.SAME_STEP:
                self.assertEqual("final_obs" in infos, due.any())
                if due.any():
                    np.testing.assert_array_equal(infos["_final_obs"], due)
                    self.assertEqual([o is not None for o in infos["final_obs"]], due.tolist())
                    self.assertTrue(infos["final_info"]["action_mask"][due].all())
                    self.assertFalse(infos["final_info"]["action_mask"][~due].any())
            else:
                self.assertTrue(infos["action_mask"][due].all())
            self.assertTrue(infos["action_mask"].any(axis=1).all(), "a softmax over no action is no number")
            np.testing.assert_array_equal(envs.action_masks(), infos["action_mask"] == 1)
        return trace, returns

    def test_all_modes_play_whole_games_from_either_seat(self) -> None:
        for mode in MODES:
            for seat in (0, 1):
                with self.subTest(mode=mode, seat=seat):
                    envs = self.vector(game="kuhn", num_envs=16, seat=seat, autoreset_mode=mode)
                    self.assertEqual(envs.metadata["autoreset_mode"], mode)
                    _, returns = self.rollout(envs)
                    ended = [r for slot in returns for r in slot]
                    self.assertGreater(len(ended), 300)
                    self.assertEqual(set(ended), {-2.0, -1.0, 1.0, 2.0})

    def test_next_step_ignores_the_action_after_an_end(self) -> None:
        envs = self.vector(game="kuhn", num_envs=8)
        trace, _ = self.rollout(envs)
        after = 0
        for (_, _, ended, _), (_, rewards, terminated, _) in zip(trace, trace[1:]):
            self.assertFalse(rewards[ended].any() or terminated[ended].any())
            after += int(ended.sum())
        self.assertGreater(after, 50)

    def test_disabled_waits_for_its_reset(self) -> None:
        envs = self.vector(game="kuhn", num_envs=4, autoreset_mode=AutoresetMode.DISABLED)
        envs.reset(seed=1)
        ended = np.zeros(4, bool)
        while not ended.any():
            *_, ended, _, _ = envs.step(np.zeros(4, int))
        with self.assertRaisesRegex(powderkeg.Error, "reset_mask"):
            envs.step(np.zeros(4, int))

    def test_the_seed_decides_everything(self) -> None:
        checkpoint = powderkeg.weights.new(self.client.spec("leduc"), [8], seed=2)
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        powderkeg.weights.save(f"{folder}/c", checkpoint)
        for opponents in ("random", f"checkpoint:{folder}/c", powderkeg.Model(checkpoint)):
            with self.subTest(opponents=opponents):
                envs = self.vector(game="leduc", num_envs=6, opponents=opponents, seat=1)
                again = self.vector(game="leduc", num_envs=6, opponents=[opponents, None], seat=1)
                one, two, three = self.rollout(envs), self.rollout(envs), self.rollout(again)
                for other in (two, three):
                    self.assertEqual(one[1], other[1])
                    for a, b in zip(one[0], other[0]):
                        for x, y in zip(a, b):
                            np.testing.assert_array_equal(x, y)

    def test_every_observation_is_of_the_own_seat(self) -> None:
        spec = self.client.spec("kuhn")
        seat_of, card_of = spec.field("seat").slice, spec.field("card").slice
        for seat in range(2):
            for mode in MODES:
                with self.subTest(seat=seat, mode=mode):
                    envs = self.vector(game="kuhn", num_envs=16, seat=seat, autoreset_mode=mode)
                    trace, _ = self.rollout(envs, 30)
                    obs, infos = envs.reset(seed=3)
                    ends = 0
                    for _ in range(30):
                        cards = obs[:, card_of].copy()
                        actions = powderkeg.random_actions(infos["action_mask"].view(np.uint8), np.random.default_rng(1))
                        obs, _, terminated, _, infos = envs.step(actions)
                        self.assertTrue((obs[:, seat_of][:, seat] == 1).all())
                        for slot in np.flatnonzero(terminated):
                            last = infos["final_obs"][slot] if mode == AutoresetMode.SAME_STEP else obs[slot]
                            self.assertEqual(last[seat_of][seat], 1)
                            np.testing.assert_array_equal(last[card_of], cards[slot])
                            ends += 1
                        if mode == AutoresetMode.DISABLED and terminated.any():
                            obs, infos = envs.reset(options={"reset_mask": terminated})
                    self.assertGreater(ends, 50)

    def test_slots_are_seeded_one_by_one(self) -> None:
        envs = self.vector(game="leduc", num_envs=3)
        a, _ = envs.reset(seed=[1, 2, 1])
        b, _ = envs.reset(seed=[2, 1, 7])
        np.testing.assert_array_equal(a[0], a[2])
        np.testing.assert_array_equal(a[:2], b[1::-1])
        with self.assertRaisesRegex(ValueError, "2 seeds for 3 slots"):
            envs.reset(seed=[1, 2])

    def test_illegal_actions_are_treated_as_asked(self) -> None:
        envs = self.vector(game="tictactoe", num_envs=2)
        _, infos = envs.reset(seed=1)
        _, rewards, terminated, truncated, infos = envs.step([0, 99])
        self.assertEqual((rewards.tolist(), terminated.tolist(), truncated.any()), ([0, -1], [False, True], False))
        self.assertEqual(infos["illegal_action"].tolist(), [False, True])
        self.assertEqual(infos["executed_action"].tolist(), [0, -1])
        *_, terminated, _, infos = envs.step([int(infos["action_mask"][0].argmax()), 99])
        self.assertFalse(terminated.any() or infos["illegal_action"].any(), "slot 1 was to be reset, whatever its action")
        envs = self.vector(game="tictactoe", num_envs=2, illegal="random")
        _, infos = envs.reset(seed=1)
        *_, infos = envs.step([0, 99])
        self.assertEqual(infos["illegal_action"].tolist(), [False, True])
        self.assertEqual(infos["executed_action"][0], 0)
        self.assertIn(infos["executed_action"][1], range(9))
        with self.assertRaisesRegex(ValueError, "actions are float64"):
            envs.step([0.0, 1.0])
        envs = self.vector(game="tictactoe", num_envs=2, illegal="raise")
        envs.reset(seed=1)
        with self.assertRaisesRegex(ValueError, "slot 1: action -1 is not legal"):
            envs.step([0, -1])

    def test_the_cap_truncates(self) -> None:
        envs = self.vector(game="connect4", num_envs=2, max_decisions=2, autoreset_mode="SameStep")
        envs.reset(seed=1)
        *_, truncated, infos = envs.step([0, 1])
        self.assertFalse(truncated.any())
        _, _, terminated, truncated, infos = envs.step([2, 3])
        self.assertTrue(truncated.all() and not terminated.any())
        self.assertTrue(infos["final_info"]["action_mask"].any(axis=1).all(), "a truncated game has a decision left")
        *_, truncated, infos = envs.step([0, 1])
        self.assertFalse(truncated.any(), "the steps of the episode before are counted")

    def test_what_is_gained_before_the_first_decision_counts(self) -> None:
        # None of the games pays so early; what reset has kept back is set here.
        envs = self.vector(game="connect4", num_envs=2, opponents=first_legal)
        envs.reset(seed=1)
        envs._slots._carried[:] = [0.5, 0.25]
        self.assertEqual(envs.step([0, 0])[1].tolist(), [0.5, 0.25])
        self.assertEqual(envs.step([1, 1])[1].tolist(), [0, 0])
        env = gymnasium.make("powderkeg/Connect4-v1", client=self.client).unwrapped
        self.addCleanup(env.close)
        env.reset(seed=1)
        env._carried = 0.5
        self.assertEqual([env.step(0)[1], env.step(1)[1]], [0.5, 0])

    def test_agents_of_the_server_and_functions_play_alike(self) -> None:
        # With the king the second seat always bets.
        start = {"cards": ["Q", "K"], "actions": []}
        bets: Any = lambda observations, masks, rng: np.ones(len(masks), np.int32)
        for mode in MODES:
            for most, illegal in ((0, False), (1, False), (0, True)):
                with self.subTest(mode=mode, most=most, illegal=illegal):
                    traces = []
                    for opponents in ("scripted", bets):
                        envs = self.vector(
                            game="kuhn", num_envs=5, opponents=opponents, autoreset_mode=mode, position=start, max_decisions=most
                        )
                        traces.append(self.actions(envs, illegal))
                    for a, b in zip(*traces):
                        for x, y in zip(a, b):
                            np.testing.assert_array_equal(x, y)

    def actions(self, envs: VectorEnv, illegal: bool) -> Any:
        """Plays by a fixed rule and returns what was seen."""
        rng = np.random.default_rng(3)
        obs, infos = envs.reset(seed=2)
        trace = [(obs.copy(), infos["action_mask"].copy())]
        done = np.zeros(envs.num_envs, bool)
        for step in range(40):
            if envs.autoreset_mode == AutoresetMode.DISABLED and done.any():
                obs, infos = envs.reset(options={"reset_mask": done})
            actions = powderkeg.random_actions(infos["action_mask"].view(np.uint8), rng)
            if illegal and step % 3 == 0:
                actions[step % envs.num_envs] = 99
            obs, rewards, terminated, truncated, infos = envs.step(actions)
            done = terminated | truncated
            last = [o.copy() for o in infos.get("final_obs", []) if o is not None]
            trace.append((obs.copy(), rewards, terminated, truncated, infos["action_mask"].copy(), infos["executed_action"], *last))
        self.assertGreater(sum(t[2].sum() + t[3].sum() for t in trace[1:]), 30)
        return trace

    def test_every_kind_of_opponent_plays(self) -> None:
        for game, opponents, episodes in (
            ("leduc", "scripted", 15), ("leduc", "mcts(sims=5)", 15), ("leduc", ["scripted", None], 15),
            ("leduc", [first_legal, None], 15), ("jogu", "zoo:jogu", 0),
        ):  # fmt: skip
            with self.subTest(game=game, opponents=opponents):
                envs = VectorEnv(game, 4, opponents=opponents, seat=1, address=self.own())
                self.addCleanup(envs.close)
                _, returns = self.rollout(envs, 30)
                self.assertGreaterEqual(sum(map(len, returns)), episodes)
        mixed = VectorEnv("liars_dice", 4, opponents=["scripted", None, first_legal], seat=1, address=self.own(), players=3)
        self.addCleanup(mixed.close)
        self.assertGreater(sum(map(len, self.rollout(mixed, 30)[1])), 10)
        for opponents, wrong in ((["random"], "1 opponents; there are 2 seats"), ([None, None], r"opponents\[1\] is None"), (["random", None], "seat 0")):
            with self.assertRaisesRegex(ValueError, wrong):
                self.vector(game="kuhn", opponents=opponents)

    def own(self) -> str:
        """Returns the address of a server as start() makes it."""
        if not hasattr(type(self), "_own"):
            type(self)._own = powderkeg.start()
            self.addClassCleanup(type(self)._own.close)
        return type(self)._own.address

    def test_observations_can_be_dicts_and_written_to(self) -> None:
        for mode in MODES:
            envs = self.vector(game="kuhn", num_envs=4, observation="dict", autoreset_mode=mode)
            obs, infos = envs.reset(seed=1)
            ends = 0
            for _ in range(20):
                self.assertTrue(envs.observation_space.contains(obs), f"{obs} is outside of {envs.observation_space}")
                np.testing.assert_array_equal(obs["action_mask"], infos["action_mask"])
                before = powderkeg.random_actions(infos["action_mask"].view(np.uint8), np.random.default_rng(1))
                for array in (*obs.values(), infos["action_mask"]):
                    array[:] = 0  # nobody else's business
                obs, rewards, terminated, _, infos = envs.step(before)
                self.assertFalse(infos["illegal_action"].any())
                rewards += 1
                ends += terminated.sum()
                if mode == AutoresetMode.SAME_STEP:
                    for slot in np.flatnonzero(terminated):
                        self.assertTrue(envs.single_observation_space.contains(infos["final_obs"][slot]))
                if mode == AutoresetMode.DISABLED and terminated.any():
                    obs, infos = envs.reset(options={"reset_mask": terminated})
            self.assertGreater(ends, 5)

    def test_positions_begin_the_episodes(self) -> None:
        for opponents in ("random", first_legal):
            envs = self.vector(game="kuhn", num_envs=8, opponents=opponents, position={"cards": ["Q", "K"], "actions": []})
            obs, infos = envs.reset(seed=1)
            spec = envs.game_spec
            for _ in range(10):
                self.assertTrue((spec.view(obs, "card") == [0, 1, 0]).all())
                obs, *_, infos = envs.step(powderkeg.random_actions(infos["action_mask"].view(np.uint8), np.random.default_rng(1)))

    def test_a_seed_is_one_game_however_it_is_played(self) -> None:
        for game, opponent in (("leduc", "scripted"), ("liars_dice", "random")):
            shown: List[Any] = []
            with self.client.match(game, opponent, seed=5) as native:
                step = native.last
                shown.append([step.observation.tolist()])
                while not step.done:
                    step = native.step(int(step.legal[-1]))
                    shown[-1].append(step.observation.tolist())
            one = powderkeg.gymnasium.Env(game, opponents=opponent, client=self.client)
            obs, info = one.reset(seed=5)
            shown.append([obs.tolist()])
            ended = False
            while not ended:
                obs, _, ended, _, info = one.step(int(np.flatnonzero(info["action_mask"])[-1]))
                shown[-1].append(obs.tolist())
            envs = self.vector(game=game, num_envs=1, opponents=opponent)
            obs, infos = envs.reset(seed=[5])
            shown.append([obs[0].tolist()])
            ended = False
            while not ended:
                obs, _, terminated, _, infos = envs.step([int(np.flatnonzero(infos["action_mask"][0])[-1])])
                ended = bool(terminated[0])
                shown[-1].append(obs[0].tolist())
            self.assertEqual(shown[1], shown[0], game)
            self.assertEqual(shown[2], shown[0], game)

    def test_a_reset_of_no_slot_is_refused(self) -> None:
        envs = self.vector(game="kuhn", num_envs=3)
        for _ in range(2):
            with self.assertRaisesRegex(ValueError, "reset_mask is False throughout"):
                envs.reset(options={"reset_mask": np.zeros(3, np.bool_)})
            envs.reset(seed=1)

    def test_a_step_is_one_round_trip_and_none_in_the_process(self) -> None:
        envs = self.vector(game="leduc", num_envs=8, seat=1, max_decisions=3)
        _, infos = envs.reset(seed=1)
        calls: Any = []
        call = envs.native._client.call
        envs.native._client = type("Counted", (), {"call": lambda _, *a: (calls.append(a[0]), call(*a))[1], "closed": False})()
        for _ in range(30):
            *_, infos = envs.step(powderkeg.random_actions(infos["action_mask"].view(np.uint8), np.random.default_rng(1)))
        self.assertEqual(calls, ["vec.step"] * 30 if envs.native._bound is None else [])


def first_legal(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
    """The opponent that plays the first legal action."""
    return masks.argmax(axis=1).astype(np.int32)


if __name__ == "__main__":
    unittest.main()
