#!/usr/bin/env python3
"""Random legal play in a game of EnvPool's, many side by side, which has none of the games here: what a step costs in another
vectorised environment from Python, choosing among its legal actions included. A unit is a decision.

    powderkeg bench env --game connect4 --envs 1024 --workers 2 --beside 'python3 experiments/yardsticks/envpool_envs.py CartPole-v1'
"""

import argparse
import os

import envpool
import numpy as np

from contender import contend


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="an environment of EnvPool's")
    parser.add_argument("--envs", type=int, default=1024, help="games side by side")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads of EnvPool")
    args = parser.parse_args()
    env = envpool.make(args.game, env_type="gymnasium", num_envs=args.envs, num_threads=args.threads, seed=1)
    _, info = env.reset()
    rng = np.random.default_rng(1)
    weights = [rng.random((args.envs, env.action_space.n), dtype=np.float32) for _ in range(16)]
    last = [legal(info), 0]

    def step():
        mask, turn = last
        some = weights[turn % len(weights)]
        actions = (some if mask is None else some * mask).argmax(1).astype(np.int32)
        last[:] = legal(env.step(actions)[-1]), turn + 1
        return args.envs

    contend(f"EnvPool {envpool.__version__}", step)


def legal(info):
    """The mask of legal actions, None where every action is."""
    for key in ("legal_action_mask", "action_mask"):
        if key in info:
            return np.asarray(info[key])
    return None


if __name__ == "__main__":
    main()
