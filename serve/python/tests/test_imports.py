"""The modules of the package stand in an order: none imports, not even for its types, one that imports it."""

import ast
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


if __name__ == "__main__":
    unittest.main()
