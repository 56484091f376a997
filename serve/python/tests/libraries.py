"""gymnasium and pettingzoo: the real ones where they are installed, otherwise the
stand-ins of tests/fakes, which is then said on standard error."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def _find(name: str) -> bool:
    if importlib.util.find_spec(name) is not None:
        return True
    print(
        f"{name} is not installed: the adapter is tested on the stand-in of tests/fakes, with checks written after {name}'s own",
        file=sys.stderr,
    )
    return False


#: Whether the real libraries are there.
GYMNASIUM = _find("gymnasium")
PETTINGZOO = _find("pettingzoo")

# Behind everything else, so that a real library comes first.
sys.path.append(str(Path(__file__).parent / "fakes"))
