"""The navigation: each page of the site once, new pages where their kind has its place."""

import posixpath

import repository

#: The sections in their order: title, and the beginnings of the pages' paths. A page belongs
#: to the section with the longest beginning that it has.
SECTIONS = [
    ("Tutorials", ["tutorials/", "serve/python/TUTORIAL", "serve/python/notebooks/"]),
    ("Games", ["games/", "engine/"]),
    ("Gallery", ["gallery/"]),
    ("Guide", ["train/", "serve/", "checkpoints/", "env/", "agents/", "experiments/cluster/"]),
    ("Reference", ["reference/", "serve/protocol/", "checkpoints/FORMAT"]),
    ("Results", ["experiments/", "checkpoints/zoo/"]),
    ("Project", ["project/"]),
]

#: The pages that come first in their section.
FIRST = [
    "tutorials/index.md",
    "tutorials/first-bot.md",
    "tutorials/beat-it.md",
    "tutorials/fleet.md",
    "tutorials/suite.md",
    "tutorials/add-a-game.md",
    "serve/python/TUTORIAL.md",
    "serve/python/notebooks/ppo.md",
    "serve/python/notebooks/search.md",
    "serve/python/notebooks/dataset.md",
    "games/index.md",
    "gallery/index.md",
    "serve/python/index.md",
    "serve/web/index.md",
    "train/index.md",
    "reference/commands.md",
    "reference/config.md",
    "reference/python.md",
    "reference/go.md",
    "experiments/index.md",
    "experiments/paper.md",
    "project/readme.md",
    "project/CONTRIBUTING.md",
]


def nav(found: set[str]) -> list:
    """The navigation of the pages that there are."""
    out: list = [{"Home": "index.md"}]
    for title, _ in SECTIONS:
        mine = sorted((p for p in found if p != "index.md" and not p.startswith("reference/packages/") and section(p) == title), key=rank)
        if mine:
            out.append({title: grouped(mine, title)})
    return out


def section(page: str) -> str:
    """The section that a page belongs to."""
    best, name = -1, SECTIONS[-1][0]
    for title, beginnings in SECTIONS:
        for b in beginnings:
            if page.startswith(b) and len(b) > best:
                best, name = len(b), title
    return name


def rank(page: str) -> tuple:
    """The order within a section."""
    folder, name = posixpath.split(page)
    game = folder.split("/")[1] if page.startswith("games/") and "/" in folder else ""
    return (
        FIRST.index(page) if page in FIRST else len(FIRST),
        repository.games().index(game) if game in repository.games() else len(repository.games()),
        folder,
        ["index.md", "rules.md", "observations.md"].index(name) if name in ("index.md", "rules.md", "observations.md") else 3,
        page,
    )


def grouped(pages: list[str], title: str) -> list:
    """Pages of one folder with several under a heading of their own."""
    by: dict[str, list] = {}
    for p in pages:
        folder = posixpath.dirname(p)
        by.setdefault(folder if group(folder) else p, []).append(p)
    out: list = []
    for list_ in by.values():
        if group(posixpath.dirname(list_[0])):
            out.append({group(posixpath.dirname(list_[0])): [titled(p) for p in list_]})
        else:
            out.extend(map(titled, list_))
    return out


def titled(page: str) -> str | dict:
    """A page of a game under a short title."""
    if page == "serve/python/TUTORIAL.md":
        return {"Python, step by step": page}
    short = {"rules.md": "Rules", "observations.md": "Observations and actions", "RULINGS.md": "Rulings"}.get(posixpath.basename(page))
    return {short: page} if short and page.startswith("games/") else page


def group(folder: str) -> str:
    """The heading of a folder's pages, empty where they stand in the section itself."""
    if folder.startswith("games/"):
        return folder.removeprefix("games/").replace("_", " ").capitalize()
    return {
        "experiments/reports": "Reports",
        "experiments/cards": "Cards of the bots",
        "project/adr": "Decisions",
        "serve/python/notebooks": "Notebooks",
    }.get(folder, "")
