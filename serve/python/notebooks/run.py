"""Runs notebooks, each with a fresh kernel of this Python.

    python run.py [--write | --same] [FILE ...]      # all notebooks here without a name

It fails where a cell does. With --write the outputs are put into the files. With --same it also
fails where a cell prints other words than the file has: what is seeded comes out the same.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, List

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def printed(notebook: Any) -> List[str]:
    """Returns what each cell of a notebook prints."""
    return ["".join(o.text for o in cell.get("outputs", []) if o.get("name") == "stdout") for cell in notebook.cells]


def run(path: Path, write: bool, same: bool) -> None:
    """Runs one notebook in the folder that it stands in."""
    notebook = nbformat.read(path, as_version=4)
    before = printed(notebook)
    NotebookClient(notebook, timeout=600, record_timing=False, resources={"metadata": {"path": str(path.parent)}}).execute()
    for i, (was, now) in enumerate(zip(before, printed(notebook))):
        if same and was != now:
            sys.exit(f"{path.name}, cell {i}: it prints\n{now}where the file has\n{was}(run.py --write writes it down)")
    if write:
        notebook.metadata = nbformat.NotebookNode(kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"})
        nbformat.write(notebook, path)
    print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells ran")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="put the outputs into the files")
    how.add_argument("--same", action="store_true", help="fail where a cell prints other words than the file has")
    o = parser.parse_args()
    # The kernel finds the package of this folder's parent, whether or not one is installed.
    os.environ["PYTHONPATH"] = os.pathsep.join(p for p in (str(HERE.parent), os.environ.get("PYTHONPATH", "")) if p)
    for path in o.files or sorted(HERE.glob("*.ipynb")):
        run(path.resolve(), o.write, o.same)


if __name__ == "__main__":
    main()
