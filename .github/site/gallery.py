"""The gallery: a game of each kind, played anew by the bots that ship, picture by picture."""

import functools
import json
import subprocess
import tempfile
from pathlib import Path

import reference
import repository

#: The games of the gallery: who plays, and whose eyes see it.
GAMES = {
    "jogu": (["zoo:jogu", "scripted"], 0),
    "domination": (["zoo:domination"], 0),
    "insurgency": (["zoo:insurgency", "zoo:insurgency_resistance"], 0),
    "bloc": (["zoo:bloc_plans"], 0),
    "minuteman": (["zoo:minuteman"], 0),
    "leduc": (["scripted"], 0),
    "liars_dice": (["scripted"], 0),
    "goofspiel": (["scripted"], 0),
    "connect4": (["mcts(sims=200)"], 0),
}
SEED = 7
MOST = 40  # pictures a game


@functools.cache
def played(game: str) -> tuple[dict, dict[str, str]]:
    """What frames.json says of a game that was played just now, and the pictures."""
    agents, seat = GAMES[game]
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "game.json")
        vs = [word for a in agents for word in ("--vs", a)]
        subprocess.run(
            [reference.PROGRAM, "play", game, "--watch", *vs, "--seed", str(SEED)],
            input=f"end\n{record}\n",
            capture_output=True,
            text=True,
            check=True,
            cwd=repository.ROOT,
        )
        pictures = Path(folder, "pictures")
        subprocess.run(
            [reference.PROGRAM, "replay", str(record), "--frames", str(pictures), "--seat", str(seat), "--most", str(MOST)],
            capture_output=True,
            check=True,
        )
        shown = {p.name: p.read_text(encoding="utf-8") for p in sorted(pictures.glob("*.svg"))}
        return json.loads((pictures / "frames.json").read_text(encoding="utf-8")), shown


def pages() -> dict[str, str]:
    """The page of each game with its pictures, and the one that leads to them."""
    made: dict[str, str] = {}
    links = []
    for game in GAMES:
        frames, pictures = played(game)
        title = reference.listing()[game]["title"]
        for name, svg in pictures.items():
            made[f"gallery/{game}/{name}"] = svg
        made[f"gallery/{game}/start.svg"] = pictures[min(pictures)]
        made[f"gallery/{game}.md"] = page(game, title, frames)
        links.append(
            f'<a class="game" href="{game}.html"><img src="{game}/{middle(pictures)}" alt="" loading="lazy"><span>{title}</span></a>'
        )
    made["gallery/index.md"] = index(links)
    return made


def middle(pictures: dict[str, str]) -> str:
    """A picture from the later part of a game, when much has happened."""
    names = sorted(pictures)
    return names[len(names) * 2 // 3]


def page(game: str, title: str, frames: dict) -> str:
    """A game, picture by picture."""
    agents, seat = GAMES[game]
    data = json.dumps({"frames": frames["frames"], "folder": f"{game}/"}).replace("</", "<\\/")
    vs = " ".join(f"--vs {a!r}" if "(" in a else f"--vs {a}" for a in agents)
    return f"""# {title}, replayed

A game between {", ".join(f"`{p}`" for p in dict.fromkeys(frames["players"]))}, as seat {seat} sees it:
{len(frames["frames"])} moments of {frames["frames"][-1]["move"]:,} moves, chance included.
[The game's page](../games/{game}/index.md) says what it is about.

<div class="player" data-title="{title}">
<div class="stage"><img src="{game}/{frames["frames"][0]["file"]}" alt="The table of {title}, moment 1"></div>
<div class="controls" hidden>
<button type="button" data-do="play">Play</button>
<button type="button" data-do="back">Back</button>
<button type="button" data-do="on">Next</button>
<label>Moment <input type="range" min="1" max="{len(frames["frames"])}" value="1"></label>
<output>1 of {len(frames["frames"])}</output>
</div>
<ol class="told" aria-live="polite" tabindex="0" aria-label="What the seat was told"></ol>
<script type="application/json">{data}</script>
</div>

The same on your machine:

```console
printf 'end\\ngame.json\\n' | powderkeg play {game} --watch {vs} --seed {SEED}
powderkeg replay game.json --frames pictures --seat {seat} --most {MOST}
```
"""


def index(links: list[str]) -> str:
    """The page that leads to the games and the curves."""
    curves = []
    for source in sorted(repository.assets()):
        if source.startswith("experiments/reports/") and source.endswith(("win-rate.png", "return.png", "average.png")):
            number = source.rsplit("/", 1)[1][:4]
            report = next((p for s, p in repository.pages().items() if s.startswith(f"experiments/reports/{number}-")), None)
            if report:
                name = next(t for p, t, _ in reference.report_texts() if p == report)
                at = report.removesuffix(".md") + ".html"
                curves.append(
                    f'<a class="game" href="../{at}"><img src="../{repository.assets()[source]}" alt="" loading="lazy"><span>{name}</span></a>'
                )
    return f"""# Gallery

Games that the bots that ship played against each other while this site was built, and curves of the runs that they learned in. A game is drawn as
one seat sees it; what is hidden from the seat is hidden here.

## Games

<div class="shelf">
{chr(10).join(links)}
</div>

## Curves

<div class="shelf">
{chr(10).join(curves)}
</div>
"""
