#!/usr/bin/env python3
"""Random legal play of many games of Pgx's side by side, jitted, on the processor, each with its observation:
the work of `powderkeg bench env --envs 1024 --workers 2`. A unit is a decision.

    powderkeg bench env --game connect4 --envs 1024 --workers 2 --beside 'python3 experiments/yardsticks/pgx_envs.py connect_four'
"""

import argparse

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from contender import contend

STEPS = 64


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game of Pgx's, such as kuhn_poker, leduc_holdem, tic_tac_toe or connect_four")
    parser.add_argument("--envs", type=int, default=1024, help="games side by side")
    args = parser.parse_args()
    env = pgx.make(args.game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def decide(carry, _):
        state, key, seen = carry
        key, choice, chance = jax.random.split(key, 3)
        action = jax.random.categorical(choice, jnp.where(state.legal_action_mask, 0.0, -1e9), axis=-1)
        seen += state.observation.astype(jnp.float32).sum()  # an observation that nobody reads would not be computed
        return (step(state, action, jax.random.split(chance, args.envs)), key, seen), None

    @jax.jit
    def play(state, key):
        (state, key, seen), _ = jax.lax.scan(decide, (state, key, 0.0), None, length=STEPS)
        return state, key, seen

    games = [(jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), args.envs)), jax.random.PRNGKey(1))]

    def some():
        state, key, seen = play(*games[0])
        jax.block_until_ready(seen)
        games[0] = state, key
        return STEPS * args.envs

    contend(f"Pgx {pgx.__version__}", some)


if __name__ == "__main__":
    main()
