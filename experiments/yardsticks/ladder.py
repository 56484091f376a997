"""Finds how often a player must slip for four levels of it to make a ladder, each of which
wins some three games of four against the one below, and rates them.

    python experiments/yardsticks/ladder.py 'domination(players=3)' 'network(net=zoo:domination_three,slips=%s)' [--games 300] [--powderkeg bin/powderkeg]
    python experiments/yardsticks/ladder.py connect4 'scripted(slips=%s)' --slips 0.4,0.262,0.125

%s stands for the share of moves that the player makes at random. From the best downwards it
is searched by halving until the level above takes --share of the games, to within --within;
with --slips, from the weakest, nothing is searched. Then all levels and the scripted player
meet in pairs, and strengths on Elo's scale are fitted by maximum likelihood (Bradley and
Terry), the scripted player at 1500.

At a table of more than two seats a pair meets in every mixture of the two, and a side's
share is that of the games that it wins. With --team nobody meets: each player has all seats
of a table, which win or lose together, and the share is that of the games that are won by
one of two teams and lost by the other, each team having won and lost as often as it does.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import subprocess
from typing import Any, Dict, List, Tuple

from balance import wilson  # beside this file

NAMES = ("beginner", "casual", "strong", "best")
ANCHOR, ANCHOR_ELO = "scripted", 1500


class Pairs:
    """Matches of a game, each played once."""

    def __init__(self, program: str, game: str, games: int) -> None:
        self.program, self.game, self.games = program, game, games
        self.seen: Dict[Tuple[str, str], Tuple[float, int]] = {}

    def share(self, first: str, second: str) -> float:
        """Returns the share of the games that the first player wins; draws count half."""
        if (second, first) in self.seen:
            return 1 - self.seen[second, first][0]
        if (first, second) not in self.seen:
            result = played([self.program, "match", self.game, first, second, "--games", str(self.games), "--json"])
            wins = [a["win_rate"] * a["games"] for a in result["agents"]]
            self.seen[first, second] = (wins[0] / sum(wins), result["games"])
        return self.seen[first, second][0]

    def interval(self, first: str, second: str) -> Tuple[float, float]:
        """Returns the 95% interval of the share."""
        return wilson(self.share(first, second) * self.games, self.games)

    def ratings(self, players: List[str], anchor: str) -> Dict[str, float]:
        """Returns strengths by maximum likelihood, the anchor's at its place. A game is added to
        each pair, half a win for either, so that a player who wins nothing has a place too."""
        for a, b in itertools.combinations(players, 2):
            self.share(a, b)
        strength = dict.fromkeys(players, 1.0)
        score: Dict[str, float] = dict.fromkeys(players, 0.0)
        for (a, b), (share, n) in self.seen.items():
            if a in strength and b in strength:
                score[a] += share * n + 0.5
                score[b] += (1 - share) * n + 0.5
        for _ in range(10000):  # minorisation and maximisation (Hunter, 2004)
            for p in players:
                met = [(q, n + 1) for (a, b), (_, n) in self.seen.items() for q in ({a, b} - {p}) if p in (a, b) and q in strength]
                strength[p] = score[p] / sum(n / (strength[p] + strength[q]) for q, n in met)
        return {p: ANCHOR_ELO + 400 * math.log10(strength[p] / strength[anchor]) for p in players}


class Teams(Pairs):
    """Players of a game whose seats win together, each with a table of its own."""

    def __init__(self, program: str, game: str, games: int) -> None:
        super().__init__(program, game, games)
        self.results: Dict[str, Tuple[float, float]] = {}

    def share(self, first: str, second: str) -> float:
        """Returns the share of the first team of the games that one of two wins and the other does not."""
        return 1 / (1 + math.exp(self.odds(second) - self.odds(first)))

    def interval(self, first: str, second: str) -> Tuple[float, float]:
        """Returns the 95% interval of the share, by that of the logarithm of the odds' ratio (Woolf, 1955)."""
        ratio = self.odds(first) - self.odds(second)
        error = 1.96 * math.sqrt(sum(1 / n for p in (first, second) for n in self.results[p]))
        return 1 / (1 + math.exp(error - ratio)), 1 / (1 + math.exp(-error - ratio))

    def odds(self, player: str) -> float:
        """Returns the logarithm of the odds that a team wins. Half a game is added to either side."""
        if player not in self.results:
            result = played([self.program, "match", self.game, player, "--games", str(self.games), "--json"])
            won, n = result["win_rate"] * result["games"], result["games"]
            low, high = wilson(won, n)
            print(f"  a team of {player} wins {won / n:.1%} [{low:.1%}, {high:.1%}]", flush=True)
            self.results[player] = (won + 0.5, n - won + 0.5)
        won, lost = self.results[player]
        return math.log(won / lost)

    def ratings(self, players: List[str], anchor: str) -> Dict[str, float]:
        """Returns strengths by the odds of winning."""
        return {p: ANCHOR_ELO + 400 * (self.odds(p) - self.odds(anchor)) / math.log(10) for p in players}


def played(command: List[str]) -> Any:
    """Returns what a match says."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def search(pairs: Pairs, agent: str, above: str, least: float, want: float, within: float) -> float:
    """Returns the share of slips, above that of the level above, against which it takes about what is wanted."""
    low, high = least, 1.0
    for _ in range(10):
        slips = round((low + high) / 2, 3)
        share = pairs.share(agent % above, agent % slips)
        print(f"  {agent % above} takes {share:.1%} against slips {slips}", flush=True)
        if abs(share - want) <= within:
            return slips
        low, high = (slips, high) if share < want else (low, slips)
    return slips


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("agent", help="an agent string with %%s for the share of slips")
    parser.add_argument("--powderkeg", default="bin/powderkeg")
    parser.add_argument("--games", type=int, default=300, help="games a pair")
    parser.add_argument("--levels", type=int, choices=range(2, len(NAMES) + 1), default=len(NAMES), help="fewer where the game has no room for four")
    parser.add_argument("--slips", help="those of the levels below the best, such as beginner, casual and strong; nothing is searched")
    parser.add_argument("--team", action="store_true", help="each player has all seats of a table (see above)")
    parser.add_argument("--share", type=float, default=0.75)
    parser.add_argument("--within", type=float, default=0.02)
    options = parser.parse_args()
    if options.agent.count("%s") != 1:
        parser.error(f"the agent {options.agent} has no %s, or several")
    pairs = (Teams if options.team else Pairs)(options.powderkeg, options.game, options.games)
    slips: List[str] = options.slips.split(",") if options.slips else []
    below = len(slips) if slips else options.levels - 1
    if below >= len(NAMES):
        parser.error(f"--slips has {below} shares, of which there may be {len(NAMES) - 1}")
    names = [*NAMES[:below], NAMES[-1]]
    if not slips:
        above = "0"
        for _ in names[:-1]:
            above = str(search(pairs, options.agent, above, float(above), options.share, options.within))
            slips.insert(0, above)
    levels = [options.agent % s for s in [*slips, "0"]]
    anchor = levels[-1] if options.agent.startswith(ANCHOR + "(") else ANCHOR  # its levels end with itself
    ratings = pairs.ratings(list(dict.fromkeys([*levels, anchor])), anchor)
    print(f"\n{options.game}, {options.games} games a {'team' if options.team else 'pair'}")
    for i, (name, level) in enumerate(zip(names, levels)):
        line = f"{name:9} {ratings[level]:5.0f}  {level}"
        if i > 0:
            share = pairs.share(level, levels[i - 1])
            low, high = pairs.interval(level, levels[i - 1])
            line += f"  takes {share:.1%} [{low:.1%}, {high:.1%}] against the one below"
        print(line)


if __name__ == "__main__":
    main()
