"""Steps many environments at once and collects what a learner would store.

    python vec_rollout.py [ADDRESS] [--game connect4] [--envs 256] [--steps 100] [--seed 0]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import powderkeg


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    rng = np.random.default_rng(o.seed)
    with powderkeg.connect(o.address) as client, client.make_vec(o.game, o.envs) as vec:
        observations = np.empty((o.steps, o.envs, vec.spec.observation_size), dtype=np.float32)
        returns, lengths = [], []
        begin = time.perf_counter()
        step = vec.reset(seed=o.seed)
        for t in range(o.steps):
            observations[t] = step.observations
            step = vec.step(powderkeg.random_actions(step.masks, rng))
            returns.append(step.returns)
            lengths.append(step.lengths)
        seconds = time.perf_counter() - begin
    gained, length = np.concatenate(returns), np.concatenate(lengths)
    print(f"{o.steps * o.envs} decisions, {o.steps * o.envs / seconds:.0f} a second; observations {observations.shape}")
    if len(length):
        print(f"{len(length)} episodes, {length.mean():.2f} decisions each, mean returns {gained.mean(axis=0).round(3).tolist()}")


if __name__ == "__main__":
    main()
