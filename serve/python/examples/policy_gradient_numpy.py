"""Learns to beat the random player with REINFORCE in NumPy, in less than a minute.

    python policy_gradient_numpy.py [ADDRESS] [--game tictactoe] [--updates 300] [--seed 0] [--save FOLDER]

The learner plays a seat of many games at once, each seat in as many games as any other,
and the random player the others. With --save it leaves a checkpoint that `powderkeg match tictactoe checkpoint:FOLDER random`
accepts.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Dict, List, Tuple

import numpy as np

import powderkeg
from powderkeg import model, weights

Batch = Tuple[Any, Any, Any, Any]


class Learner:
    """A network with one hidden layer, its gradient written out, and Adam."""

    def __init__(self, checkpoint: powderkeg.Checkpoint, rate: float) -> None:
        self.w = {name: w.copy() for name, w in checkpoint.weights.items()}
        self.checkpoint, self.rate, self.steps = checkpoint, rate, 0
        self.first = {name: np.zeros_like(w) for name, w in self.w.items()}
        self.second = {name: np.zeros_like(w) for name, w in self.w.items()}

    @property
    def player(self) -> powderkeg.Model:
        """The network as it is now."""
        return powderkeg.Model(self.checkpoint.with_weights(self.w))

    def gradient(self, obs: Any, masks: Any, actions: Any, returns: Any) -> Dict[str, Any]:
        """Returns the gradient of -advantage × log π(action) + (value - return)² / 2.

        obs [n, D], masks [n, A], actions [n], returns [n, P] with the actor's first.
        """
        w, n = self.w, len(actions)
        h = np.maximum(obs @ w["torso.0.weight"].T + w["torso.0.bias"], 0)
        p = model.softmax(h @ w["policy.weight"].T + w["policy.bias"], masks)
        values = h @ w["value.weight"].T + w["value.bias"]
        advantage = returns[:, 0] - values[:, 0]
        # d(-log p[a])/dz = p - onehot(a): the masked softmax keeps illegal actions at 0.
        dz = p.copy()
        dz[np.arange(n), actions] -= 1
        dz *= advantage[:, None] / n
        dv = (values - returns) / n
        dh = (dz @ w["policy.weight"] + dv @ w["value.weight"]) * (h > 0)
        return {
            "policy.weight": dz.T @ h, "policy.bias": dz.sum(axis=0),
            "value.weight": dv.T @ h, "value.bias": dv.sum(axis=0),
            "torso.0.weight": dh.T @ obs, "torso.0.bias": dh.sum(axis=0),
        }  # fmt: skip

    def update(self, batch: Batch) -> None:
        """Takes one step of Adam."""
        self.steps += 1
        for name, g in self.gradient(*batch).items():
            self.first[name] += 0.1 * (g - self.first[name])
            self.second[name] += 0.001 * (g * g - self.second[name])
            first = self.first[name] / (1 - 0.9**self.steps)
            second = self.second[name] / (1 - 0.999**self.steps)
            self.w[name] -= (self.rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)


class Games:
    """Many games in which a seat is the learner's and the others play at random."""

    def __init__(self, vec: powderkeg.VecEnv, seed: int) -> None:
        self.vec, self.rng = vec, np.random.default_rng(seed)
        self.step = vec.reset(seed=seed)
        self.open: List[List[Tuple[Any, Any, int]]] = [[] for _ in range(vec.envs)]
        self.seats = np.arange(vec.envs) % vec.spec.seats  # the learner's, by game
        self.scale = max(abs(vec.spec.min_return), abs(vec.spec.max_return))

    def collect(self, player: powderkeg.Model, decisions: int) -> Tuple[Batch, Any]:
        """Plays until ended games have so many decisions of the learner's. Returns them
        with the returns that they led to, and the learner's return in each game."""
        done: List[Tuple[Any, Any, int]] = []
        returns: List[Any] = []
        scores: List[float] = []
        while len(done) < decisions:
            step = self.step
            actions = powderkeg.random_actions(step.masks, self.rng)
            mine = np.flatnonzero(step.actors == self.seats)
            if len(mine):
                actions[mine] = player(step.observations[mine], step.masks[mine], self.rng)
            for slot in mine:
                self.open[slot].append((step.observations[slot], step.masks[slot], actions[slot]))
            self.step = self.vec.step(actions)
            for slot, gained in zip(self.step.ended, self.step.returns):
                done += self.open[slot]
                from_actor = np.roll(gained, -self.seats[slot])  # the learner's first
                returns += [from_actor / self.scale] * len(self.open[slot])
                scores.append(float(from_actor[0]))
                self.open[slot] = []
        obs, masks, chosen = (np.array(column) for column in zip(*done))
        return (obs, masks, chosen, np.array(returns, dtype=np.float32)), np.array(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--batch", type=int, default=2048, help="decisions per update")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="folder of the checkpoint to write")
    o = parser.parse_args()
    with powderkeg.connect(o.address) as client, client.make_vec(o.game, o.envs) as vec:
        learner = Learner(weights.new(vec.spec, [o.hidden], seed=o.seed), o.rate)
        games, begin = Games(vec, o.seed), time.perf_counter()
        for update in range(o.updates + 1):
            batch, scores = games.collect(learner.player, o.batch)
            if update % max(o.updates // 10, 1) == 0:
                seconds = time.perf_counter() - begin
                print(f"update {update:4}: mean return {scores.mean():+.3f} in {len(scores)} games, {seconds:.1f} s")
            learner.update(batch)
        print(f"mean return at the end: {scores.mean():+.3f}")
        if o.save:
            weights.save(o.save, learner.player.checkpoint)
            print(f"try it: powderkeg match {vec.spec.game} checkpoint:{o.save} random")


if __name__ == "__main__":
    main()
