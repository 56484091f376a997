"""States are values: copied, written down, dealt anew, over either transport."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import unittest
from typing import Any, Callable, List, Sequence

import numpy as np

import powderkeg
import powderkeg.gymnasium
import powderkeg.pettingzoo
from powderkeg import Env, VecEnv
from powderkeg.gymnasium_vector import VectorEnv
from powderkeg.inprocess import ADDRESS as PROCESS

from . import served

#: How a copy is come by.
COPIES: List[Callable[[Any], Any]] = [copy.deepcopy, copy.copy, lambda env: pickle.loads(pickle.dumps(env))]


def shown(step: Any) -> List[Any]:
    """What a step shows, to be compared."""
    return [v.tolist() if isinstance(v, np.ndarray) else v for v in step]


def play(env: Env, steps: int, seed: int = 0) -> List[Any]:
    """Plays at random, the same moves for the same seed, and returns what was shown."""
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        seen.append(shown(env.last))
        if env.last.done:
            env.reset()
        else:
            env.step(int(rng.choice(env.last.legal)))
    return seen


def in_child(data: bytes) -> List[Any]:
    """What an environment that was pickled plays in another process."""
    return play(pickle.loads(data), 20)


def chosen(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
    """A policy that plays here."""
    return powderkeg.random_actions(masks, rng)


class EnvTest(served.ServedTest):
    def make(self, game: str, **options: Any) -> Env:
        env = self.client.make(game, **options)
        self.addCleanup(env.close)
        return env

    def test_copies_go_on_alike(self) -> None:
        for game in ("tictactoe", "leduc", "jogu", "bloc", "insurgency", "minuteman"):
            for arrays in (True, False):
                env = self.make(game, seed=3, max_decisions=40, copy=arrays)
                for moment in range(4):
                    play(env, 11, moment)
                    text, seed = env.snapshot(), env.seed
                    ways: List[Callable[[Any], Any]] = [Env.clone, Env.clone, *COPIES]
                    futures = []
                    for way in ways:
                        other = way(env)
                        self.assertEqual((other.seed, other.spec.game, shown(other.last)), (seed, env.spec.game, shown(env.last)))
                        futures.append(play(other, 30, 9))
                        other.close()
                    restored = self.make(game, max_decisions=40)
                    self.assertEqual(shown(restored.restore(text)), shown(env.last))
                    self.assertEqual(restored.seed, seed)
                    futures.append(play(restored, 30, 9))
                    for future in futures[1:]:
                        self.assertEqual(future, futures[0], game)
                    self.assertEqual(env.snapshot(), text, "the original has moved")

    def test_children_are_clones_that_have_moved(self) -> None:
        env = self.make("leduc", seed=1)
        want = []
        for action in env.last.legal:
            with env.clone() as clone:
                want.append(shown(clone.step(int(action))))
        for _ in range(2):
            children = [env.child(int(action)) for action in env.last.legal]
            self.assertEqual([shown(child.last) for child in children], want)
            for child in children:
                child.close()
        self.assertEqual(shown(env.child("call").last), want[0])
        for _ in range(2):
            with self.assertRaises(powderkeg.ServerError) as refused:
                env.child(0)  # without a bet nobody folds
            self.assertEqual(refused.exception.code, "illegal")
        self.assertEqual(play(env.clone(), 20), play(env.clone(), 20))

    def test_closed_copies_stay_closed(self) -> None:
        env = self.make("kuhn", seed=1)
        first = env.clone()
        seen = shown(first.last)
        first.close()
        second = env.clone()  # in the same place
        second.step("bet")
        self.assertEqual(shown(first.last), seen)
        with self.assertRaises(powderkeg.ServerError) as refused:
            first.step("bet")
        self.assertEqual(refused.exception.code, "handle")
        first.close()
        third = env.clone()
        self.assertEqual((second.last.decisions, third.last.decisions), (1, 0))

    def test_many_copies_live_at_once(self) -> None:
        env = self.make("leduc", seed=1)
        for _ in range(3):
            copies = [env.clone() for _ in range(400)]
            for i, clone in enumerate(copies):
                clone.reset(i)
            self.assertGreater(len({str(shown(clone.last)) for clone in copies}), 1)
            for i, clone in enumerate(copies):
                self.assertEqual(clone.seed, i)
            del copies, clone
        limit = self.client.welcome["limits"]["environments"]
        for _ in range(limit + 10 if limit < 5000 else 300):
            env.clone()  # and dropped

    def test_a_game_goes_on_in_another_process(self) -> None:
        env = self.make("jogu", seed=4)
        play(env, 12)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            theirs = pool.apply(in_child, (pickle.dumps(env),))
        self.assertEqual(theirs, play(env, 20))

    def test_snapshots_that_are_none_are_refused(self) -> None:
        env = self.make("leduc", seed=1)
        text = env.snapshot()
        self.assertTrue(text.startswith(b"powderkeg snapshot 1 "))
        for bad, words in (
            (b"", "these 0 bytes are none"), (text[:-1], "damaged"), (b"\xff" * 50, "none"),
            (self.make("kuhn").snapshot(), 'of the game "kuhn", this is leduc'), (text.replace(b"snapshot 1", b"snapshot 9"), "its format is 9"),
        ):  # fmt: skip
            with self.assertRaisesRegex(powderkeg.ServerError, words) as refused:
                env.restore(bad)
            self.assertEqual(refused.exception.code, "position")
        with self.assertRaisesRegex(TypeError, "a snapshot is bytes, not str"):
            env.restore(text.decode())  # type: ignore[arg-type]
        self.assertEqual(env.snapshot(), text)

    def test_redealt_worlds_follow_from_the_view(self) -> None:
        # Two games of Leduc that seat 0 cannot tell apart, come to by different luck.
        one = self.make("leduc", seed=1, position={"cards": ["Js", "Kh"], "round1": ["call"]})
        two = self.make("leduc", seed=2, position={"cards": ["Js", "Qs"], "round1": ["call"]})
        other = set()
        for seed in range(40):
            a, b = one.clone(), two.clone()
            for env in (a, b):
                step = env.redeal(seed, seat=0)
                self.assertEqual((step.decisions, env.seed), (0, seed))
            self.assertEqual(a.position().hash, b.position().hash)
            self.assertEqual(play(a, 3, seed)[:2], play(b, 3, seed)[:2])
            other.add(a.view(1)["cards"][1])
            a.close()
            b.close()
        self.assertEqual(other, {"Jh", "Qs", "Qh", "Ks", "Kh"})
        one.redeal()
        with self.assertRaises(powderkeg.ServerError):
            one.redeal(1, seat=5)
        ended = self.make("tictactoe", position={"board": ["xxx", "oo.", "..."]})
        with self.assertRaisesRegex(powderkeg.ServerError, "has ended"):
            ended.redeal(1)

    def test_games_against_agents_are_copied_in_this_process_alone(self) -> None:
        env = self.client.match("leduc", "random", seed=5)
        self.addCleanup(env.close)
        if self.client.address == PROCESS:
            futures = [play(way(env), 40) for way in COPIES]
            self.assertEqual(futures, [play(env, 40)] * len(COPIES))
            return
        for call in (env.clone, env.snapshot, env.redeal, lambda: copy.deepcopy(env), lambda: pickle.dumps(env), lambda: env.child("call")):
            with self.assertRaisesRegex(powderkeg.ServerError, "a copy would tell what the agents") as refused:
                call()
            self.assertEqual(refused.exception.code, "forbidden")


class VecEnvTest(served.ServedTest):
    def make(self, **options: Any) -> VecEnv:
        vec = self.client.make_vec("leduc", 6, autoreset="next-step", **options)
        self.addCleanup(vec.close)
        return vec

    def drive(self, vec: VecEnv, masks: Any, steps: int) -> List[Any]:
        rng, seen = np.random.default_rng(1), []
        for _ in range(steps):
            step = vec.step(powderkeg.random_actions(masks, rng))
            seen.append(shown(step))
            masks = step.masks
        return seen

    def test_copies_go_on_alike(self) -> None:
        for arrays in (True, False):
            vec = self.make(copy=arrays)
            fresh = copy.deepcopy(vec)
            self.assertIsNone(fresh.seed)
            self.assertEqual(shown(fresh.reset(3)), shown(vec.reset(3)))
            self.drive(vec, vec.reset_slots([], []).masks.copy(), 9)
            masks = vec.reset_slots([], []).masks.copy()
            futures = []
            for way in COPIES:
                other = way(vec)
                self.assertEqual((other.seed, other.envs, other.autoreset), (3, 6, "next-step"))
                futures.append(self.drive(other, masks, 30))
                other.close()
            futures.append(self.drive(vec, masks, 30))
            for future in futures[1:]:
                self.assertEqual(future, futures[0])

    def test_forks_and_snapshots_of_slots(self) -> None:
        vec = self.make()
        vec.reset(3)
        step = vec.fork(1, [0, 4])
        for slot in (0, 4):
            self.assertEqual(step.observations[slot].tolist(), step.observations[1].tolist())
        text = vec.snapshot(1)
        row = vec.restore(5, text)
        self.assertEqual((row.slots.tolist(), row.observations[0].tolist()), ([5], step.observations[1].tolist()))
        rng = np.random.default_rng(2)
        masks = vec.reset_slots([], []).masks
        for _ in range(40):
            actions = powderkeg.random_actions(masks, rng)
            actions[[0, 4, 5]] = actions[1]
            step = vec.step(actions)
            masks = step.masks
            for slot in (0, 4, 5):
                for array in (step.observations, step.rewards, step.terminated):
                    self.assertEqual(array[slot].tolist(), array[1].tolist())
        env = self.client.make("leduc")
        self.addCleanup(env.close)
        self.assertEqual(env.restore(text).observation.tolist(), row.observations[0].tolist())
        with self.assertRaisesRegex(powderkeg.ServerError, "slot 6; vec [0-9]+ has slots 0 to 5"):
            vec.fork(6, [0])
        with self.assertRaises(powderkeg.ServerError):
            vec.fork(0, [6])


class AdaptersTest(served.ServedTest):
    """The classes for Gymnasium and PettingZoo."""

    def alike(self, env: Any, play: Callable[[Any], Any], ways: Sequence[Callable[[Any], Any]] = COPIES) -> None:
        """Compares what copies and the original go on to, itself last."""
        copies = [way(env) for way in ways]
        futures = [play(each) for each in (*copies, env)]
        for future in futures[1:]:
            self.assertEqual(future, futures[0])
        for each in copies:
            each.close()

    def test_one_player_of_gymnasium(self) -> None:
        def play(env: Any) -> Any:
            seen = []
            for _ in range(60):
                action = env.action_space.sample(env.action_masks().astype(np.int8))
                observation, *rest, info = env.step(action)
                seen.append((observation.tolist(), rest, info["action_mask"].tolist(), info["executed_action"]))
                if rest[1] or rest[2]:
                    seen.append(env.reset()[0].tolist())
            return seen

        env = powderkeg.gymnasium.Env("jogu", opponents="random", illegal="random", client=self.client)
        self.addCleanup(env.close)
        env.reset(seed=3)
        env.action_space.seed(4)
        env.step(env.action_space.sample(env.action_masks().astype(np.int8)))
        if self.client.address == PROCESS:
            self.alike(env, play)
            return
        for way in COPIES:
            with self.assertRaisesRegex(powderkeg.ServerError, "a copy would tell what the agents"):
                way(env)

    def test_many_games_of_gymnasium(self) -> None:
        def play(envs: VectorEnv) -> Any:
            seen = []
            for _ in range(40):
                actions = envs.action_space.sample()
                observations, *rest, infos = envs.step(actions)
                seen.append((observations.tolist(), [r.tolist() for r in rest], infos["action_mask"].tolist(), infos["executed_action"].tolist()))
            return seen

        hosted = VectorEnv("leduc", 5, opponents=chosen, client=self.client)
        served = VectorEnv("leduc", 5, opponents="random", illegal="random", autoreset_mode="SameStep", client=self.client)
        for envs in (hosted, served):
            self.addCleanup(envs.close)
            envs.reset(seed=3)
            envs.action_space.seed(4)
            if envs is served and self.client.address != PROCESS:
                with self.assertRaisesRegex(powderkeg.ServerError, "a copy would tell what the agents"):
                    copy.deepcopy(envs)
                continue
            play(envs)
            self.alike(envs, play)
            observations, infos = envs.fork(1, [0, 3])
            self.assertEqual(observations[0].tolist(), observations[1].tolist())
            self.assertEqual(infos["action_mask"][3].tolist(), infos["action_mask"][1].tolist())
            play(envs)

    def test_pettingzoo(self) -> None:
        def play(env: Any) -> Any:
            seen = []
            for agent in env.agent_iter(60):
                observation, reward, termination, truncation, _ = env.last()
                done = termination or truncation
                seen.append((agent, observation["observation"].tolist(), reward, termination, truncation))
                env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
                if not env.agents:
                    env.reset()
            return seen

        for make in (powderkeg.pettingzoo.raw_env, powderkeg.pettingzoo.env):
            env = make("leduc", client=self.client)
            self.addCleanup(env.close)
            env.reset(seed=3)
            for i, agent in enumerate(env.possible_agents):
                env.action_space(agent).seed(i)
            env.step(1)
            # copy.copy of PettingZoo's own wrappers is a wrapper around the same environment.
            self.alike(env, play, [way for way in COPIES if env is env.unwrapped or way is not copy.copy])

    def test_pettingzoo_in_parallel(self) -> None:
        def play(env: Any) -> Any:
            seen = []
            for _ in range(50):
                if not env.agents:
                    env.reset()
                observations, rewards, *ends, _ = env.step({a: env.action_space(a).sample() for a in env.agents})
                seen.append(([o["observation"].tolist() for o in observations.values()], rewards, ends))
            return seen

        env = powderkeg.pettingzoo.parallel_env("jogu", client=self.client)
        self.addCleanup(env.close)
        env.reset(seed=3)
        for i, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(i)
        self.alike(env, play)


if __name__ == "__main__":
    unittest.main()
