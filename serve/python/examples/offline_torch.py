"""Offline reinforcement learning: implicit Q-learning (Kostrikov, Nair and Levine, "Offline
reinforcement learning with implicit Q-learning", 2021) from a dataset of careless play,
which the network learns to beat without playing itself.

    powderkeg export tictactoe --agent "scripted(slips=0.5)" --episodes 20000 --format npz --out games
    python offline_torch.py --data games [--seconds 60]

V is an upper expectile of what was tried, Q says what an action leads to, and the policy
clones what turned out well (--beta); with --beta 0 it clones everything. Without --data
the server plays the games at once (--game, --agent, --episodes).
"""

from __future__ import annotations

import clone_torch
import curve
import torch
from ppo_torch import logits, policy
from weights_torch import from_checkpoint

import powderkeg
from powderkeg import weights


def network(inputs: int, outputs: int, hidden: int) -> torch.nn.Module:
    """Returns a network with two hidden layers."""
    return torch.nn.Sequential(
        torch.nn.Linear(inputs, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, outputs)
    )


def main() -> None:
    o = curve.options(
        __doc__, "tictactoe", agent=("scripted(slips=0.5)", "agent of the server whose play it is"), episodes=(20000, "games of it"),
        data=("", "folder of a dataset; the server plays one without"), minibatch=(512, "decisions per gradient"),
        rate=(1e-3, "learning rate"), hidden=(128, "width of the two hidden layers"),
        expectile=(0.8, "which of the outcomes V is, 0.5 for their mean"), beta=(10.0, "how much more what turned out well is cloned"),
    )  # fmt: skip
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:
        data = clone_torch.read(client, o)
        spec = client.spec(o.game)
        obs, masks, after = (torch.from_numpy(x) for x in (data.observations, data.masks, data.next_observations))
        actions, goes_on = torch.from_numpy(data.actions).long(), torch.from_numpy(~data.terminated)
        gained = torch.from_numpy(data.rewards / max(abs(spec.min_return), abs(spec.max_return)))
        net = from_checkpoint(weights.new(spec, [o.hidden, o.hidden], seed=o.seed))
        q, slow, v = (network(spec.observation_size, n, o.hidden) for n in (len(spec.actions), len(spec.actions), 1))
        slow.load_state_dict(q.state_dict())
        adam = torch.optim.Adam([*net.parameters(), *q.parameters(), *v.parameters()], lr=o.rate)
        decisions = 0
        with curve.Curve(client, o, logits(net)) as learning:
            while learning.goes_on(decisions):
                chosen = torch.randint(len(actions), (o.minibatch,))
                seen, played = obs[chosen], actions[chosen]
                with torch.no_grad():
                    ahead = goes_on[chosen] * v(after[chosen])[:, 0]
                    tried = slow(seen).gather(1, played[:, None])[:, 0]
                worth = v(seen)[:, 0]
                surplus = tried - worth
                v_loss = (torch.where(surplus > 0, o.expectile, 1 - o.expectile) * surplus**2).mean()
                q_loss = ((q(seen).gather(1, played[:, None])[:, 0] - gained[chosen] - ahead) ** 2).mean()
                weight = torch.exp(o.beta * surplus.detach()).clamp(max=100)
                pi_loss = -(weight * policy(net, seen, masks[chosen])[0].log_prob(played)).mean()
                adam.zero_grad()
                (v_loss + q_loss + pi_loss).backward()
                adam.step()
                with torch.no_grad():
                    for mine, theirs in zip(slow.parameters(), q.parameters()):
                        mine.lerp_(theirs, 0.01)
                decisions += o.minibatch


if __name__ == "__main__":
    main()
