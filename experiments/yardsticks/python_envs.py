#!/usr/bin/env python3
"""Steps a second of random legal play in Python: Powderkeg beside OpenSpiel, PettingZoo,
RLCard and Gymnasium's own, in games that they have in common.

A step is what a learner needs at each decision: the observation as an array, the legal
actions, an action, the rewards; games follow one another. The contenders of a game take
turns for a second each, so that what else the machine does weighs on all, and the median
of the rounds is printed with the least and the most. Powderkeg plays in a server of its
own, through a socket; its vectorised environment steps many games in one message.

    pip install powderkeg[pettingzoo] open_spiel rlcard pettingzoo pygame chess
    python experiments/yardsticks/python_envs.py [--rounds 5] [--seconds 1] [--json]

Whatever is not installed is left out, and named.
"""

import argparse
import json
import statistics
import sys
import time

import numpy as np

import powderkeg
import powderkeg.pettingzoo

RNG = np.random.default_rng(1)
ENVS = 1024


def native(client, game):
    """Powderkeg, one game: a round trip a step."""
    env = client.make(game, seed=1)

    def step():
        last = env.last
        if last.done:
            env.reset()
        else:
            env.step(int(RNG.choice(last.legal)))
        return 1

    return step


def vectorised(client, game):
    """Powderkeg, many games in one message."""
    env = client.make_vec(game, ENVS)
    masks = [env.reset(seed=1).masks]

    def step():
        masks[0] = env.step(powderkeg.random_actions(masks[0], RNG)).masks
        return ENVS

    return step


def pettingzoo(make, mask=lambda observation, info: observation["action_mask"]):
    """An AEC environment of PettingZoo's."""
    env = make()
    env.reset(seed=1)

    def step():
        observation, _, termination, truncation, info = env.last()
        if termination or truncation:
            env.reset()
            return 0
        env.step(int(RNG.choice(np.flatnonzero(mask(observation, info)))))
        return 1

    return step


def openspiel(name):
    """OpenSpiel's states from Python, with the observation or information tensor."""
    import pyspiel

    game = pyspiel.load_game(name)
    tensor = game.get_type().provides_information_state_tensor
    state = [game.new_initial_state()]

    def step():
        s = state[0]
        while s.is_chance_node():
            outcomes, weights = zip(*s.chance_outcomes())
            s.apply_action(int(RNG.choice(outcomes, p=weights)))
        if s.is_terminal():
            s.returns()
            state[0] = game.new_initial_state()
            return 0
        player = s.current_player()
        np.asarray(s.information_state_tensor(player) if tensor else s.observation_tensor(player), np.float32)
        s.apply_action(int(RNG.choice(s.legal_actions())))
        s.rewards()
        return 1

    return step


def openspiel_env(name):
    """OpenSpiel's rl_environment, its interface for learners."""
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(name)
    last = [env.reset()]

    def step():
        if last[0].last():
            last[0] = env.reset()
            return 0
        seat = last[0].observations["current_player"]
        last[0] = env.step([int(RNG.choice(last[0].observations["legal_actions"][seat]))])
        return 1

    return step


def rlcard(name):
    """RLCard's environment, stepped from outside."""
    import rlcard as library

    env = library.make(name, config={"seed": 1})
    state = [env.reset()[0]]

    def step():
        if env.is_over():
            env.get_payoffs()
            state[0] = env.reset()[0]
            return 0
        state[0] = env.step(int(RNG.choice(list(state[0]["legal_actions"]))))[0]
        return 1

    return step


def gymnasium_own(name):
    """A small environment of Gymnasium's own, without masks: the cost of its interface."""
    import gymnasium

    env = gymnasium.make(name)
    env.reset(seed=1)

    def step():
        _, _, termination, truncation, _ = env.step(int(RNG.integers(env.action_space.n)))
        if termination or truncation:
            env.reset()
        return 1

    return step


def classic(module):
    import importlib

    return importlib.import_module(f"pettingzoo.classic.{module}").env


def contenders(client):
    """Yields game, name and what makes the step."""
    theirs = {
        "tictactoe": ("tictactoe_v3", "tic_tac_toe", None), "connect4": ("connect_four_v3", "connect_four", None),
        "leduc": ("leduc_holdem_v4", "leduc_poker", "leduc-holdem"), "kuhn": (None, "kuhn_poker", None),
    }  # fmt: skip
    for game, (zoo, spiel, card) in theirs.items():
        yield game, f"powderkeg, {ENVS} at once", lambda g=game: vectorised(client, g)
        yield game, "powderkeg", lambda g=game: native(client, g)
        yield game, "powderkeg.pettingzoo", lambda g=game: pettingzoo(lambda: powderkeg.pettingzoo.env(g, client=client))
        if zoo:
            yield game, f"pettingzoo.classic.{zoo}", lambda z=zoo: pettingzoo(classic(z))
        yield game, "pyspiel", lambda s=spiel: openspiel(s)
        yield game, "open_spiel.rl_environment", lambda s=spiel: openspiel_env(s)
        if card:
            yield game, "rlcard", lambda c=card: rlcard(c)
    yield "none", "gymnasium Blackjack-v1", lambda: gymnasium_own("Blackjack-v1")
    yield "jogu", f"powderkeg, {ENVS} at once", lambda: vectorised(client, "jogu")
    yield "jogu", "powderkeg", lambda: native(client, "jogu")


def measure(step, seconds):
    """Returns steps a second."""
    begin, steps = time.perf_counter(), 0
    while (now := time.perf_counter()) - begin < seconds:
        steps += step()
    return steps / (now - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    made = []
    with powderkeg.start() as client:
        for game, name, make in contenders(client):
            try:
                made.append((game, name, make(), []))
            except ImportError as e:
                print(f"left out: {name} of {game}, for want of {e.name}", file=sys.stderr)
        for _ in range(args.rounds):
            for _, _, step, rates in made:
                rates.append(measure(step, args.seconds))
    rows = [
        {"game": game, "environment": name, "steps_per_second": round(statistics.median(r)), "least": round(min(r)), "most": round(max(r))}
        for game, name, _, r in made
    ]
    if args.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print(f"{row['game']:10} {row['environment']:36} {row['steps_per_second']:>10,} ({row['least']:,} to {row['most']:,})")


if __name__ == "__main__":
    main()
