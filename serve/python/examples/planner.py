"""Plans for one player: every action is tried out in copies of the game, to its end.

    python planner.py [--game leduc] [--agent scripted] [--seat 0] [--games 40] [--worlds 20] [--seed 0]

The agent on the other seats is part of the environment, so that one seat has a one-player problem,
for which this is the simplest planner that works: play the action with the best mean result over
some worlds, in which the rest is played at random. The same worlds are used for each action, so
that luck counts for less. Copies of the game alone would plan with the cards that others hold and
with the dice to come; worlds that are dealt anew for the seat know what it knows.

It plays in this process, where games against agents can be copied.
"""

from __future__ import annotations

import argparse
import random
from typing import List

import powderkeg
from powderkeg import Env


def outcome(env: Env, action: int, seed: int, seat: int, rng: random.Random) -> float:
    """Returns what the seat gains in a world after an action."""
    with env.clone() as world:
        world.redeal(seed, seat)
        step = world.step(action)
        while not step.done:
            step = world.step(rng.choice(step.legal.tolist()))
        return float(step.returns[seat])


def plan(env: Env, seat: int, worlds: int, rng: random.Random) -> int:
    """Returns the best action by its mean outcome."""
    legal: List[int] = env.last.legal.tolist()
    if len(legal) == 1:
        return legal[0]
    seeds = [rng.getrandbits(63) for _ in range(worlds)]
    return max(legal, key=lambda action: sum(outcome(env, action, seed, seat, random.Random(seed)) for seed in seeds))


def play(env: Env, seed: int, seat: int, worlds: int) -> float:
    """Plays an episode and returns what the seat gains; without worlds at random."""
    rng = random.Random(seed)
    step = env.reset(seed)
    while not step.done:
        step = env.step(plan(env, seat, worlds, rng) if worlds else rng.choice(step.legal.tolist()))
    return float(step.returns[seat])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--agent", default="scripted", help="who plays the other seats")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--worlds", type=int, default=20, help="worlds in which each action is tried")
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    with powderkeg.connect("process") as client, client.match(o.game, o.agent, seat=o.seat) as env:
        for name, worlds in ("random play", 0), (f"the planner with {o.worlds} worlds", o.worlds):
            gains = [play(env, o.seed + game, o.seat, worlds) for game in range(o.games)]
            print(f"{o.game}, seat {o.seat} against {o.agent}: {name} gains {sum(gains) / o.games:+.2f} per game in {o.games} games")


if __name__ == "__main__":
    main()
