"""Executed notebooks as pages: their words, their code and what it printed and drew."""

import json

import repository


def pages() -> dict[str, str]:
    """A page for each notebook of the Python package."""
    found = [f for f in repository.tracked() if f.startswith("serve/python/notebooks/") and f.endswith(".ipynb")]
    return {
        f"notebooks/{f.rsplit('/', 1)[1].removesuffix('.ipynb')}.md": page(json.loads((repository.ROOT / f).read_text(encoding="utf-8")), f)
        for f in found
    }


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
        return "<figure>" + "".join(data["image/svg+xml"]) + "</figure>"
    if "image/png" in data:
        return f"![What the cell draws](data:image/png;base64,{''.join(data['image/png']).strip()})"
    text = "".join(o.get("text", data.get("text/plain", o.get("traceback", ""))))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""
