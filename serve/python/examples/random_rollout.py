"""Plays episodes at random and prints what each seat has gained.

    python random_rollout.py [ADDRESS] [--game leduc] [--episodes 3] [--seed 0]
"""

from __future__ import annotations

import argparse

import numpy as np

import powderkeg


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    rng = np.random.default_rng(o.seed)
    with powderkeg.connect(o.address) as client, client.make(o.game, seed=o.seed) as env:
        for episode in range(o.episodes):
            step = env.last if episode == 0 else env.reset()
            moves = []
            while not step.done:
                action = int(rng.choice(step.legal))
                moves.append(f"{step.actor}:{env.spec.actions[action]}")
                step = env.step(action)
            print(f"episode {episode}: {' '.join(moves)} -> returns {step.returns.tolist()}")


if __name__ == "__main__":
    main()
