"""Trains a network by self-play with PPO in PyTorch (Schulman et al., "Proximal policy
optimization algorithms", 2017), and measures it against the random player.

    python ppo_torch.py [ADDRESS] [--game connect4] [--updates 60] [--seed 0] [--save FOLDER]

Every slot of a vectorised environment plays a whole game, one network for all seats.
With --save it leaves a checkpoint for `powderkeg match`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, List, NamedTuple, Tuple

import numpy as np
import torch
from weights_torch import Net, from_checkpoint, to_checkpoint

import powderkeg
from powderkeg import weights


class Decision(NamedTuple):
    """What is kept of a decision until its game is over."""

    obs: Any
    mask: Any
    actor: int
    action: int
    log_prob: float
    values: Any  # [P], the actor's first


class Batch(NamedTuple):
    """Decisions of ended games [n] and what became of them."""

    obs: torch.Tensor  # [n, D]
    masks: torch.Tensor  # [n, A]
    actions: torch.Tensor  # [n]
    log_probs: torch.Tensor  # [n]
    advantages: torch.Tensor  # [n]
    targets: torch.Tensor  # [n, P], the actor's first


def policy(net: Net, obs: torch.Tensor, masks: torch.Tensor) -> Tuple[torch.distributions.Categorical, torch.Tensor]:
    """Returns the distribution over the legal actions, and the values."""
    logits, values = net(obs)
    return torch.distributions.Categorical(logits=logits.masked_fill(masks == 0, -1e9), validate_args=False), values


class SelfPlay:
    """Games that the network plays against itself."""

    def __init__(self, vec: powderkeg.VecEnv, seed: int, decay: float) -> None:
        self.vec, self.decay = vec, decay
        self.step = vec.reset(seed=seed)
        self.open: List[List[Decision]] = [[] for _ in range(vec.envs)]
        self.scale = max(abs(vec.spec.min_return), abs(vec.spec.max_return))

    def collect(self, net: Net, decisions: int) -> Batch:
        """Plays until ended games have so many decisions."""
        rows: List[Tuple[Any, ...]] = []
        while len(rows) < decisions:
            step = self.step
            with torch.no_grad():
                pi, values = policy(net, torch.from_numpy(step.observations.copy()), torch.from_numpy(step.masks.copy()))
                chosen = pi.sample()
                log_probs = pi.log_prob(chosen)
            actions = chosen.numpy()
            for slot in range(self.vec.envs):
                self.open[slot].append(
                    Decision(
                        step.observations[slot], step.masks[slot], int(step.actors[slot]),
                        int(actions[slot]), float(log_probs[slot]), values[slot].numpy(),
                    )
                )  # fmt: skip
            self.step = self.vec.step(actions)
            for slot, gained in zip(self.step.ended, self.step.returns):
                rows += self.account(self.open[slot], gained / self.scale)
                self.open[slot] = []
        return Batch(*(torch.from_numpy(np.array(column)) for column in zip(*rows)))

    def account(self, game: List[Decision], returns: Any) -> List[Tuple[Any, ...]]:
        """Returns the rows of an ended game. The value of a decision, to its actor, is
        estimated from the values at all decisions after it, weighted by decay (TD(λ)
        over the decisions of every seat, without discount), up to the returns."""
        rows: List[Tuple[Any, ...]] = []
        ahead = np.asarray(returns, dtype=np.float32)  # by seat
        for d in reversed(game):
            target = np.roll(ahead, -d.actor)  # the actor's first
            advantage = np.float32(target[0] - d.values[0])
            rows.append((d.obs, d.mask, d.action, np.float32(d.log_prob), advantage, target))
            ahead = self.decay * ahead + (1 - self.decay) * np.roll(d.values, d.actor)
        return rows


def update(net: Net, adam: torch.optim.Optimizer, batch: Batch, o: argparse.Namespace) -> None:
    """Takes PPO's steps on a batch."""
    advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
    for _ in range(o.epochs):
        for rows in torch.randperm(len(batch.actions)).split(o.minibatch):
            pi, values = policy(net, batch.obs[rows], batch.masks[rows])
            ratio = torch.exp(pi.log_prob(batch.actions[rows]) - batch.log_probs[rows])
            gain = advantages[rows]
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - o.clip, 1 + o.clip) * gain).mean()
            value_loss = ((values - batch.targets[rows]) ** 2).mean()
            loss = -surrogate + 0.5 * value_loss - o.entropy * pi.entropy().mean()
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            adam.step()


def against_random(client: powderkeg.Client, game: str, player: powderkeg.Model, seat: int, games: int) -> float:
    """Returns the mean return of a seat's player against the random one, over at
    least so many games that were begun together."""
    rng, scores, n = np.random.default_rng(0), [], 256
    with client.make_vec(game, n, autoreset="disabled") as vec:
        for seed in range(-(-games // n)):
            step = vec.reset(seed=seed)
            while len(step.slots):
                actions = powderkeg.random_actions(step.masks, rng)
                mine = np.flatnonzero(step.actors == seat)
                if len(mine):
                    actions[mine] = player(step.observations[mine], step.masks[mine], rng)
                going = step.actors >= 0
                step = vec.step_slots(step.slots[going], actions[going])
                scores += step.returns[:, seat].tolist()
    return float(np.mean(scores))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--batch", type=int, default=4096, help="decisions per update")
    parser.add_argument("--minibatch", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--decay", type=float, default=0.9, help="λ of the targets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="folder of the checkpoint to write")
    o = parser.parse_args()
    torch.manual_seed(o.seed)
    with powderkeg.connect(o.address) as client, client.make_vec(o.game, o.envs) as vec:
        start = weights.new(vec.spec, [128, 128], seed=o.seed)
        net = from_checkpoint(start)
        adam = torch.optim.Adam(net.parameters(), lr=o.rate, eps=1e-5)
        play, begin = SelfPlay(vec, o.seed, o.decay), time.perf_counter()
        for n in range(o.updates + 1):
            if n % max(o.updates // 6, 1) == 0:
                player = powderkeg.Model(to_checkpoint(net, start))
                scores = [against_random(client, vec.spec.game, player, seat, 512) for seat in range(vec.spec.seats)]
                seats = ", ".join(f"seat {seat} {score:+.3f}" for seat, score in enumerate(scores))
                print(f"update {n:4}: mean return against random: {seats}; {time.perf_counter() - begin:.1f} s", flush=True)
            if n < o.updates:
                update(net, adam, play.collect(net, o.batch), o)
        if o.save:
            weights.save(o.save, to_checkpoint(net, start))
            print(f"try it: powderkeg match '{vec.spec.game}' checkpoint:{o.save} random")


if __name__ == "__main__":
    main()
