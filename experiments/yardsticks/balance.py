"""How the games are balanced when equals play: wins and returns by seat, of the scripted
player and of the bots of the zoo.

    python experiments/yardsticks/balance.py [--powderkeg bin/powderkeg] [--games 1000] [--out experiments/balance.csv]

Both sides of a match are the same player under two names, so that every game is one of
equals and every seat is held equally often. A line of the CSV is a seat: 95% intervals are
Wilson's over its games. Lines that are there already are kept, so that it goes on after
Ctrl-C.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import math
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

FACTIONS = ("guards", "wu", "mibits", "agents", "engineers")

#: Games with the names of their seats and their bot.
GAMES: List[Tuple[str, List[str], str]] = [
    *((f"jogu(first={a},second={b})", [a, b], "jogu") for a, b in itertools.product(FACTIONS, FACTIONS)),
    ("domination", ["seat 0", "seat 1"], "domination"),
    ("domination(players=3)", [f"seat {p}" for p in range(3)], "domination_three"),
    ("domination(players=4)", [f"seat {p}" for p in range(4)], "domination_four"),
    ("domination(players=5)", [f"seat {p}" for p in range(5)], "domination_five"),
    ("domination(players=6)", [f"seat {p}" for p in range(6)], "domination_six"),
    ("insurgency", ["Rebel", "Federal"], "insurgency"),
    ("insurgency(scenario=resistance)", ["Rebel", "Federal"], "insurgency_resistance"),
    ("minuteman(scenario=partisan)", ["Government", "Rebel"], "minuteman_partisan"),
    ("minuteman", ["Government", "Rebel"], "minuteman"),
]

COLUMNS = ["game", "player", "seat", "role", "games", "win_rate", "low", "high", "mean_return"]


def wilson(wins: float, n: int) -> Tuple[float, float]:
    """Returns the 95% score interval of a share."""
    z = 1.959964
    centre, half = wins / n + z * z / (2 * n), z * math.sqrt(wins / n * (1 - wins / n) / n + z * z / (4 * n * n))
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


def seats(program: str, game: str, names: Tuple[str, str], roles: List[str], games: int) -> Iterator[Dict[str, Any]]:
    """Plays a match of a player with itself and returns its lines."""
    out = subprocess.run([program, "match", game, *names, "--games", str(games), "--json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    agents = json.loads(out)["agents"]
    for seat, role in enumerate(roles):
        held = [a["by_seat"][seat] for a in agents]
        n = sum(h["games"] for h in held)
        wins = sum(h["games"] * h["win_rate"] for h in held)
        low, high = wilson(wins, n)
        mean = sum(h["games"] * h["mean_return"] for h in held) / n
        yield dict(zip(COLUMNS, [game, names[0], seat, role, n, *(round(x, 4) for x in (wins / n, low, high, mean))]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--powderkeg", default="bin/powderkeg", help="the program")
    parser.add_argument("--games", type=int, default=1000, help="games of each player and game")
    parser.add_argument("--out", type=Path, default=Path("experiments/balance.csv"))
    o = parser.parse_args()
    lines: List[Dict[str, Any]] = []
    if o.out.exists():
        with o.out.open(newline="") as f:
            lines = list(csv.DictReader(f))
    have = {(line["game"], line["player"]) for line in lines}
    for game, roles, bot in GAMES:
        for names in (("scripted", "scripted(slips=0)"), (f"zoo:{bot}", f"network(net=zoo:{bot})")):
            if (game, names[0]) in have:
                continue
            lines += seats(o.powderkeg, game, names, roles, o.games)
            with o.out.open("w", newline="") as f:
                table = csv.DictWriter(f, COLUMNS, lineterminator="\n")
                table.writeheader()
                table.writerows(lines)
            print(game, names[0], [line["win_rate"] for line in lines[-len(roles):]], flush=True)


if __name__ == "__main__":
    main()
