"""Makes blocks of code of the doctests in docstrings, which Markdown takes for quotations."""

import griffe


class Doctests(griffe.Extension):
    """Puts lines that begin with >>> or ... between fences."""

    def on_instance(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with its doctests between fences."""
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        test = line.lstrip().startswith(">>>") or inside and bool(line.strip())
        if test != inside:
            out += ["", "```pycon"] if test else ["```", ""]
        inside = test
        out.append(line.strip() if test else line)
    return "\n".join([*out, "```"] if inside else out)
