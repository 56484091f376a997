"""The advantages of ppo_gpu.py are what their definition says, in games of one to four seats.
Run where torch is installed."""

import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import ppo_gpu

STEPS, GAMES, DECAY = 24, 16, 0.9


def expected(game, seat, t):
    """What a seat of a game expects to gain from decision t on: R up to its own next decision,
    its value there, and λ times the advantage of that."""
    gained = 0.0
    for s in range(t + 1, STEPS + 1):
        gained += game["rewards"][s][seat]
        if game["done"][s]:
            return gained
        value = game["values"][s][(seat - game["actors"][s]) % len(game["rewards"][s])]
        if s == STEPS:
            return gained + value
        if game["actors"][s] == seat:
            return gained + value + DECAY * (expected(game, seat, s) - value)
    raise AssertionError("a rollout has an end")


for seats in (1, 2, 3, 4):
    rng = torch.Generator().manual_seed(seats)
    games = {
        "actors": torch.randint(seats, (STEPS + 1, GAMES), generator=rng),
        "rewards": torch.randn(STEPS + 1, GAMES, seats, generator=rng),
        "done": torch.rand(STEPS + 1, GAMES, generator=rng) < 0.15,
        "values": torch.randn(STEPS + 1, GAMES, seats, generator=rng),
    }
    advantages, targets = ppo_gpu.targets(games, games["values"], DECAY)
    assert advantages.shape == (STEPS, GAMES) and targets.shape == (STEPS, GAMES, seats)
    for n in range(GAMES):
        game = {name: x[:, n].tolist() for name, x in games.items()}
        for t in range(STEPS):
            want = [expected(game, (game["actors"][t] + k) % seats, t) for k in range(seats)]
            np.testing.assert_allclose(targets[t, n], want, atol=1e-4)
            np.testing.assert_allclose(advantages[t, n], want[0] - game["values"][t][0], atol=1e-4)
print("advantages agree")
