"""Self-play in PettingZoo's AEC loop: one network for all seats, which PPO improves.

    python selfplay_pettingzoo.py [--game tictactoe] [--seconds 120] [--seed 0]

Parameters are shared and decisions pooled. Each seat's advantages are computed from its own
decisions: env.last() gives what a seat has gained since the one before.
"""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple

import curve
import torch
from ppo_torch import PPO, logits, policy, update
from weights_torch import from_checkpoint

import powderkeg
from powderkeg import pettingzoo, weights


class Decision(NamedTuple):
    """What is kept of a decision until its game is over."""

    obs: torch.Tensor  # [1, D]
    mask: torch.Tensor  # [1, A], bool
    action: torch.Tensor  # [1]
    log_prob: torch.Tensor  # [1]
    value: torch.Tensor  # [1]


def episode(env: Any, net: Any, scale: float, decay: float) -> List[List[torch.Tensor]]:
    """Plays a game of the network against itself, and returns its decisions as update wants
    them: observation, mask, action, log-probability, advantage and target of the value."""
    decisions: Dict[str, List[Decision]] = {agent: [] for agent in env.possible_agents}
    gained: Dict[str, List[float]] = {agent: [] for agent in env.possible_agents}
    env.reset()
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        if decisions[agent]:
            gained[agent].append(reward / scale)
        if termination or truncation:
            env.step(None)
            continue
        obs = torch.from_numpy(observation["observation"])[None]
        mask = torch.from_numpy(observation["action_mask"])[None] != 0
        pi, value = policy(net, obs, mask)
        action = pi.sample()
        decisions[agent].append(Decision(obs, mask, action, pi.log_prob(action), value))
        env.step(int(action))
    return [row for agent in decisions for row in advantages(decisions[agent], gained[agent], decay)]


def advantages(decisions: List[Decision], gained: List[float], decay: float) -> List[List[torch.Tensor]]:
    """Returns the rows of a seat's decisions. What it has gained is not discounted; decay is
    λ of generalised advantage estimation."""
    rows, carried, ahead = [], torch.zeros(1), torch.zeros(1)
    for d, reward in zip(reversed(decisions), reversed(gained)):
        carried = reward + ahead - d.value + decay * carried
        rows.append([d.obs, d.mask, d.action, d.log_prob, carried, carried + d.value])
        ahead = d.value
    return rows


def main() -> None:
    o = curve.options(__doc__, "tictactoe", batch=(512, "decisions per update"), **{**PPO, "minibatch": (128, "decisions per gradient")})
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:
        spec = client.spec(o.game)
        scale = max(abs(spec.min_return), abs(spec.max_return))
        net = from_checkpoint(weights.new(spec, [o.hidden, o.hidden], seed=o.seed))
        adam = torch.optim.Adam(net.parameters(), lr=o.rate, eps=1e-5)
        env = pettingzoo.env(o.game, client=client)
        env.reset(seed=o.seed)
        played = 0
        with curve.Curve(client, o, logits(net)) as learning:
            while learning.goes_on(played):
                rows: List[List[torch.Tensor]] = []
                with torch.no_grad():
                    while len(rows) < o.batch:
                        rows += episode(env, net, scale, o.decay)
                update(net, adam, [torch.cat(column) for column in zip(*rows)], o)
                played += len(rows)
        env.close()


if __name__ == "__main__":
    main()
