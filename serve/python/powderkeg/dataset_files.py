"""The files that ``powderkeg export`` writes (train/dataset/README.md), read in pieces."""

from __future__ import annotations

import hashlib
import json
import math
import os
import zipfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from .spec import Field, fields_of
from .transitions import Columns, DatasetError, Transitions, join

#: The format of files that this package reads.
FORMAT = "powderkeg-dataset/2"

#: Columns with a number or a list of fixed size in each row.
_PLAIN = ("episode", "step", "actor", "observation", "mask", "action", "rewards", "returns", "terminated", "truncated")

#: A list in each row: what its actor sees at the end, in the last row of each seat.
_FINAL = "final_observation"

#: How many rows are read at a time.
_PIECE = 4096


class _File(NamedTuple):
    path: Path
    first: int  # episode
    # What the manifest says, nothing of a file that it does not list.
    episodes: int = 0
    rows: int = 0
    sha256: Optional[str] = None


class DatasetFiles:
    """A dataset on a disk. Made by open_dataset; the files are read as they are needed."""

    def __init__(self, path: Path, seat: Optional[int], episodes: Optional[int], verify: bool) -> None:
        self.path = path
        self._files = [f for f in _files(path) if episodes is None or f.first < episodes]
        self._seat, self._episodes, self._verify = seat, episodes, verify
        if not self._files:
            raise DatasetError(f"{path}: no episodes")
        #: What the files say of themselves: "config" (game, agents, seed), names of "actions".
        self.info: Dict[str, Any] = _info(self._files[0].path)
        self.fields: Tuple[Field, ...] = tuple(fields_of(self.info["layout"]))
        seats = len(self.info["config"]["agents"])
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"seat is {seat}, it must be from 0 to {seats - 1}")

    def load(self) -> Transitions:
        """Reads all transitions."""
        seats = len(self.info["config"]["agents"])
        whole = _Rows(sum(f.rows for f in self._files), seats * sum(f.episodes for f in self._files))
        for file in self._files:
            for piece in self._pieces(file):
                whole.add(piece)
        return self._lived(whole)

    def batches(self, size: int, rng: Optional[np.random.Generator] = None, *, pool: int = 65536) -> Iterator[Transitions]:
        """Yields all transitions once, in batches of a size, of which the last may have fewer. With rng
        in random order: files are drawn, and batches within as many rows as a pool has, or as the longest
        episode. Memory holds no more than a pool, whatever the size of the dataset."""
        if size < 1 or pool < 1:
            raise ValueError(f"size is {size} and pool {pool}, both must be at least 1")
        files = list(self._files)
        if rng is not None:
            rng.shuffle(files)
        left: Optional[Transitions] = None
        for rows in self._pools(files, max(size, pool)):
            order = np.arange(len(rows)) if rng is None else rng.permutation(len(rows))
            if left is not None:
                missing = size - len(left)
                left = join([left, rows.select(order[:missing])])
                if len(left) < size:
                    continue
                yield left
                order = order[missing:]
            cut = len(order) - len(order) % size
            for start in range(0, cut, size):
                yield rows.select(order[start : start + size])
            left = join([rows.select(order[cut:])]) if cut < len(order) else None
        if left is not None:
            yield left

    def _pools(self, files: List[_File], rows: int) -> Iterator[Transitions]:
        """Yields whole episodes with so many rows or more."""
        pool = _Rows()
        for file in files:
            for piece in self._pieces(file):
                ends = np.flatnonzero(piece["terminated"] | piece["truncated"])
                if len(ends) > 0 and pool.rows + ends[-1] + 1 >= rows:
                    head, piece = _cut(piece, int(ends[-1]) + 1)
                    pool.add(head)
                    yield self._lived(pool)
                    pool = _Rows()
                pool.add(piece)
        if pool.rows > 0:
            yield self._lived(pool)

    def _lived(self, rows: _Rows) -> Transitions:
        data = rows.transitions(self.info, self.fields, self.path)
        return data if self._seat is None else data.select(data.actors == self._seat)

    def _pieces(self, file: _File) -> Iterator[Columns]:
        """Yields the rows of a file that are asked for."""
        if self._verify and file.sha256 is not None:
            _verify(file.path, file.sha256)
        for piece in _read(file.path):
            if self._episodes is not None and piece["episode"][-1] >= self._episodes:
                piece, _ = _cut(piece, int(np.searchsorted(piece["episode"], self._episodes)))
                yield piece
                return
            yield piece

    def __repr__(self) -> str:
        config = self.info["config"]
        return f"DatasetFiles({len(self._files)} files of {config['game']} by {', '.join(config['agents'])})"


def open_dataset(
    path: Union[str, "os.PathLike[str]"], *, seat: Optional[int] = None, episodes: Optional[int] = None, verify: bool = True
) -> DatasetFiles:
    """Opens a dataset that ``powderkeg export`` has written, a folder or one of its files, for
    reading in batches. Parquet and Arrow files want ``pip install powderkeg[data]``, NPZ files nothing.
    With ``seat`` the transitions of one seat alone, with ``episodes`` the first games only. Each
    file is held against the SHA-256 in its folder's manifest before it is read, unless ``verify`` is
    False."""
    return DatasetFiles(Path(path), seat, episodes, verify)


def load_dataset(
    path: Union[str, "os.PathLike[str]"], *, seat: Optional[int] = None, episodes: Optional[int] = None, verify: bool = True
) -> Transitions:
    """Reads all of a dataset into memory. The arguments are those of open_dataset, whose batches
    need no more memory than a part of it."""
    return open_dataset(path, seat=seat, episodes=episodes, verify=verify).load()


class _Column:
    """An array that grows."""

    def __init__(self, room: int) -> None:
        self._room, self._rows = room, 0
        self._values: npt.NDArray[Any] = np.empty(0)

    def add(self, values: npt.NDArray[Any]) -> None:
        need = self._rows + len(values)
        if self._rows == 0:
            self._values = np.empty((max(self._room, need), *values.shape[1:]), values.dtype)
        elif need > len(self._values):
            self._values = np.concatenate([self._values[: self._rows], np.empty((need, *values.shape[1:]), values.dtype)])
        self._values[self._rows : need] = values
        self._rows = need

    def done(self) -> npt.NDArray[Any]:
        return self._values[: self._rows]


class _Rows:
    """Rows that are gathered, piece by piece, with room for as many as are expected: memory that is not
    written to costs nothing, and a table that is copied as it grows costs twice."""

    def __init__(self, room: int = 0, finals: int = 0) -> None:
        self._columns = {name: _Column(room) for name in (*_PLAIN, _FINAL)}
        self._columns["observation"] = _Column(room + finals)
        self.rows = 0

    def add(self, piece: Columns) -> None:
        for name, column in self._columns.items():
            column.add(piece[name])
        self.rows += len(piece["episode"])

    def transitions(self, info: Dict[str, Any], fields: Tuple[Field, ...], path: Path) -> Transitions:
        table = self._columns.pop("observation")
        table.add(self._columns.pop(_FINAL).done())
        try:
            return Transitions(table.done(), {name: column.done() for name, column in self._columns.items()}, info, fields)
        except DatasetError as e:
            raise DatasetError(f"{path}: {e}") from None


def _cut(piece: Columns, rows: int) -> Tuple[Columns, Columns]:
    """Cuts a piece behind so many rows."""
    finals = int(np.count_nonzero(piece["final"][:rows]))
    at = {name: finals if name == _FINAL else rows for name in piece}
    return {name: values[: at[name]] for name, values in piece.items()}, {name: values[at[name] :] for name, values in piece.items()}


def _files(path: Path) -> List[_File]:
    """Returns the files of a dataset."""
    if not path.is_dir():
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such file or folder")
        beside = path.parent / "_dataset.json"
        listed = _manifest(beside)[1] if beside.exists() else []
        return [f for f in listed if f.path == path] or [_File(path, 0)]
    manifest = path / "_dataset.json"
    if not manifest.exists():
        raise DatasetError(f"{path} is no dataset: it has no {manifest.name}; powderkeg export makes one")
    total, files = _manifest(manifest)
    done = sum(f.episodes for f in files)
    if done != total:
        raise DatasetError(f"{path}: the export stopped before episode {done} of {total}; the same powderkeg export goes on")
    return files


def _manifest(path: Path) -> Tuple[int, List[_File]]:
    """Reads a manifest: how many episodes there are to be, and the files so far."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        _check(facts, path)
        files = [_File(path.parent / s["file"], s["from"], s["to"] - s["from"], s["rows"], s["sha256"]) for s in facts["shards"]]
        return int(facts["config"]["episodes"]), files
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise DatasetError(f"{path}: no manifest of a dataset ({_reason(e)}); export it anew") from e


def _check(facts: Dict[str, Any], path: Path) -> None:
    if facts.get("format") != FORMAT:
        raise DatasetError(f"{path}: it has format {facts.get('format')!r}, this package reads {FORMAT!r}; export it anew")


def _verify(path: Path, want: str) -> None:
    """Holds a file against its SHA-256."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except FileNotFoundError:
        raise DatasetError(f"{path}: the file is gone, its manifest lists it; export it anew") from None
    if digest.hexdigest() != want:
        raise DatasetError(f"{path}: the file is damaged: its SHA-256 is {digest.hexdigest()}, its manifest says {want}; export it anew")


def _reason(e: Exception) -> str:
    """Returns what went wrong, in a line."""
    return f"{type(e).__name__}: {e}".splitlines()[0]


def _info(path: Path) -> Dict[str, Any]:
    """Reads what a file says of itself."""
    try:
        text = _npz_metadata(path) if path.suffix == ".npz" else _arrow_metadata(path)
        info: Dict[str, Any] = json.loads(text)
        _check(info, path)
        info["config"]["agents"], info["layout"], info["actions"]
    except (DatasetError, ImportError):
        raise
    except Exception as e:  # whatever the libraries think of a file that is none
        raise DatasetError(f"{path}: it cannot be read ({_reason(e)}); export it anew") from e
    return info


def _read(path: Path) -> Iterator[Columns]:
    """Yields the rows of a file, and with them in "final" which of them have a final observation."""
    _info(path)
    try:
        for plain, final, lengths in _npz_pieces(path) if path.suffix == ".npz" else _arrow_pieces(path):
            columns = {name: values.astype(np.bool_) if name == "mask" else values for name, values in plain.items()}
            columns["final"] = lengths > 0
            columns[_FINAL] = final.reshape(-1, columns["observation"].shape[1])
            if len(columns[_FINAL]) != np.count_nonzero(columns["final"]):
                raise DatasetError(f"{path}: a final observation has another size than an observation; export it anew")
            yield columns
    except (DatasetError, ImportError):
        raise
    except Exception as e:  # whatever the libraries think of a damaged file
        raise DatasetError(f"{path}: it cannot be read ({_reason(e)}); export it anew") from e


#: Columns, numbers of the final observations, and how many of them each row has.
_Piece = Tuple[Columns, npt.NDArray[Any], npt.NDArray[Any]]


class _Array:
    """An array of an NPZ file, read from its beginning to its end."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        header = np.lib.format.read_array_header_1_0 if np.lib.format.read_magic(file) == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, self._dtype = header(file)
        if fortran and len(shape) > 1 or self._dtype.hasobject or not shape:
            raise ValueError(f"{name} is no plain array")
        self._file, self._name, self._shape = file, name, shape[1:]
        self.rows: int = shape[0]

    def next(self, n: int) -> npt.NDArray[Any]:
        """Reads the next n rows."""
        size = n * math.prod(self._shape) * self._dtype.itemsize
        data = self._file.read(size)
        if len(data) != size:
            raise ValueError(f"{self._name} ends early")
        return np.frombuffer(data, self._dtype).reshape(n, *self._shape)


def _npz_metadata(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive, archive.open("metadata.npy") as file:
        array = _Array(file, "metadata")
        return array.next(array.rows).tobytes()


def _npz_pieces(path: Path) -> Iterator[_Piece]:
    with ExitStack() as stack:
        archive = stack.enter_context(zipfile.ZipFile(path))

        def array(name: str) -> _Array:
            return _Array(stack.enter_context(archive.open(name + ".npy")), name)

        plain, finals, offsets = {name: array(name) for name in _PLAIN}, array(_FINAL), array(_FINAL + "_offsets")
        rows = plain["episode"].rows
        if any(a.rows != rows for a in plain.values()) or offsets.rows != rows + 1:
            raise ValueError("the columns have different numbers of rows")
        at = offsets.next(1)
        for start in range(0, rows, _PIECE):
            n = min(_PIECE, rows - start)
            ends = np.concatenate([at[-1:], offsets.next(n)])
            at = ends
            yield {name: a.next(n) for name, a in plain.items()}, finals.next(int(ends[-1] - ends[0])), np.diff(ends)


def _arrow_metadata(path: Path) -> bytes:
    if path.suffix not in (".parquet", ".arrow"):
        raise DatasetError(f"{path} is no file of a dataset; they end in .parquet, .arrow or .npz")
    try:
        import pyarrow.parquet
    except ImportError as e:
        raise ImportError(f"{path.suffix} files need pyarrow: pip install 'powderkeg[data]'") from e
    if path.suffix == ".parquet":
        schema = pyarrow.parquet.read_schema(path)
    else:
        with pyarrow.OSFile(str(path)) as source, pyarrow.ipc.open_file(source) as opened:
            schema = opened.schema
    if b"powderkeg" not in (schema.metadata or {}):
        raise DatasetError(f"{path}: its metadata has no 'powderkeg'")
    text: bytes = schema.metadata[b"powderkeg"]
    return text


def _arrow_pieces(path: Path) -> Iterator[_Piece]:
    import pyarrow.parquet

    with ExitStack() as stack:
        if path.suffix == ".parquet":
            parquet = stack.enter_context(pyarrow.parquet.ParquetFile(path))
            batches = parquet.iter_batches(_PIECE, columns=[*_PLAIN, _FINAL])
        else:
            names = stack.enter_context(pyarrow.ipc.open_file(str(path))).schema.names
            options = pyarrow.ipc.IpcReadOptions(included_fields=[names.index(name) for name in (*_PLAIN, _FINAL)])
            arrow = stack.enter_context(pyarrow.ipc.open_file(stack.enter_context(pyarrow.OSFile(str(path))), options=options))
            batches = (arrow.get_batch(i) for i in range(arrow.num_record_batches))
        for batch in batches:
            for start in range(0, batch.num_rows, _PIECE):
                yield _arrow_piece(batch.slice(start, _PIECE))


def _arrow_piece(batch: Any) -> _Piece:
    plain: Columns = {}
    for name in _PLAIN:
        column = batch.column(name)
        if name in ("observation", "mask", "rewards", "returns"):
            plain[name] = column.flatten().to_numpy().reshape(len(column), -1)
        else:
            plain[name] = column.to_numpy(zero_copy_only=False)
    final = batch.column(_FINAL)
    return plain, final.flatten().to_numpy(), final.value_lengths().fill_null(0).to_numpy()
