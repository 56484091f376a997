"""The powderkeg program that the client starts: where it is, and running it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, NoReturn, Optional

from .errors import ServerNotFound

#: What the program is called on this system.
NAME = "powderkeg.exe" if sys.platform == "win32" else "powderkeg"


def source_tree() -> Optional[Path]:
    """Returns the root of the source tree that this file lies in, if it does."""
    for folder in Path(__file__).resolve().parents:
        if (folder / "go.mod").is_file() and (folder / "main.go").is_file():
            return folder if (folder / "serve" / "python" / "powderkeg").is_dir() else None  # another program in Go
    return None


def find() -> str:
    """Returns the path of the program: the one that POWDERKEG_BIN names, the one that the
    wheel has brought, bin/powderkeg of the source tree around this file, or powderkeg on
    the PATH. Raises ServerNotFound, which says what to type."""
    named = os.environ.get("POWDERKEG_BIN")
    if named:
        if not (os.path.isfile(named) and os.access(named, os.X_OK)):
            raise ServerNotFound(f"POWDERKEG_BIN is {named!r}, which is no program")
        return named
    brought = Path(__file__).parent / "bin" / NAME
    if brought.is_file():
        return str(brought)
    tree = source_tree()
    if tree is not None:
        built = tree / "bin" / NAME
        if not built.is_file():
            raise ServerNotFound(f"{built} is not there; type: make -C {tree} build")
        return str(built)
    found = _on_path()
    if found is not None:
        return found
    raise ServerNotFound(
        "this installation has no powderkeg program; install a wheel for this system, put powderkeg on the PATH, "
        "name one in POWDERKEG_BIN, or give the address of a server"
    )


def _on_path() -> Optional[str]:
    """Returns powderkeg on the PATH, but not the console script of a package without a
    program, which would look for itself."""
    own = Path(sys.executable).parent
    folders = [f for f in os.environ.get("PATH", "").split(os.pathsep) if f and Path(f) != own]
    return shutil.which(NAME, path=os.pathsep.join(folders))


def run(arguments: List[str]) -> NoReturn:
    """Runs the program in the place of this interpreter, so that signals and the exit code
    are its own."""
    try:
        command = [find(), *arguments]
    except ServerNotFound as e:
        sys.exit(f"powderkeg: {e}")
    if sys.platform != "win32":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(command[0], command)
    process = subprocess.Popen(command)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            pass  # the program has got it too, and ends when it is ready
