"""Brings the pages of the repository into the site, and writes its references.

MkDocs calls on_files and on_page_markdown. No page is copied: each is read where it stands, and
its links are written anew for where the site has it.
"""

import posixpath
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import gallery  # noqa: E402
import links  # noqa: E402
import navigation  # noqa: E402
import notebooks  # noqa: E402
import paper  # noqa: E402
import reference  # noqa: E402
import repository  # noqa: E402
from mkdocs.exceptions import PluginError  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402


def on_files(files: Files, config) -> Files:
    """Adds the pages that do not stand in the folder of the site's own, and the navigation."""
    for source, page in repository.pages().items():
        files.append(File.generated(config, page, content=(repository.ROOT / source).read_text(encoding="utf-8")))
    for source, page in repository.assets().items():
        files.append(File.generated(config, page, abs_src_path=str(repository.ROOT / source)))
    for made in (reference.pages(), gallery.pages(), notebooks.pages(config.extra["sources"])):
        for page, content in made.items():
            files.append(File.generated(config, page, content=content))
    config.nav = navigation.nav({f.src_uri for f in files.documentation_pages()})
    return files


def on_page_markdown(markdown: str, page, config, files) -> str:
    """Writes the links of a page of the repository anew."""
    source = repository.source_of(page.file.src_uri)
    if source is None:
        return markdown
    text = repository.relinked(markdown, source, config.extra["sources"])
    if page.file.src_uri == "tutorials/index.md":
        text += more_tutorials(text, files)
    if source == paper.SOURCE:
        heading, _, body = text.partition("\n")
        text = f'{heading}\n\n<a class="md-button" href="{Path(paper.PAGE).stem}.pdf">This page as a PDF</a>\n{body}'
    return text


def more_tutorials(text: str, files: Files) -> str:
    """Links to the tutorials and notebooks that a page does not name."""
    more = []
    for f in files.documentation_pages():
        if navigation.section(f.src_uri) == "Tutorials" and f.src_uri != "tutorials/index.md" and f.name + ".md" not in text:
            short = navigation.titled(f.src_uri)
            title = next(iter(short)) if isinstance(short, dict) else re.search(r"^# (.+)$", f.content_string, flags=re.M)[1]
            more.append(f"- [{title}]({posixpath.relpath(f.src_uri, 'tutorials')})")
    return "\nOthers, from Python and for authors of games:\n\n" + "\n".join(more) + "\n" if more else ""


def on_post_page(output: str, page, config) -> str:
    """Names what the theme leaves without a name, for screen readers."""
    output = output.replace('data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"')
    output = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", output)  # nothing heads a column of pictures
    seen: dict[str, int] = {}

    def named(m: re.Match) -> str:
        title = re.search(rf'<label class="md-nav__title" for="{m[2]}">\s*(?:<span[^>]*></span>)?\s*(.*?)\s*</label>', output, flags=re.S)
        return m[1] + f' aria-label="{unique(title[1] if title else m[2], seen)}, pages"'

    output = re.sub(r'(<nav class="md-nav" data-md-level="\d+") aria-labelledby="(__nav_[\d_]+)_label"', named, output)
    return re.sub(r'(<nav class="md-nav" aria-label=")([^"]*)"', lambda m: f'{m[1]}{unique(m[2], seen)}"', output)


def unique(name: str, seen: dict[str, int]) -> str:
    """The name, with its number where others have it too."""
    name = re.sub(r"<[^>]*>", "", name).strip()
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"


def on_post_build(config) -> None:
    """Writes the paper, and follows every link of the site."""
    paper.write(Path(config.site_dir, paper.PAGE).with_suffix(".pdf"))
    if wrong := links.faults(Path(config.site_dir).resolve()):
        raise PluginError("\n".join([f"{len(wrong)} links are wrong:", *wrong[:40]]))
