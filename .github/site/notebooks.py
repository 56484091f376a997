"""Executed notebooks as pages: their words, their code and what it printed and drew."""

import base64
import json

import repository


def pages(sources: str) -> dict[str, str]:
    """A page for each notebook of the Python package."""
    made = {}
    for f in repository.tracked():
        if f.startswith("serve/python/notebooks/") and f.endswith(".ipynb"):
            text = page(json.loads((repository.ROOT / f).read_text(encoding="utf-8")), f)
            made[str(repository.notebook(f))] = repository.relinked(text, f, sources)
    return made


def page(notebook: dict, source: str) -> str:
    """A notebook in Markdown."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        elif cell["cell_type"] == "code" and text.strip():
            parts.append(f"```python\n{text}\n```")
            parts += [output(o) for o in cell["outputs"]]
    return "\n\n".join([*parts, f"*This page is the notebook `{source}`, as it was run.*\n"])


def output(o: dict) -> str:
    """What a cell printed, returned or drew."""
    data = o.get("data", {})
    if "image/svg+xml" in data:
        drawn = base64.b64encode("".join(data["image/svg+xml"]).encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{drawn}" alt="What the cell draws">'
    if "image/png" in data:
        return f'<img src="data:image/png;base64,{"".join(data["image/png"]).replace(chr(10), "")}" alt="What the cell draws">'
    text = "".join(o.get("text", data.get("text/plain", o.get("traceback", ""))))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""
