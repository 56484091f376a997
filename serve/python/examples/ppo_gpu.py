"""PPO by self-play for a GPU and a wide machine: vectorised environments on several servers,
which step while the GPU decides for the games of another; bfloat16 and torch.compile on
demand. README.md has what it reaches on a CPU and on a GPU; torch.compile has not been
measured.

    python ppo_gpu.py [ADDRESS,ADDRESS,...] [--game leduc] [--servers 2] [--envs 128] [--save FOLDER]
    python ppo_gpu.py --game jogu --servers 4 --envs 1024 --steps 64 --hidden 1024,1024,1024 --minibatch 16384 --amp 1

Without an address it starts the servers here, and with addresses it spreads its connections
over them. The network plays all seats of most games, and in --share of them one seat
against --opponents, agents of the server (vec.make's `agents`): the scripted player, or what
checkpoints and zoo hold. Each seat's advantages are computed from its own decisions, and the
values of all seats are learned, as the trainer in Go does (train/rollout). The player is
the running mean of the weights, which is what is measured and saved: the server and
`powderkeg match leduc checkpoint:FOLDER scripted` play it. Ctrl-C ends it like the clock.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import curve
import numpy as np
import torch
from weights_torch import Net, from_checkpoint, to_checkpoint

import powderkeg
from powderkeg import weights

#: A network, or what torch.compile has made of it: logits [n, A] and values [n, P] of
#: observations [n, D].
Forward = Callable[[torch.Tensor], Tuple[torch.Tensor, torch.Tensor]]


class Tables:
    """The games of one server, n in all: those of self-play first, then those against
    opponents, as many in every seat against each."""

    def __init__(self, client: powderkeg.Client, o: argparse.Namespace, device: torch.device) -> None:
        spec = client.spec(o.game)
        self.scale = max(abs(spec.min_return), abs(spec.max_return))
        matches = [(seat, name) for name in o.opponents.split(",") if name for seat in range(spec.seats)]
        each = int(o.envs * o.share / len(matches)) if matches else 0
        alone = o.envs - each * len(matches)
        self.vecs = [client.make_vec(o.game, alone)] if alone > 0 else []
        if each > 0:
            self.vecs += [client.make_vec(o.game, each, agents=[None if p == seat else name for p in range(spec.seats)]) for seat, name in matches]
        self.games = sum(vec.envs for vec in self.vecs)
        # The GPU reads page-locked memory without the CPU's help.
        self.stage = {name: x.pin_memory() if device.type == "cuda" else x for name, x in columns(spec, self.games).items()}

    def reset(self, seed: int) -> None:
        """Begins all games, and stages what they show."""
        self._show([vec.reset(seed=seed + i) for i, vec in enumerate(self.vecs)])

    def step(self, actions: torch.Tensor) -> None:
        """Plays actions [n], one in every game, and stages what the games show then. A game
        that has ended is followed by another. Other threads may run meanwhile."""
        parts = actions.split([vec.envs for vec in self.vecs])
        self._show([vec.step(part.int().numpy()) for vec, part in zip(self.vecs, parts)])

    def _show(self, steps: List[powderkeg.VecStep]) -> None:
        at = 0
        for s in steps:
            # No max_decisions is asked for, so that nothing is truncated.
            shown = {"obs": s.observations, "masks": s.masks != 0, "actors": s.actors, "rewards": s.rewards / self.scale, "done": s.terminated}
            for name, x in shown.items():
                self.stage[name][at : at + len(x)].copy_(torch.from_numpy(x))
            at += len(s.actors)


def columns(spec: powderkeg.Spec, *shape: int, device: Optional[torch.device] = None) -> Dict[str, torch.Tensor]:
    """Returns room for what games of this shape show: observations [..., D] and masks [..., A]
    of who is to act, its seat [...], and of the step that led there the rewards [..., P], at
    most 1 in size over an episode, and whether it ended one [...]."""
    return {
        "obs": torch.zeros(*shape, spec.observation_size, device=device),
        "masks": torch.zeros(*shape, len(spec.actions), dtype=torch.bool, device=device),
        "actors": torch.zeros(*shape, dtype=torch.int64, device=device),
        "rewards": torch.zeros(*shape, spec.seats, device=device),
        "done": torch.zeros(*shape, dtype=torch.bool, device=device),
    }


class Clock:
    """Where the time goes."""

    def __init__(self) -> None:
        self.spent = {"stepping": 0.0, "acting": 0.0, "learning": 0.0, "measuring": 0.0}
        self._since = time.perf_counter()

    def book(self, what: str) -> None:
        """Counts the time since it was last called, as that of ``what``."""
        now = time.perf_counter()
        self.spent[what] += now - self._since
        self._since = now

    def learned(self) -> float:
        """Returns the seconds without the measuring."""
        return sum(self.spent.values()) - self.spent["measuring"]

    def shares(self) -> str:
        """Returns what each has of the time. Stepping is what is waited for: what the servers
        do while the GPU decides for others costs nothing."""
        return ", ".join(f"{what} {self.spent[what] / self.learned():.0%}" for what in ("stepping", "acting", "learning"))


class Rollout:
    """Steps [T] of all games [N] of all servers, on the device. Row t of ``shown`` is what the
    games show before decision t; row T is row 0 of the next rollout."""

    def __init__(self, tables: List[Tables], steps: int, spec: powderkeg.Spec, device: torch.device) -> None:
        self.tables, self.steps, self.device = tables, steps, device
        ends = np.cumsum([t.games for t in tables]).tolist()
        self.parts = [slice(end - t.games, end) for t, end in zip(tables, ends)]
        n = ends[-1]
        self.shown = columns(spec, steps + 1, n, device=device)
        self.actions = torch.zeros(steps, n, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(steps, n, device=device)
        self.values = torch.zeros(steps + 1, n, spec.seats, device=device)
        self._pool = ThreadPoolExecutor(len(tables))
        self._under_way: List[Future[None]] = [self._pool.submit(lambda: None) for _ in tables]

    def reset(self, seed: int) -> None:
        """Begins all games."""
        for i, t in enumerate(self.tables):
            t.reset(seed + 1000 * i)
            self._take(self.steps, i)

    def collect(self, policy: Callable[..., Any], clock: Clock) -> None:
        """Plays T steps in every game. A server steps its games as soon as it has their
        actions, while the others' are decided."""
        with torch.no_grad():
            for x in self.shown.values():
                x[0].copy_(x[-1])
            for t in range(self.steps):
                for i, (tables, part) in enumerate(zip(self.tables, self.parts)):
                    self._arrived(t, i, clock)
                    pi, values = policy(self.shown["obs"][t, part], self.shown["masks"][t, part])
                    actions = pi.sample()
                    self.actions[t, part], self.log_probs[t, part], self.values[t, part] = actions, pi.log_prob(actions), values
                    # What was staged before is read by now: the copy waits for the GPU.
                    self._under_way[i] = self._pool.submit(tables.step, actions.cpu())
                    clock.book("acting")
            for i, part in enumerate(self.parts):
                self._arrived(self.steps, i, clock)
                self.values[-1, part] = policy(self.shown["obs"][-1, part], self.shown["masks"][-1, part])[1]
            clock.book("acting")

    def _arrived(self, t: int, i: int, clock: Clock) -> None:
        """Waits until server i has stepped, and takes what its games show into row t."""
        self._under_way[i].result()
        clock.book("stepping")
        if t > 0:
            self._take(t, i)

    def _take(self, t: int, i: int) -> None:
        for name, x in self.tables[i].stage.items():
            self.shown[name][t, self.parts[i]].copy_(x, non_blocking=True)

    def close(self) -> None:
        """Waits for what is under way."""
        self._pool.shutdown()


def targets(shown: Dict[str, torch.Tensor], values: torch.Tensor, decay: float) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the advantages [T, N] of the decisions, and the targets [T, N, P] of their values,
    the actor's first, of which values [T+1, N, P] are the estimates: generalised advantage
    estimation seat by seat, from one decision of a seat to its next, with decay λ and without
    a discount (Schulman et al., 2016, equation 16; train/rollout in Go). What a seat gains
    from a moment on is estimated by its own next decision, and where the rollout ends before
    that by its entry in the value of whoever is to act."""
    seats = torch.arange(values.shape[2], device=values.device)
    order = (shown["actors"][..., None] + seats) % len(seats)  # the seat of each entry
    by_seat = torch.empty_like(values).scatter_(2, order, values)
    found = torch.empty_like(values[:-1])
    ahead, carried = by_seat[-1], torch.zeros_like(by_seat[-1])
    for t in reversed(range(len(found))):
        goes_on = ~shown["done"][t + 1, :, None]
        ahead, carried = ahead * goes_on + shown["rewards"][t + 1], carried * goes_on
        gains, actor = ahead + decay * carried, order[t, :, :1]
        found[t] = gains.gather(1, order[t])
        ahead = ahead.scatter(1, actor, by_seat[t].gather(1, actor))
        carried = carried.scatter(1, actor, (gains - by_seat[t]).gather(1, actor))
    return found[:, :, 0] - values[:-1, :, 0], found


class Learner:
    """PPO, and the running mean of its weights (Polyak and Juditsky, 1992)."""

    def __init__(self, start: powderkeg.Checkpoint, o: argparse.Namespace, device: torch.device) -> None:
        self.o, self.device, self.steps = o, device, 0
        self.net: Net = from_checkpoint(start).to(device)
        self.player: Net = copy.deepcopy(self.net).requires_grad_(False)
        self.forward: Forward = torch.compile(self.net) if o.compile else self.net
        self.adam = torch.optim.Adam(self.net.parameters(), lr=o.rate, eps=1e-5, fused=device.type == "cuda")

    def policy(self, obs: torch.Tensor, masks: torch.Tensor) -> Tuple[torch.distributions.Categorical, torch.Tensor]:
        """Returns the distribution over the legal actions, and the values [n, P]."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=bool(self.o.amp)):
            logits, values = self.forward(obs)
        return torch.distributions.Categorical(logits=logits.float().masked_fill(~masks, -1e9), validate_args=False), values.float()

    def update(self, rollout: Rollout, left: float) -> None:
        """Takes PPO's steps on a rollout. Left is the share of the run that is to come, with
        which the learning rate and the weight of the entropy go down to a tenth."""
        o, left = self.o, 0.1 + 0.9 * left
        for group in self.adam.param_groups:
            group["lr"] = o.rate * left
        advantages, found = targets(rollout.shown, rollout.values, o.decay)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        batch = [rollout.shown["obs"][:-1], rollout.shown["masks"][:-1], rollout.actions, rollout.log_probs, advantages, found]
        batch = [x.flatten(0, 1) for x in batch]
        n, total = len(batch[0]), torch.zeros((), device=self.device)
        parts = max(1, n // o.minibatch)
        for rows in (rows for _ in range(o.epochs) for rows in torch.randperm(n, device=self.device).chunk(parts)):
            loss = self._loss([x[rows] for x in batch], o.entropy * left)
            self.adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
            self.adam.step()
            self._follow()
            total += loss.detach()
        if not torch.isfinite(total):  # once per update: to look is to wait for the GPU
            raise FloatingPointError(f"the losses of an update add up to {total}")

    def _loss(self, batch: List[torch.Tensor], entropy: float) -> torch.Tensor:
        obs, masks, actions, log_probs, advantages, found = batch
        pi, values = self.policy(obs, masks)
        ratio = torch.exp(pi.log_prob(actions) - log_probs)
        surrogate = torch.min(ratio * advantages, ratio.clamp(1 - self.o.clip, 1 + self.o.clip) * advantages).mean()
        return 0.5 * ((values - found) ** 2).mean() - surrogate - entropy * pi.entropy().mean()

    def _follow(self) -> None:
        """Counts the weights into the mean, at first over all steps alike (train/ppo)."""
        self.steps += 1
        rate = 1 - min(self.o.average, self.steps / (self.steps + 9))
        with torch.no_grad():
            for mean, w in zip(self.player.parameters(), self.net.parameters()):
                mean.lerp_(w, rate)

    def logits(self, obs: curve.Floats) -> curve.Floats:
        """Returns the player's policy as it is measured, in float32 as it will be played."""
        with torch.no_grad():
            found: curve.Floats = self.player(torch.from_numpy(obs).to(self.device))[0].cpu().numpy()
        return found


#: Options of the learner, with defaults for one or two cores and a small game.
OPTIONS: Dict[str, Tuple[Any, str]] = {
    "servers": (2, "servers that are started, or connections to those that there are"),
    "envs": (128, "games on each"), "steps": (32, "decisions of each game per update"),
    "share": (0.25, "of the games that are played against --opponents, the others by the network alone"),
    "opponents": ("scripted", "agents of the server, commas between; none if it is empty"),
    "hidden": ("128,128", "widths of the hidden layers"), "minibatch": (1024, "decisions per gradient"),
    "epochs": (4, "passes over a batch"), "rate": (1e-3, "learning rate at first, at the end a tenth"),
    "clip": (0.2, "how far probabilities may move"), "entropy": (0.01, "weight of the entropy at first, at the end a tenth"),
    "decay": (0.95, "λ of the advantages"), "average": (0.995, "how much of the mean of the weights stays in a step"),
    "device": ("", "of PyTorch; cuda or mps if there is one, or else the cpu"), "threads": (1, "of PyTorch on the CPU"),
    "amp": (0, "1: forward passes in bfloat16"), "compile": (0, "1: torch.compile"), "save": ("", "folder of a checkpoint to write"),
}  # fmt: skip


def main() -> None:
    o = curve.options(__doc__, "leduc", **OPTIONS)
    if not 0 <= o.share <= 1 or min(o.envs, o.servers, o.steps) < 1:
        raise SystemExit("--share is from 0 to 1, and --envs, --servers and --steps are at least 1")
    if o.save and Path(o.save).exists():
        raise SystemExit(f"--save {o.save}: the folder exists, and a checkpoint never changes")
    torch.manual_seed(o.seed)
    torch.set_num_threads(o.threads)
    torch.set_float32_matmul_precision("high")  # TensorFloat-32 where the GPU has it
    device = torch.device(o.device or ("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"))
    addresses = o.address.split(",") if o.address else [None]
    with ExitStack() as stack:
        clients = [stack.enter_context(powderkeg.connect(addresses[i % len(addresses)])) for i in range(max(o.servers, len(addresses)))]
        spec = clients[0].spec(o.game)
        start = weights.new(spec, [int(width) for width in o.hidden.split(",")], layer_norm=True, residual=True, seed=o.seed)
        learner, rollout = Learner(start, o, device), Rollout([Tables(c, o, device) for c in clients], o.steps, spec, device)
        stack.callback(rollout.close)
        rollout.reset(o.seed)
        updates, decisions, clock = 0, 0, Clock()
        print(f"{spec.game} on {device}: {len(clients)} servers, {rollout.actions.shape[1]} games, {rollout.actions.numel():,} decisions per update")
        with curve.Curve(clients[0], o, learner.logits) as learning:
            while learning.goes_on(decisions):
                clock.book("measuring")
                rollout.collect(learner.policy, clock)
                spent = max(clock.learned() / o.seconds, decisions / o.decisions if o.decisions else 0)
                learner.update(rollout, max(0, 1 - spent))
                clock.book("learning")
                updates, decisions = updates + 1, decisions + rollout.actions.numel()
                if updates & (updates - 1) == 0 or updates % 64 == 0:
                    print(f"update {updates}: {decisions:,} decisions, {decisions / clock.learned():,.0f} per second; {clock.shares()}", flush=True)
        if o.save:
            trained = dataclasses.replace(to_checkpoint(learner.player, start), updates=updates, decisions=decisions)
            weights.save(o.save, trained)
            print(f"try it: powderkeg match '{spec.game}' checkpoint:{o.save} scripted")


if __name__ == "__main__":
    main()
