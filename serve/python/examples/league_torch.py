"""A league: PPO learns against bots of the server, and against what it was itself before.

    python league_torch.py [--game leduc] [--bots "scripted,scripted(slips=0.3),random"] [--seconds 120] [--folder league]

All opponents play on the server. Past selves are checkpoints in --folder, which a server
that runs on this machine loads; bots may be any agents of it, such as zoo:jogu or
"mcts(sims=50)". Opponents that are beaten seldom are met more often (Vinyals et al.,
"Grandmaster level in StarCraft II", 2019: prioritised fictitious self-play).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Dict, List

import curve
import numpy as np
import torch
from ppo_torch import PPO, Shown, Tables, collect, logits, update
from weights_torch import from_checkpoint, to_checkpoint

import powderkeg
from powderkeg import weights


class Rated(Tables):
    """Games that note what the learner has gained against whom."""

    def __init__(self, client: powderkeg.Client, game: str, opponents: List[str], games: int) -> None:
        self.results: List[List[float]] = [[] for _ in range(client.spec(game).seats * len(opponents))]
        super().__init__(client, game, opponents, games)

    def _show(self, steps: List[powderkeg.VecStep]) -> Shown:
        for results, step, seat in zip(self.results, steps, self.seats):
            results += (step.returns[:, seat] / self.scale).tolist()
        return super()._show(steps)


class League:
    """Opponents, and how the learner has done against each of late, from -1 to 1."""

    def __init__(self, bots: List[str], seed: int) -> None:
        self.rating: Dict[str, float] = {bot: 0.0 for bot in bots}
        self.rng = np.random.default_rng(seed)

    def choose(self, n: int) -> List[str]:
        """Draws n opponents, those that are beaten seldom more often."""
        names = list(self.rating)
        hard = np.array([(1.05 - rating) ** 2 for rating in self.rating.values()])
        return list(self.rng.choice(names, min(n, len(names)), replace=False, p=hard / hard.sum()))

    def note(self, tables: Rated, opponents: List[str]) -> None:
        """Takes the results of a round into the ratings."""
        for i, name in enumerate(opponents):
            gained = [x for results in tables.results[i :: len(opponents)] for x in results]
            if gained:
                self.rating[name] += 0.3 * (float(np.mean(gained)) - self.rating[name])

    def table(self) -> str:
        """Returns the ratings, the hardest opponents first."""
        rows = sorted(self.rating.items(), key=lambda item: item[1])
        return ", ".join(f"{Path(name).name if name.startswith('checkpoint:') else name} {rating:+.2f}" for name, rating in rows)


def main() -> None:
    o = curve.options(
        __doc__, "leduc", bots=("scripted,scripted(slips=0.3),random", "agents of the server"), folder=("", "of past selves; a temporary one"),
        opponents=(3, "met in a round"), round=(10, "updates in a round"), member=(5, "rounds until a past self joins"), **PPO,
    )  # fmt: skip
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client, tempfile.TemporaryDirectory() as scratch:
        folder = Path(o.folder or scratch).resolve()
        start = weights.new(client.spec(o.game), [o.hidden, o.hidden], seed=o.seed)
        net = from_checkpoint(start)
        adam = torch.optim.Adam(net.parameters(), lr=o.rate, eps=1e-5)
        league, decisions, rounds = League(o.bots.split(","), o.seed), 0, 0
        with curve.Curve(client, o, logits(net)) as learning:
            while learning.goes_on(decisions):
                if rounds % o.member == 0:
                    member = folder / f"self-{rounds:04}"
                    weights.save(member, to_checkpoint(net, start))
                    league.rating[f"checkpoint:{member}"] = 0.0
                opponents = league.choose(o.opponents)
                tables = Rated(client, o.game, opponents, o.envs)
                shown = tables.reset(o.seed + rounds)
                for _ in range(o.round):
                    shown, batch = collect(net, tables, shown, o.steps, o.decay)
                    update(net, adam, batch, o)
                    decisions += len(batch[0])
                tables.close()
                league.note(tables, opponents)
                rounds += 1
        print(f"{rounds} rounds; gained against each, of 1: {league.table()}")


if __name__ == "__main__":
    main()
