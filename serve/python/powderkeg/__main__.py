"""The command line: python -m powderkeg, and the script powderkeg."""

import sys
from typing import NoReturn

from .program import run


def main() -> NoReturn:
    """Runs the powderkeg program with the arguments of this one."""
    run(sys.argv[1:])


if __name__ == "__main__":
    main()
