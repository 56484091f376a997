"""Checks every link and source of the built site: that what it means is there, and on this host."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The names and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.names.add(value)
            elif name in ("href", "src", "poster", "data") and value and not (tag == "link" and ("rel", "canonical") in attrs):
                self.links.append((tag, value))


def faults(site: Path) -> list[str]:
    """What is wrong with the links of a built site, a line each."""
    read: dict[Path, Page] = {}
    for path in site.rglob("*.html"):
        page = read[path] = Page()
        page.feed(path.read_text(encoding="utf-8"))
    wrong = []
    for path, page in read.items():
        for tag, link in page.links:
            at = urlsplit(link)
            if at.scheme in ("http", "https") or link.startswith("//"):
                if tag != "a":
                    wrong.append(f"{path.relative_to(site)}: <{tag}> is from another host: {link}")
                continue
            if at.scheme or path.name == "404.html":
                continue
            to = path if not at.path else (path.parent / unquote(at.path)).resolve()
            if to.is_dir():
                to = to / "index.html"
            if not to.exists():
                wrong.append(f"{path.relative_to(site)}: {link} leads nowhere")
            elif (
                at.fragment
                and to in read
                and not at.fragment.startswith(":~:")
                and at.fragment != "__top"
                and unquote(at.fragment) not in read[to].names
            ):
                wrong.append(f"{path.relative_to(site)}: {link}: the page has no such place")
    for sheet in site.rglob("*.css"):
        for url in re.findall(r"(?:@import\s+|url\()[\"']?(https?:[^\"')]+)", sheet.read_text(encoding="utf-8")):
            wrong.append(f"{sheet.relative_to(site)}: it takes {url} from another host")
    return sorted(wrong)
