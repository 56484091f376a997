"""Builds the program into the package where its Go sources lie beside it, as they do in the sdist."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

#: The Go module in the sdist; the source tree, whose package finds bin/powderkeg of the tree, has none here.
MODULE = Path(__file__).resolve().parent / "go"

#: What the program and the library are called on this system.
PROGRAM = "powderkeg.exe" if sys.platform == "win32" else "powderkeg"
LIBRARY = {"win32": "powderkeg.dll", "darwin": "libpowderkeg.dylib"}.get(sys.platform, "libpowderkeg.so")


def go_command() -> str:
    """Returns the go command, or ends the build in one line that says what is wanted."""
    found = shutil.which("go")
    if found is None:
        wanted = next(line.split()[1] for line in (MODULE / "go.mod").read_text().splitlines() if line.startswith("go "))
        raise SystemExit(
            f"powderkeg: building from source needs Go {wanted} or newer on the PATH (https://go.dev/dl/); "
            "or install a wheel, which brings the program: pip install --only-binary powderkeg powderkeg"
        )
    return found


class BuildProgram(build_py):
    """Copies the modules, and builds the program beside them; where there is a C compiler, the library too."""

    def run(self) -> None:
        go = go_command() if MODULE.is_dir() else ""
        super().run()
        if not go or self.editable_mode:
            return
        folder = Path(self.build_lib).resolve() / "powderkeg" / "bin"
        folder.mkdir(exist_ok=True)
        library = build(go, folder / LIBRARY, "./serve/inprocess", "library,zoofiles", "-buildmode=c-shared") if compiler(go) else False
        if library:  # it and the program read the same networks
            shutil.copytree(MODULE / "checkpoints" / "zoo", folder / "zoo", dirs_exist_ok=True)
            (folder / LIBRARY).with_suffix(".h").unlink()
        if not build(go, folder / PROGRAM, ".", "zoofiles" if library else ""):
            raise SystemExit("powderkeg: the program could not be built; the go command has said above why")


def compiler(go: str) -> bool:
    """Says whether Go has a C compiler here."""
    enabled, cc = subprocess.run([go, "env", "CGO_ENABLED", "CC"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[:2]
    return enabled == "1" and shutil.which(cc.split()[0]) is not None


def build(go: str, out: Path, package: str, tags: str, *flags: str) -> bool:
    """Builds a package of the module, and says whether that went well."""
    command = [go, "build", *flags, f"-tags={tags}", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", str(out), package]
    print("minutes, the first time:", *command, flush=True)
    cgo = "1" if "-buildmode=c-shared" in flags else "0"
    return subprocess.run(command, cwd=MODULE, env={**os.environ, "CGO_ENABLED": cgo, "CGO_LDFLAGS": ""}, check=False).returncode == 0


class TagWheel(bdist_wheel):
    """Names the system where the program is in the wheel, and no version of Python: any will do."""

    def get_tag(self) -> "tuple[str, str, str]":
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if MODULE.is_dir() else (python, abi, platform)


class WithProgram(Distribution):
    """The package: of one system alone where it is built with the program."""

    def has_ext_modules(self) -> bool:
        return MODULE.is_dir()


setup(cmdclass={"build_py": BuildProgram, "bdist_wheel": TagWheel}, distclass=WithProgram)
