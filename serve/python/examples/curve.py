"""What the learners among these examples share: options, a clock, and the curve of how often
the policy wins against agents of the server, as CSV and, where matplotlib is installed, PNG.

    with curve.Curve(client, options, logits) as learning:
        while learning.goes_on(decisions):
            ...                               # learn; decisions counts those learnt from
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence, Tuple

import figure
import numpy as np
import numpy.typing as npt

import powderkeg

Floats = npt.NDArray[np.float32]

#: Returns logits [n, A] of observations [n, D]. Illegal actions are left out afterwards.
Logits = Callable[[Floats], Floats]


def options(doc: Any, game: str, **more: Tuple[Any, str]) -> argparse.Namespace:
    """Returns what the command line says. ``more`` are further options: default and help."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--game", default=game, help="game string (%(default)s)")
    parser.add_argument("--seconds", type=float, default=120, help="how long to learn, without the measuring (%(default)s)")
    parser.add_argument("--decisions", type=int, default=0, help="how many decisions to learn from at most, 0 for no limit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="curve.csv", help="file of the curve (%(default)s); the PNG stands beside it")
    parser.add_argument("--points", type=int, default=8, help="measurements on the way (%(default)s)")
    parser.add_argument("--games", type=int, default=500, help="games a measurement plays in every seat (%(default)s)")
    for name, (default, meaning) in more.items():
        shown = f"{meaning} (%(default)s)" if default != "" else meaning
        parser.add_argument("--" + name, type=type(default), default=default, help=shown)
    return parser.parse_args()


def drawn(logits: Floats, masks: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Draws a legal action for each row, with the probabilities of a softmax of the logits
    over the legal ones."""
    noisy = np.where(masks != 0, logits + rng.gumbel(size=logits.shape), -np.inf)
    actions: npt.NDArray[np.int32] = noisy.argmax(axis=1).astype(np.int32)
    return actions


def play(
    client: powderkeg.Client, game: str, opponent: str, policy: Logits, games: int, seed: int, seats: Sequence[int]
) -> Tuple[Floats, Floats]:
    """Plays so many games in each of seats against an agent of the server on the others, and
    returns what the policy has gained in each, and its score: the share of the others that
    gained less, where as much counts half."""
    rng, gained, scores = np.random.default_rng(seed), [], []
    for seat in seats:
        agents = [None if p == seat else opponent for p in range(client.spec(game).seats)]
        # All games begin together and are played to their end: stopping when enough have
        # ended would count the short ones too often.
        with client.make_vec(game, games, autoreset="disabled", agents=agents) as vec:
            step = vec.reset(seed=int(rng.integers(1 << 53)))
            while (going := ~(step.terminated | step.truncated)).any():
                step = vec.step_slots(step.slots[going], drawn(policy(step.observations[going]), step.masks[going], rng))
                others = np.delete(step.returns, seat, axis=1)
                mine = step.returns[:, seat : seat + 1]
                gained.append(step.returns[:, seat])
                scores.append(((mine > others) + 0.5 * (mine == others)).mean(axis=1))
    return np.concatenate(gained), np.concatenate(scores)


def interval(rate: float, n: int) -> Tuple[float, float]:
    """Returns Wilson's 95% interval of a rate that was measured in n games."""
    z = 1.96
    middle, spread = rate + z * z / (2 * n), z * (rate * (1 - rate) / n + z * z / (4 * n * n)) ** 0.5
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


class Curve:
    """Measures a policy while it learns, and leaves the curve when it is closed, which
    Ctrl-C does too."""

    def __init__(
        self, client: powderkeg.Client, o: argparse.Namespace, policy: Logits, opponents: Tuple[str, ...] = ("random", "scripted")
    ) -> None:
        self._client, self._o, self._policy, self._opponents = client, o, policy, opponents
        self._seats = [o.seat] if hasattr(o, "seat") else list(range(client.spec(o.game).seats))
        self._rows: List[Dict[str, Any]] = []
        self._seconds, self._decisions = 0.0, 0
        self._began = time.perf_counter()

    def goes_on(self, decisions: int) -> bool:
        """Reports whether to learn on, and measures the policy when that is due: before
        anything is learnt, at the end, and at equal times between."""
        self._seconds += time.perf_counter() - self._began
        self._decisions = decisions
        over = self._seconds >= self._o.seconds or 0 < self._o.decisions <= decisions
        if over or not self._rows or self._seconds >= self._rows[-1]["seconds"] + self._o.seconds / self._o.points:
            self._measure()
        self._began = time.perf_counter()
        return not over

    def _measure(self) -> None:
        shown = []
        for opponent in self._opponents:
            gained, scores = play(self._client, self._o.game, opponent, self._policy, self._o.games, self._o.seed, self._seats)
            rate = float(scores.mean())
            low, high = interval(rate, len(scores))
            self._rows.append({
                "seconds": round(self._seconds, 1), "decisions": self._decisions, "opponent": opponent, "games": len(scores),
                "win_rate": round(rate, 4), "low": round(low, 4), "high": round(high, 4), "mean_return": round(float(gained.mean()), 4),
            })  # fmt: skip
            shown.append(f"{opponent} {rate:.1%} ({low:.1%} to {high:.1%}; mean return {gained.mean():+.2f})")
        print(f"{self._seconds:6.1f} s {self._decisions:9,} decisions: wins against {', '.join(shown)}", flush=True)

    def __enter__(self) -> Curve:
        return self

    def __exit__(self, kind: Any, *_: object) -> bool:
        out = Path(self._o.out)
        if self._rows:
            with out.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(self._rows[0]))
                writer.writeheader()
                writer.writerows(self._rows)
            picture = out.with_suffix(".png")
            print(f"the curve is in {out}" + (f" and {picture}" if figure.draw({self._o.game: self._rows}, picture) else ""))
        return kind is KeyboardInterrupt
