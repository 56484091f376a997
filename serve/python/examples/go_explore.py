"""Go-Explore: remember where you have been, go back there, and explore from there.

    python go_explore.py [--game connect4] [--agent scripted] [--decisions 5000] [--seed 0]

Random play never wins some games, so that a learner sees no reward to learn from. Go-Explore keeps
an archive of cells, situations that look alike, with a snapshot of the game in each. Again and
again it restores one, of those that were seen least, and plays on at random from there; what is new,
or comes to a known cell with fewer decisions, goes into the archive (A. Ecoffet and others, "First
return, then explore", Nature 590, 2021). A snapshot holds the luck to come and what the agent on
the other seats remembers, so that the line that is found wins again when it is played again.

It plays in this process, where games against agents can be copied. Random play with as many
decisions is shown beside it.
"""

from __future__ import annotations

import argparse
import random
from typing import Dict, List, NamedTuple, Tuple

import powderkeg
from powderkeg import Env, Step

#: The best gain so far, the actions that lead to it, and the decisions that it took to find them.
Found = Tuple[float, List[int], int]


class Cell(NamedTuple):
    """Where an archive can go back to."""

    snapshot: bytes
    actions: List[int]  # that lead there


def cell_of(step: Step) -> bytes:
    """What makes a cell: the observation, roughly."""
    return bytes((step.observation * 4).round().astype("i1"))


def go_explore(env: Env, seat: int, decisions: int, steps: int, rng: random.Random) -> Tuple[Found, int]:
    """Explores for so many decisions, in runs of so many steps. Returns what was found and the
    number of cells."""
    start = cell_of(env.last)
    archive: Dict[bytes, Cell] = {start: Cell(env.snapshot(), [])}
    seen: Dict[bytes, int] = {start: 1}
    best: Found = (-float("inf"), [], 0)
    keys, made = [start], 0
    while made < decisions:
        # A few are drawn, and the one that was seen least is gone back to.
        key = min(rng.choices(keys, k=8), key=lambda k: seen[k])
        seen[key] += 1
        actions = list(archive[key].actions)
        step = env.restore(archive[key].snapshot)
        for _ in range(steps):
            action = rng.choice(step.legal.tolist())
            step = env.step(action)
            actions.append(action)
            made += 1
            if step.done:
                break
            cell = cell_of(step)
            seen[cell] = seen.get(cell, 0) + 1
            if cell not in archive:
                keys.append(cell)
            if cell not in archive or len(actions) < len(archive[cell].actions):
                archive[cell] = Cell(env.snapshot(), list(actions))
        if step.done and float(step.returns[seat]) > best[0]:
            best = float(step.returns[seat]), actions, made
    return best, len(archive)


def at_random(env: Env, seat: int, seed: int, decisions: int, rng: random.Random) -> Found:
    """Plays whole episodes of the same seed at random for so many decisions."""
    best: Found = (-float("inf"), [], 0)
    made = 0
    while made < decisions:
        step, actions = env.reset(seed), []
        while not step.done:
            actions.append(rng.choice(step.legal.tolist()))
            step = env.step(actions[-1])
        made += len(actions)
        if float(step.returns[seat]) > best[0]:
            best = float(step.returns[seat]), actions, made
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--agent", default="scripted", help="who plays the other seats")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--decisions", type=int, default=5000)
    parser.add_argument("--steps", type=int, default=10, help="decisions after which it goes back")
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    with powderkeg.connect("process") as client, client.match(o.game, o.agent, seat=o.seat, seed=o.seed) as env:
        gain, _, made = at_random(env, o.seat, o.seed, o.decisions, random.Random(o.seed))
        print(f"{o.game}, seat {o.seat} against {o.agent}: random play gains {gain:+g} at best, after {made} decisions")
        env.reset(o.seed)
        (gain, actions, made), cells = go_explore(env, o.seat, o.decisions, o.steps, random.Random(o.seed))
        print(f"Go-Explore gains {gain:+g} at best, after {made} decisions of {o.decisions}, with {cells} cells")
        step = env.reset(o.seed)
        for action in actions:
            step = env.step(action)
        print(f"played again: {' '.join(env.spec.actions[a] for a in actions)} -> {step.returns[o.seat]:+g}")


if __name__ == "__main__":
    main()
