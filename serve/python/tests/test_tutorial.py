"""The tutorial's and the README's code runs as it is printed."""

from __future__ import annotations

import contextlib
import io
import re
import unittest
from pathlib import Path
from typing import Any, Dict, List


FOLDER = Path(__file__).resolve().parents[1]


def blocks(page: str) -> List[str]:
    """Returns the Python code of a page, block by block."""
    return re.findall(r"^```python\n(.*?)^```$", (FOLDER / page).read_text(encoding="utf-8"), re.M | re.S)


class PagesTest(unittest.TestCase):
    def run_page(self, page: str, count: int = 4) -> str:
        names: Dict[str, Any] = {}
        said = io.StringIO()
        found = blocks(page)
        self.assertGreaterEqual(len(found), count)
        with contextlib.redirect_stdout(said):
            for i, code in enumerate(found):
                exec(compile(code, f"{page}, block {i + 1}", "exec"), names)
        return said.getvalue()

    def test_the_tutorial_runs(self) -> None:
        said = self.run_page("TUTORIAL.md")
        for want in ("leduc", "returns by seat", "you gained", "mean length", "gained in all"):
            self.assertIn(want, said)

    def test_the_readme_runs(self) -> None:
        self.assertIn("[", self.run_page("README.md"))

    def test_the_front_page_runs(self) -> None:
        self.assertRegex(self.run_page("../../README.md", count=1), r"^\[ *-?[01]\. +-?[01]\.\]$")


if __name__ == "__main__":
    unittest.main()
