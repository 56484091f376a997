"""Draws the curves that the learners leave.

    python figure.py OUT.png CURVE.csv [CURVE.csv ...]

Each file gets a panel of its name. It needs matplotlib.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any, Dict, List

#: Opponents keep their colours from panel to panel.
COLOURS = {"random": "tab:blue", "scripted": "tab:orange"}


def draw(curves: Dict[str, List[Dict[str, Any]]], path: Path) -> bool:
    """Draws the rows of curves, a panel each, and reports whether there was something to
    draw them with."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        return False
    # Files that are committed should differ only where the curves do.
    matplotlib.rcParams["svg.hashsalt"] = "curves"
    wide = min(3, len(curves))
    tall = -(-len(curves) // wide)
    figure = Figure(figsize=(1 + 3 * wide, 0.6 + 2.2 * tall), layout="constrained")
    panels: Any = figure.subplots(tall, wide, sharey=True, squeeze=False)
    for axes in panels.flat[len(curves) :]:
        axes.set_visible(False)
    for axes, (title, rows) in zip(panels.flat, curves.items()):
        for opponent in dict.fromkeys(row["opponent"] for row in rows):
            columns = [[float(row[key]) for row in rows if row["opponent"] == opponent] for key in ("seconds", "win_rate", "low", "high")]
            colour = COLOURS.get(opponent)
            axes.plot(columns[0], columns[1], label=f"against {opponent}", color=colour)
            axes.fill_between(columns[0], columns[2], columns[3], alpha=0.2, color=colour, linewidth=0)
        axes.set(title=title, ylim=(0, 1))
        axes.grid(alpha=0.3)
    panels[0][0].legend(loc="lower right", fontsize="small")
    figure.supxlabel("seconds of learning")
    figure.supylabel("win rate")
    figure.savefig(path, dpi=80, metadata={"Date": None} if path.suffix == ".svg" else None)
    return True


def main() -> None:
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    out, *files = map(Path, sys.argv[1:])
    curves = {}
    for path in files:
        with path.open(newline="") as file:
            curves[path.stem] = list(csv.DictReader(file))
    if not draw(curves, out):
        raise SystemExit("figure.py needs matplotlib: pip install matplotlib")


if __name__ == "__main__":
    main()
