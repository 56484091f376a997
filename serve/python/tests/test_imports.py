"""The modules of the package stand in an order: none imports, not even for its types, one that imports it."""

import ast
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Dict, List, Set

PACKAGE = Path(__file__).parent.parent / "powderkeg"


def imports(path: Path) -> Set[str]:
    """The modules of the package that a module imports."""
    found: Set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found.update([node.module] if node.module else [name.name for name in node.names])
    return found


class Imports(unittest.TestCase):
    def test_no_circle(self) -> None:
        edges: Dict[str, Set[str]] = {p.stem: imports(p) for p in PACKAGE.glob("*.py")}
        self.assertGreater(len(edges), 10)
        done: Set[str] = set()

        def visit(module: str, way: List[str]) -> None:
            self.assertNotIn(module, way, "modules import each other: " + " -> ".join([*way, module]))
            if module not in done:
                for other in sorted(edges.get(module, ())):
                    visit(other, [*way, module])
                done.add(module)

        for module in sorted(edges):
            visit(module, [])

    def test_a_package_that_is_missing_is_told_with_the_extra_that_brings_it(self) -> None:
        for module, missing, extra in (
            ("gymnasium", "gymnasium", "gymnasium"), ("gymnasium_vector", "gymnasium", "gymnasium"), ("pettingzoo", "pettingzoo", "pettingzoo"),
            ("pettingzoo", "gymnasium", "pettingzoo"), ("minari", "minari", "minari"),
        ):  # fmt: skip
            with self.subTest(module=module, missing=missing):
                script = f"import sys; sys.modules[{missing!r}] = None; import powderkeg.{module}"
                run = subprocess.run([sys.executable, "-c", script], cwd=PACKAGE.parent, capture_output=True, text=True)
                self.assertEqual(run.stderr.splitlines()[-1], f"ModuleNotFoundError: this needs {missing}: pip install 'powderkeg[{extra}]'")


if __name__ == "__main__":
    unittest.main()
