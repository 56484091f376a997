"""Information-set Monte-Carlo tree search in plain Python, on clones and redealt worlds.

    python ismcts.py [ADDRESS] [--game leduc] [--games 50] [--sims 200] [--seed 0]

Each simulation takes a copy of the game, deals what the searcher's seat does not know anew, and
descends a tree whose nodes are what the acting seat observes, so that worlds which it cannot tell
apart share a node (P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree
Search", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012). It searches for
one seat, another one in each game; the others play at random. It plays every game.
"""

from __future__ import annotations

import argparse
import math
import random
from typing import Dict, List, Tuple

import powderkeg
from powderkeg import Env, Step

#: What the seat to act observes.
Key = Tuple[int, bytes]


class Node:
    """What has come of the actions at a decision."""

    def __init__(self) -> None:
        self.visits: Dict[int, int] = {}
        self.gains: Dict[int, float] = {}  # of the seat to act, summed
        self.open: Dict[int, int] = {}  # how often the action could be taken: not in every world

    def choose(self, legal: List[int], explore: float, rng: random.Random) -> int:
        """Returns an action that was never tried, or the one with the highest upper bound."""
        fresh = [a for a in legal if a not in self.visits]
        for action in legal:
            self.open[action] = self.open.get(action, 0) + 1
        if fresh:
            return rng.choice(fresh)

        def bound(action: int) -> float:
            n = self.visits[action]
            return self.gains[action] / n + explore * math.sqrt(math.log(self.open[action]) / n)

        return max(legal, key=bound)

    def learn(self, action: int, gain: float) -> None:
        self.visits[action] = self.visits.get(action, 0) + 1
        self.gains[action] = self.gains.get(action, 0.0) + gain


def key_of(step: Step) -> Key:
    return step.actor, step.observation.tobytes()


def simulate(env: Env, nodes: Dict[Key, Node], explore: float, rng: random.Random) -> None:
    """Plays one simulation in a world of the observer's and learns from its end."""
    with env.clone() as world:
        step = world.redeal(rng.getrandbits(63), env.last.observer)
        path: List[Tuple[Node, int, int]] = []
        while not step.done and (not path or path[-1][0].visits.get(path[-1][2])):
            node = nodes.setdefault(key_of(step), Node())
            action = node.choose(step.legal.tolist(), explore, rng)
            path.append((node, step.actor, action))
            step = world.step(action)
        while not step.done:  # a new leaf: on at random
            step = world.step(rng.choice(step.legal.tolist()))
        gains = step.returns.tolist()
    for node, actor, action in path:
        node.learn(action, gains[actor])


def search(env: Env, sims: int, rng: random.Random) -> int:
    """Returns the action that was tried most often."""
    legal: List[int] = env.last.legal.tolist()
    if len(legal) == 1:
        return legal[0]
    nodes: Dict[Key, Node] = {}
    explore = 0.7 * (env.spec.max_return - env.spec.min_return)  # of UCB1, half of what is usual for gains from 0 to 1
    for _ in range(sims):
        simulate(env, nodes, explore, rng)
    visits = nodes[key_of(env.last)].visits
    return max(legal, key=lambda action: visits.get(action, 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; without one the games are played in this process")
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--sims", type=int, default=200, help="simulations per decision")
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    rng = random.Random(o.seed)
    gains = []
    with powderkeg.connect(o.address) as client, client.make(o.game) as env:
        for game in range(o.games):
            seat = game % env.spec.seats
            step = env.reset(o.seed + game)
            while not step.done:
                step = env.step(search(env, o.sims, rng) if step.actor == seat else rng.choice(step.legal.tolist()))
            gains.append(float(step.returns[seat]))
    mean = sum(gains) / len(gains)
    error = math.sqrt(sum((g - mean) ** 2 for g in gains) / max(1, len(gains) - 1) / len(gains))
    gained = f"{mean:+.2f} ± {error:.2f} per game against random play, in {o.games} games"
    print(f"{o.game}: with {o.sims} simulations per decision the searcher gains {gained}")


if __name__ == "__main__":
    main()
