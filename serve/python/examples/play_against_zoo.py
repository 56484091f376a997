"""Plays a whole game against a bot of the zoo, or any other agent of the server.

    python play_against_zoo.py [ADDRESS] [--game jogu] [--agent AGENT] [--seat 0] [--seed 0] [--human]

The agent is zoo:GAME unless you name another, such as random, scripted or
"mcts(sims=400)"; a wrong zoo:NAME is answered with the names that there are.
Without --human the moves of your seat are random; with it you type them.
"""

from __future__ import annotations

import argparse

import numpy as np

import powderkeg


def ask(env: powderkeg.Env) -> str:
    """Lets a person choose a legal action."""
    legal = env.legal()
    for action in legal:
        print(f"  {action.name:16} {action.description}")
    names = {action.name for action in legal}
    while True:
        name = input("your move: ").strip()
        if name in names:
            return name
        print("not one of these")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default="jogu")
    parser.add_argument("--agent", help="agent string; zoo:GAME without one")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--human", action="store_true")
    o = parser.parse_args()
    rng = np.random.default_rng(o.seed)
    agent = o.agent or "zoo:" + o.game.partition("(")[0]
    with powderkeg.connect(o.address) as client, client.match(o.game, agent, seat=o.seat, seed=o.seed) as env:
        step = env.last
        while not step.done:
            print(env.text())
            move = ask(env) if o.human else env.spec.actions[rng.choice(step.legal)]
            print(f"seat {step.actor} plays {move}\n")
            step = env.step(move)
        print(env.text())
        print(f"over after {step.decisions} decisions: you gain {step.returns[o.seat]:g}")


if __name__ == "__main__":
    try:
        main()
    except powderkeg.Error as error:
        raise SystemExit(f"play_against_zoo: {error}") from None
