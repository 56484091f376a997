"""Packs a folder: pack.py OUT FOLDER SECONDS. OUT ends in .tar.gz or .zip, and holds FOLDER by its last name. Of the same
files comes the same archive, byte for byte: sorted, of nobody, and as old as SECONDS after 1970 says."""

import gzip
import shutil
import sys
import tarfile
import time
import zipfile
from pathlib import Path


def members(folder: Path):
    """Yields each file with its name in the archive and its mode."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        yield path, path.relative_to(folder.parent).as_posix(), 0o755 if path.stat().st_mode & 0o100 else 0o644


def tar(out: Path, folder: Path, seconds: int) -> None:
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, seconds) as packed, tarfile.open(fileobj=packed, mode="w") as t:
        for path, name, mode in members(folder):
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime = path.stat().st_size, mode, seconds
            with open(path, "rb") as content:
                t.addfile(info, content)


def zipped(out: Path, folder: Path, seconds: int) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for path, name, mode in members(folder):
            info = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
            with open(path, "rb") as content, z.open(info, "w", force_zip64=False) as member:
                shutil.copyfileobj(content, member)


def main(out: str, folder: str, seconds: str) -> None:
    (zipped if out.endswith(".zip") else tar)(Path(out), Path(folder), int(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
