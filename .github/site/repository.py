"""The Markdown pages of the repository: where the site has them, and how they are linked there."""

import functools
import posixpath
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN = ".github/site/"
TUTORIALS = OWN + "tutorials/"

#: The order in which the site names the games; others follow.
ORDER = ["jogu", "domination", "insurgency", "bloc", "minuteman", "kuhn", "leduc", "liars_dice", "goofspiel", "tictactoe", "connect4"]

IMAGES = {".png", ".svg", ".gif", ".jpg", ".csv"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


@functools.cache
def tracked() -> tuple[str, ...]:
    """The files of the repository, those that Git ignores left out."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return tuple(f for f in listed.splitlines() if (ROOT / f).is_file())


@functools.cache
def games() -> tuple[str, ...]:
    """The games, those that have rules with numbers."""
    found = {f.split("/")[1] for f in tracked() if re.fullmatch(r"engine/\w+/data/rules\.json", f)}
    return tuple(sorted(found, key=lambda g: (ORDER.index(g) if g in ORDER else len(ORDER), g)))


def place(source: str) -> str:
    """Where the site has a file of the repository."""
    if source.startswith(TUTORIALS):
        return source.removeprefix(OWN)
    parts = source.removeprefix(".github/").split("/")
    if source.startswith(".github/"):
        parts = ["project", *parts]
    if parts[0] == "engine" and len(parts) > 2 and parts[1] in games():
        parts = ["games", *parts[1:]]
    if parts[-1] == "README.md":
        parts[-1] = "index.md"
    if parts == ["index.md"]:
        parts = ["project", "readme.md"]
    return "/".join(parts)


@functools.cache
def pages() -> dict[str, str]:
    """Every Markdown page of the repository but templates, with its place; of the site's own, the tutorials."""
    mine = [f for f in tracked() if f.startswith(TUTORIALS) or not f.startswith(OWN)]
    return {f: place(f) for f in mine if f.endswith(".md") and "template" not in f.lower()}


def notebook(source: str) -> str | None:
    """Where the site shows an executed notebook of the repository, if it is one."""
    return source.removesuffix("ipynb") + "md" if source.endswith(".ipynb") and source in tracked() else None


@functools.cache
def assets() -> dict[str, str]:
    """The pictures and tables that pages show, with their places."""
    linked = set()
    for source in pages():
        for _, _, target in LINK.findall((ROOT / source).read_text(encoding="utf-8")):
            at = resolved(source, target)
            if Path(at).suffix in IMAGES and at in tracked():
                linked.add(at)
    own = {OWN + "table.png": "table.png", "serve/web/ui/src/icon.svg": "icon.svg"}
    thumbs = {f: f.removeprefix(OWN) for f in tracked() if f.startswith(OWN + "thumbs/")}
    return {f: place(f) for f in sorted(linked) if not f.startswith(OWN)} | own | thumbs


@functools.cache
def _sources() -> dict[str, str]:
    return {page: source for source, page in pages().items()}


def source_of(page: str) -> str | None:
    """The file of the repository that a page of the site is, if it is one."""
    return _sources().get(page)


def resolved(source: str, target: str) -> str:
    """The path in the repository that a relative link means, without its anchor."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target.partition("#")[0]))


def relinked(markdown: str, source: str, sources: str) -> str:
    """The text of a page with its links meaning pages of the site.

    A link to another file leads to the sources, or where they have no address becomes the
    name of the file. One to nothing at all is left, for the strict build to complain about.
    """
    here = posixpath.dirname(place(source))

    def link(m: re.Match) -> str:
        mark, text, target = m.groups()
        if target.startswith("#") or re.match(r"[a-z]+:", target):
            return m.group(0)
        at, anchor = resolved(source, target), target.partition("#")[2]
        anchor = "#" + anchor if anchor else ""
        for file in (at, posixpath.join(at, "README.md")):
            to = pages().get(file) or assets().get(file) or notebook(file)
            if to:
                return f"{mark}[{text}]({posixpath.relpath(to, here or '.')}{anchor})"
        if not (ROOT / at).exists():
            return m.group(0)
        if sources:
            return f"{mark}[{text}]({sources.rstrip('/')}/{at}{anchor})"
        return text if at in text or text.startswith("`") else f"{text} (`{at}`)"

    return "".join(
        part if part.startswith("```") else LINK.sub(link, spaced(part))
        for part in re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
    )


def spaced(text: str) -> str:
    """The text with an empty line before a list that follows a paragraph at once.

    CommonMark does without it, Python-Markdown does not.
    """
    return re.sub(r"^((?![-*|#>]|\d+\. |\s).+)\n(- )", r"\1\n\n\2", text, flags=re.M)
