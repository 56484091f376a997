"""PPO in one file of PyTorch, as in CleanRL: native vectorised environments, masks, and
opponents that play on the server (Schulman et al., "Proximal policy optimization
algorithms", 2017; Huang and Ontañón, "A closer look at invalid action masking", 2022).

    python ppo_torch.py [--game tictactoe] [--opponents scripted,random] [--seconds 120] [--save FOLDER]

It learns every seat against every opponent. With --save it leaves a checkpoint, which the
server plays: `powderkeg match tictactoe checkpoint:FOLDER scripted`.
"""

from __future__ import annotations

import argparse
from typing import List, NamedTuple, Tuple

import curve
import numpy as np
import torch
from weights_torch import Net, from_checkpoint, to_checkpoint

import powderkeg
from powderkeg import weights


class Shown(NamedTuple):
    """What all games show to the learner, who is to act in each."""

    obs: torch.Tensor  # [N, D]
    masks: torch.Tensor  # [N, A], bool
    rewards: torch.Tensor  # [N], of the learner, at most 1 in size over an episode
    done: torch.Tensor  # [N], 1 where the game before has ended


class Tables:
    """Games against opponents on the server, as many in every seat against each."""

    def __init__(self, client: powderkeg.Client, game: str, opponents: List[str], games: int) -> None:
        spec = client.spec(game)
        self.scale = max(abs(spec.min_return), abs(spec.max_return))
        self.seats = [seat for seat in range(spec.seats) for _ in opponents]
        self.vecs = [
            client.make_vec(game, games, agents=[None if p == seat else name for p in range(spec.seats)])
            for seat in range(spec.seats) for name in opponents
        ]  # fmt: skip

    def reset(self, seed: int) -> Shown:
        """Begins all games."""
        return self._show([vec.reset(seed=seed + i) for i, vec in enumerate(self.vecs)])

    def step(self, actions: torch.Tensor) -> Shown:
        """Plays an action in every game; the opponents answer. A game that has ended is
        followed by another."""
        return self._show([vec.step(a.numpy()) for vec, a in zip(self.vecs, actions.int().chunk(len(self.vecs)))])

    def _show(self, steps: List[powderkeg.VecStep]) -> Shown:
        columns = (
            [s.observations for s in steps], [s.masks != 0 for s in steps],
            [s.rewards[:, seat] / self.scale for s, seat in zip(steps, self.seats)],
            [(s.terminated | s.truncated).astype(np.float32) for s in steps],
        )  # fmt: skip
        return Shown(*(torch.from_numpy(np.concatenate(column)) for column in columns))

    def close(self) -> None:
        """Gives the games up."""
        for vec in self.vecs:
            vec.close()


def policy(net: Net, obs: torch.Tensor, masks: torch.Tensor) -> Tuple[torch.distributions.Categorical, torch.Tensor]:
    """Returns the distribution over the legal actions, and what the learner will gain."""
    logits, values = net(obs)
    return torch.distributions.Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False), values[:, 0]


def collect(net: Net, tables: Tables, shown: Shown, steps: int, decay: float) -> Tuple[Shown, List[torch.Tensor]]:
    """Plays so many steps and returns what the games show then, and the decisions [n]: their
    observations, masks, actions, log-probabilities, advantages and targets of the value. An
    episode's gains are not discounted; decay is λ of generalised advantage estimation."""
    kept, rewards, done = [], [], []
    with torch.no_grad():
        for _ in range(steps):
            pi, values = policy(net, shown.obs, shown.masks)
            actions = pi.sample()
            kept.append((shown.obs, shown.masks, actions, pi.log_prob(actions), values))
            shown = tables.step(actions)
            rewards.append(shown.rewards)
            done.append(shown.done)
        obs, masks, actions, log_probs, values = (torch.stack(column) for column in zip(*kept))
        ahead, carried = policy(net, shown.obs, shown.masks)[1], torch.zeros(len(shown.obs))
        advantages = torch.zeros_like(values)
        for t in reversed(range(steps)):
            goes_on = 1 - done[t]
            carried = rewards[t] + goes_on * ahead - values[t] + goes_on * decay * carried
            advantages[t], ahead = carried, values[t]
    return shown, [x.flatten(0, 1) for x in (obs, masks, actions, log_probs, advantages, advantages + values)]


def update(net: Net, adam: torch.optim.Optimizer, batch: List[torch.Tensor], o: argparse.Namespace) -> None:
    """Takes PPO's steps on decisions, their advantages normalised."""
    batch[4] = (batch[4] - batch[4].mean()) / (batch[4].std() + 1e-8)
    for rows in (rows for _ in range(o.epochs) for rows in torch.randperm(len(batch[0])).split(o.minibatch)):
        obs, masks, actions, log_probs, advantages, targets = (x[rows] for x in batch)
        pi, values = policy(net, obs, masks)
        ratio = torch.exp(pi.log_prob(actions) - log_probs)
        surrogate = torch.min(ratio * advantages, ratio.clamp(1 - o.clip, 1 + o.clip) * advantages).mean()
        loss = 0.5 * ((values - targets) ** 2).mean() - surrogate - o.entropy * pi.entropy().mean()
        if not torch.isfinite(loss):
            raise FloatingPointError(f"the loss is {loss}")
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        adam.step()


def logits(net: Net) -> curve.Logits:
    """Returns the policy as it is measured."""
    return lambda obs: torch.no_grad()(net)(torch.from_numpy(obs))[0].numpy()


#: Options of PPO, and how large the network is.
PPO = {
    "envs": (64, "games against each opponent in each seat"), "steps": (32, "decisions of each game per update"),
    "minibatch": (1024, "decisions per gradient"), "epochs": (4, "passes over a batch"), "rate": (1e-3, "learning rate"),
    "clip": (0.2, "how far probabilities may move"), "entropy": (0.01, "weight of the entropy"),
    "decay": (0.95, "λ of the advantages"), "hidden": (128, "width of the two hidden layers"),
}  # fmt: skip


def main() -> None:
    o = curve.options(__doc__, "tictactoe", opponents=("scripted,random", "agents of the server to learn against"), save=("", "folder of a checkpoint to write"), **PPO)
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:
        start = weights.new(client.spec(o.game), [o.hidden, o.hidden], seed=o.seed)
        net = from_checkpoint(start)
        adam = torch.optim.Adam(net.parameters(), lr=o.rate, eps=1e-5)
        tables, decisions = Tables(client, o.game, o.opponents.split(","), o.envs), 0
        shown = tables.reset(o.seed)
        with curve.Curve(client, o, logits(net)) as learning:
            while learning.goes_on(decisions):
                shown, batch = collect(net, tables, shown, o.steps, o.decay)
                update(net, adam, batch, o)
                decisions += len(batch[0])
        if o.save:
            weights.save(o.save, to_checkpoint(net, start))
            print(f"try it: powderkeg match '{client.spec(o.game).game}' checkpoint:{o.save} scripted")


if __name__ == "__main__":
    main()
