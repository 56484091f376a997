"""experiments/paper.md as a PDF: pandoc turns it into Typst, Typst into pages."""

import re
from pathlib import Path

import pypandoc
import repository
import typst

SOURCE = "experiments/paper.md"
PAGE = repository.place(SOURCE)

#: How the pages look. The fonts are those that come with Typst.
LOOK = """
#set document(title: [{title}], date: none)
#set page(paper: "a4", margin: (x: 2.4cm, y: 2.4cm), numbering: "1")
#set text(font: "Libertinus Serif", size: 10pt, lang: "en", hyphenate: true)
#set par(justify: true, leading: 0.6em, spacing: 0.9em)
#show raw: set text(font: "DejaVu Sans Mono", size: 0.82em)
#show heading: set block(above: 1.4em, below: 0.7em)
#show heading.where(level: 1): set text(size: 12.5pt)
#show heading.where(level: 2): set text(size: 11pt)
#show link: underline
#show table: set text(size: 8pt, hyphenate: false)
#show table: set par(justify: false)
#show table: set align(left)
#show image: it => align(center, block(width: 62%, it))
#show figure.where(kind: table): set block(breakable: true)
#set table(inset: (x: 0.45em, y: 0.4em), stroke: none)
#let horizontalrule = line(length: 100%)
#align(center, block(width: 88%, text(size: 16pt, weight: "bold", hyphenate: false)[#par(justify: false)[{title}]]))
#v(1em)
"""


def write(to: Path) -> None:
    """Writes the PDF."""
    text = (repository.ROOT / SOURCE).read_text(encoding="utf-8")
    heading, _, body = text.partition("\n")
    # Pages of the repository are names on paper.
    body = repository.LINK.sub(lambda m: m[0] if m[1] or re.match(r"https?:", m[3]) else m[2], body)
    made = pypandoc.convert_text(
        body,
        "typst",
        format="markdown-citations-implicit_figures+pipe_tables-tex_math_dollars",
        extra_args=["--shift-heading-level-by=-1", "--wrap=none"],
    )
    widths = iter(columns(body))
    made = re.sub(r"columns: (?:\d+|\([\d.% ,]+\)),", lambda _: f"columns: ({next(widths)}),", made)
    title = pypandoc.convert_text(heading.lstrip("# "), "typst", format="markdown").strip()
    to.parent.mkdir(parents=True, exist_ok=True)
    folder = (repository.ROOT / SOURCE).parent
    to.write_bytes(typst.compile((LOOK.replace("{title}", title) + made).encode(), root=str(folder)))


def columns(body: str) -> list[str]:
    """The widths of the columns of each table, by their longest words and the length of what they say."""
    found = []
    for table in re.findall(r"^(?:\|.*\n)+", body, flags=re.M):
        cells = zip(*(row.strip().strip("|").split("|") for row in table.splitlines()), strict=True)
        found.append("".join(f"{width(column):.1f}fr, " for column in cells))
    return found


def width(column: tuple[str, ...]) -> float:
    """The share of the page that a column wants."""
    longest = max(len(c.strip()) for c in column)
    word = max(len(w) for c in column if set(c) - set("-: ") for w in c.split() or [""])
    return max(1.3 * word, 0.8 * min(longest, 60), 4)
