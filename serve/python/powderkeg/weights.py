"""Checkpoints: reading them, writing them, making new ones. checkpoints/FORMAT.md
describes the files; the server plays what is written here."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
import struct
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from .errors import Error
from .spec import Spec

#: Version of the files that this package reads and writes.
FORMAT = 1

Tensors = Dict[str, npt.NDArray[Any]]
PathLike = Union[str, "os.PathLike[str]"]

_DTYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U8": "|u1"}
_MANIFEST = "manifest.json"
_DIGEST = "manifest.sha256"
_WEIGHTS = "weights.safetensors"


class CheckpointError(Error):
    """A checkpoint is damaged, or none that this package or the game can use."""


@dataclasses.dataclass(frozen=True)
class Network:
    """The architecture of a network: hidden layers, then logits and values."""

    inputs: int  # D numbers of an observation
    actions: int  # A logits
    seats: int  # P values
    hidden: Tuple[int, ...]
    activation: str = "relu"  # or "tanh"
    layer_norm: bool = False
    residual: bool = False
    bins: int = 0  # numbers from -1 to 1 over which a value is distributed, 0 for a plain value
    advice: int = 0  # nats added to the logit of what the game's scripted player would do
    #: What that player weighs with when it advises, where that is not its own.
    advisers: Tuple[Dict[str, Any], ...] = dataclasses.field(default=(), hash=False)
    #: Which weights are the same, for whoever changes them: Go's network.Entities.
    entities: Tuple[Dict[str, Any], ...] = dataclasses.field(default=(), hash=False)

    def shapes(self) -> Dict[str, Tuple[int, ...]]:
        """Returns the shapes of all tensors by name, in the order of the file."""
        shapes: Dict[str, Tuple[int, ...]] = {}
        width = self.inputs
        for i, h in enumerate(self.hidden):
            shapes[f"torso.{i}.weight"] = (h, width)
            shapes[f"torso.{i}.bias"] = (h,)
            if self.layer_norm:
                shapes[f"torso.{i}.norm.weight"] = (h,)
                shapes[f"torso.{i}.norm.bias"] = (h,)
            width = h
        shapes["policy.weight"] = (self.actions, width)
        values = self.seats * max(1, self.bins)
        shapes["value.weight"] = (values, width)
        shapes["policy.bias"] = (self.actions,)
        shapes["value.bias"] = (values,)
        return shapes

    def _manifest(self) -> Dict[str, Any]:
        facts = dataclasses.asdict(self)
        # As the Go side writes it: what is false or 0 is left out.
        return {k: list(v) if isinstance(v, tuple) else v for k, v in facts.items() if v}


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """A network, its weights, and the game that it was made for."""

    network: Network
    #: float32 arrays by name, in the shapes of network.shapes().
    weights: Tensors
    game: str
    rules: int
    encoding: int
    layout_hash: str
    vocabulary_hash: str
    updates: int = 0
    decisions: int = 0
    games: int = 0
    #: The configuration of the run as YAML.
    config: str = ""

    def with_weights(self, weights: Mapping[str, npt.ArrayLike]) -> Checkpoint:
        """Returns the same with other weights, as float32."""
        return dataclasses.replace(self, weights={name: np.asarray(w, dtype=np.float32) for name, w in weights.items()})

    def check(self, spec: Spec) -> None:
        """Raises CheckpointError unless it was made for this very game."""
        want = {
            "game": spec.game, "rules": spec.version, "encoding": spec.layout_version,
            "layout_hash": spec.layout_hash, "vocabulary_hash": spec.vocabulary_hash,
        }  # fmt: skip
        for name, value in want.items():
            if getattr(self, name) != value:
                raise CheckpointError(f"the checkpoint's {name} is {getattr(self, name)}, that of {spec.game} here is {value}")


def new(
    spec: Spec,
    hidden: Sequence[int],
    *,
    activation: str = "relu",
    layer_norm: bool = False,
    residual: bool = False,
    seed: int = 0,
) -> Checkpoint:
    """Makes an untrained checkpoint for a game: Gaussian weights scaled by fan-in,
    nearly uniform play, values near 0."""
    network = Network(spec.observation_size, len(spec.actions), spec.seats, tuple(hidden), activation, layer_norm, residual)
    rng = np.random.default_rng(seed)
    weights: Tensors = {}
    for name, shape in network.shapes().items():
        if len(shape) == 2:
            gain = 0.01 if name.startswith("policy") else 1.0 if name.startswith("value") else 2.0**0.5
            weights[name] = rng.normal(0, gain / shape[1] ** 0.5, shape).astype(np.float32)
        else:
            weights[name] = np.full(shape, 1.0 if name.endswith("norm.weight") else 0.0, dtype=np.float32)
    return Checkpoint(
        network, weights, spec.game, spec.version, spec.layout_version, spec.layout_hash, spec.vocabulary_hash
    )


def load(path: PathLike) -> Checkpoint:
    """Reads the checkpoint in a folder and checks digests, names and shapes."""
    folder = Path(path)
    try:
        described = (folder / _MANIFEST).read_bytes()
        digest = folder / _DIGEST  # checkpoints from before there was one lack it
        if digest.exists() and digest.read_bytes() != _digest_line(described):
            raise CheckpointError(f"{folder}: {_MANIFEST} is not the file that {_DIGEST} describes")
        manifest = json.loads(described)
        if manifest["format"] != FORMAT:
            raise CheckpointError(f"{folder}: format {manifest['format']}; this package reads {FORMAT}")
        raw = (folder / _WEIGHTS).read_bytes()
        file = manifest["files"][_WEIGHTS]
        if len(raw) != file["size"] or hashlib.sha256(raw).hexdigest() != file["sha256"]:
            raise CheckpointError(f"{folder}: {_WEIGHTS} is not the file that {_MANIFEST} describes")
        facts: Dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in manifest["network"].items()}
        fields = {f.name for f in dataclasses.fields(Checkpoint)} - {"network", "weights"}
        loaded = Checkpoint(
            Network(**facts), decode_tensors(raw), **{name: manifest[name] for name in fields if name in manifest}
        )
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise CheckpointError(f"{folder}: no checkpoint: {e!r}") from e
    _check_shapes(loaded)
    return loaded


def save(path: PathLike, checkpoint: Checkpoint) -> None:
    """Writes a checkpoint for playing into the new folder path: to a temporary
    name, synced, then renamed, so that it is whole or not there."""
    folder = Path(path)
    if folder.exists():
        raise CheckpointError(f"{folder} exists; a checkpoint never changes")
    _check_shapes(checkpoint)
    raw = encode_tensors({name: checkpoint.weights[name] for name in checkpoint.network.shapes()})
    manifest: Dict[str, Any] = {"format": FORMAT}
    for f in dataclasses.fields(checkpoint):
        if f.name == "network":
            manifest["network"] = checkpoint.network._manifest()
        elif f.name != "weights" and not (f.name == "config" and not checkpoint.config):
            manifest[f.name] = getattr(checkpoint, f.name)
    manifest["files"] = {_WEIGHTS: {"size": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}}
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = tempfile.mkdtemp(prefix=".tmp-", dir=folder.parent)
    try:
        _write(os.path.join(work, _WEIGHTS), raw)
        described = (json.dumps(manifest, indent=2) + "\n").encode()
        _write(os.path.join(work, _MANIFEST), described)
        _write(os.path.join(work, _DIGEST), _digest_line(described))
        os.chmod(work, 0o755)  # mkdtemp makes it private
        os.rename(work, folder)
        _sync_folder(folder.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)  # gone already if all went well


def _digest_line(manifest: bytes) -> bytes:
    """The manifest's digest, in the form of the program sha256sum."""
    return f"{hashlib.sha256(manifest).hexdigest()}  {_MANIFEST}\n".encode()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as f:
        f.write(data)
        f.flush()
        os.fsync(f.fileno())


def _sync_folder(folder: Path) -> None:
    # Windows cannot open folders, and needs no sync of them.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _check_shapes(checkpoint: Checkpoint) -> None:
    want = checkpoint.network.shapes()
    if checkpoint.network.activation not in ("relu", "tanh"):
        raise CheckpointError(f"activation {checkpoint.network.activation!r}; there are relu and tanh")
    if checkpoint.weights.keys() != want.keys():
        odd = sorted(checkpoint.weights.keys() ^ want.keys())
        raise CheckpointError(f"the network has tensors {', '.join(want)}; not in both: {', '.join(odd)}")
    for name, shape in want.items():
        w = checkpoint.weights[name]
        if w.shape != shape or w.dtype != np.float32 or not np.isfinite(w).all():
            raise CheckpointError(f"tensor {name} is {w.dtype}{list(w.shape)}, it must be finite float32{list(shape)}")


def encode_tensors(tensors: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Returns a safetensors file with the tensors in their order."""
    codes = {np.dtype(dtype): code for code, dtype in _DTYPES.items()}
    header: Dict[str, Any] = {}
    data: List[bytes] = []
    at = 0
    for name, array in tensors.items():
        plain = np.ascontiguousarray(array)
        code = codes.get(plain.dtype.newbyteorder("<"))
        if code is None:
            raise CheckpointError(f"tensor {name} is {plain.dtype}; a file has {', '.join(sorted(_DTYPES))}")
        data.append(plain.astype(_DTYPES[code], copy=False).tobytes())
        header[name] = {"dtype": code, "shape": list(plain.shape), "data_offsets": [at, at + len(data[-1])]}
        at += len(data[-1])
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(data)


def decode_tensors(raw: bytes) -> Tensors:
    """Reads a safetensors file. The arrays are read-only views of raw."""
    if len(raw) < 8 or struct.unpack_from("<Q", raw)[0] > len(raw) - 8:
        raise CheckpointError("safetensors: the file is shorter than its header claims")
    (n,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + n])
    data = memoryview(raw)[8 + n :]
    tensors: Tensors = {}
    at = 0
    header.pop("__metadata__", None)
    for name in sorted(header, key=lambda name: tuple(header[name]["data_offsets"])):
        t = header[name]
        begin, end = t["data_offsets"]
        if begin != at or end < begin or end > len(data) or t["dtype"] not in _DTYPES:
            raise CheckpointError(f"safetensors: tensor {name} is {t}; tensors fill the file without gaps, as {sorted(_DTYPES)}")
        tensors[name] = np.frombuffer(data[begin:end], _DTYPES[t["dtype"]]).reshape(t["shape"])
        at = end
    if at != len(data):
        raise CheckpointError(f"safetensors: the tensors have {at} bytes of {len(data)}")
    return tensors
