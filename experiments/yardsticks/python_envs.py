#!/usr/bin/env python3
"""Steps a second of random legal play in Python: Powderkeg beside OpenSpiel, PettingZoo,
RLCard and Gymnasium's own, in games that they have in common.

A step is what a learner needs at each decision: the observation as an array, the legal
actions, an action, the rewards; games follow one another. The contenders of a game take
turns for a second each, so that what else the machine does weighs on all, and the median
of the rounds is printed with the least and the most, and the median of the processor time
that a step takes, of this process and of Powderkeg's server together (from /proc). Powderkeg
plays in this process and, as "socket", in a server of its own; its vectorised environment
steps many games in one call.

    pip install powderkeg[pettingzoo] open_spiel rlcard pettingzoo pygame chess
    python experiments/yardsticks/python_envs.py [--rounds 5] [--seconds 1] [--json]

Whatever is not installed is left out, and named.
"""

import argparse
import json
import os
import random
import statistics
import sys
import time

import numpy as np

import powderkeg
import powderkeg.pettingzoo

RNG = np.random.default_rng(1)
ENVS = 1024
UNIFORM = random.Random(1).random


def pick(legal):
    """One of the legal actions. RNG.choice takes longer than most steps."""
    return int(legal[int(UNIFORM() * len(legal))])


def native(client, game, copy=True):
    """Powderkeg, one game."""
    env = client.make(game, seed=1, copy=copy)
    last = [env.last]

    def step():
        last[0] = env.reset() if last[0].done else env.step(pick(last[0].legal))
        return 1

    return step


def vectorised(client, game, envs=ENVS):
    """Powderkeg, many games in one call."""
    env = client.make_vec(game, envs)
    masks = [env.reset(seed=1).masks]

    def step():
        masks[0] = env.step(powderkeg.random_actions(masks[0], RNG)).masks
        return envs

    return step


def branch(client, game):
    """What a search does: a copy of a state in which an action is played, given up again."""
    env = client.make(game, seed=1, copy=False)
    action = int(env.last.legal[-1])

    def step():
        env.child(action).close()
        return 1

    return step


def openspiel_child(name):
    """The same of OpenSpiel's."""
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    action = state.legal_actions()[-1]

    def step():
        state.child(action)
        return 1

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
        env.step(pick(np.flatnonzero(mask(observation, info))))
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
        s.apply_action(pick(s.legal_actions()))
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
        last[0] = env.step([pick(last[0].observations["legal_actions"][seat])])
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
        state[0] = env.step(pick(list(state[0]["legal_actions"])))[0]
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


def contenders(client, server):
    """Yields game, name and what makes the step, for clients of this process and of a server."""
    theirs = {
        "tictactoe": ("tictactoe_v3", "tic_tac_toe", None), "connect4": ("connect_four_v3", "connect_four", None),
        "leduc": ("leduc_holdem_v4", "leduc_poker", "leduc-holdem"), "kuhn": (None, "kuhn_poker", None),
    }  # fmt: skip
    for game, (zoo, spiel, card) in theirs.items():
        yield game, f"powderkeg, {ENVS} at once", lambda g=game: vectorised(client, g)
        yield game, "powderkeg", lambda g=game: native(client, g)
        yield game, "powderkeg, socket", lambda g=game: native(server, g)
        yield game, "powderkeg.pettingzoo", lambda g=game: pettingzoo(lambda: powderkeg.pettingzoo.env(g, client=client))
        if zoo:
            yield game, f"pettingzoo.classic.{zoo}", lambda z=zoo: pettingzoo(classic(z))
        yield game, "pyspiel", lambda s=spiel: openspiel(s)
        yield game, "open_spiel.rl_environment", lambda s=spiel: openspiel_env(s)
        yield game, "powderkeg, child", lambda g=game: branch(client, g)
        yield game, "powderkeg, child, socket", lambda g=game: branch(server, g)
        yield game, "pyspiel, child", lambda s=spiel: openspiel_child(s)
        if card:
            yield game, "rlcard", lambda c=card: rlcard(c)
    yield "none", "gymnasium Blackjack-v1", lambda: gymnasium_own("Blackjack-v1")
    for game in ("jogu", "insurgency", "bloc", "minuteman"):
        yield game, "powderkeg", lambda g=game: native(client, g)
        yield game, "powderkeg, copy=False", lambda g=game: native(client, g, False)
        yield game, "powderkeg, child", lambda g=game: branch(client, g)
        yield game, "powderkeg, socket", lambda g=game: native(server, g)
    for game in ("tictactoe", "jogu"):
        for envs in (64, ENVS):
            if (game, envs) != ("tictactoe", ENVS):
                yield game, f"powderkeg, {envs} at once", lambda g=game, n=envs: vectorised(client, g, n)
            yield game, f"powderkeg, {envs} at once, socket", lambda g=game, n=envs: vectorised(server, g, n)


def processor(server):
    """Returns the seconds of processor time that this process and the server have taken."""
    took = time.process_time()
    with open(f"/proc/{server._server._process.pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return took + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(step, seconds, server):
    """Returns steps a second, and seconds of processor time a step."""
    took, begin, steps = processor(server), time.perf_counter(), 0
    while (now := time.perf_counter()) - begin < seconds:
        steps += step()
    return steps / (now - begin), (processor(server) - took) / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    made = []
    with powderkeg.connect("process") as client, powderkeg.start() as server:
        for game, name, make in contenders(client, server):
            try:
                made.append((game, name, make(), [], []))
            except ImportError as e:
                print(f"left out: {name} of {game}, for want of {e.name}", file=sys.stderr)
        for _ in range(args.rounds):
            for _, _, step, rates, times in made:
                rate, took = measure(step, args.seconds, server)
                rates.append(rate)
                times.append(took)
    rows = [
        {
            "game": game, "environment": name, "steps_per_second": round(statistics.median(r)), "least": round(min(r)), "most": round(max(r)),
            "processor_us": round(statistics.median(t) * 1e6, 3),
        }
        for game, name, _, r, t in made
    ]  # fmt: skip
    if args.json:
        print(json.dumps(rows))
        return
    for row in rows:
        rate = f"{row['steps_per_second']:>10,} ({row['least']:,} to {row['most']:,})"
        print(f"{row['game']:10} {row['environment']:36} {rate:36} {row['processor_us']:>8.3f} µs")


if __name__ == "__main__":
    main()
