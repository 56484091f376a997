"""The environments in this process: the C library that wheels bring, called by ctypes.

It carries out the requests of PROTOCOL.md without a socket, and steps environments that write
what they show into NumPy's memory (serve/inprocess/README.md). ctypes lets other threads run
while it is at work.
"""

from __future__ import annotations

import ctypes
import logging
import os
import struct
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, cast

import numpy as np
import numpy.typing as npt

from . import program, wire
from .errors import ConnectionLost, Error, ServerError, ServerNotFound, forked

#: The address of clients whose environments are in this process.
ADDRESS = "process"

#: The version of the library's interface that this client calls.
VERSION = 1

#: What the library is called on this system.
NAME = {"win32": "powderkeg.dll", "darwin": "libpowderkeg.dylib"}.get(sys.platform, "libpowderkeg.so")

_FAULT, _UNKNOWN, _LATER = -1, -2, -3

#: How long a call may think before Python looks whether somebody has typed Ctrl-C, in ms.
_PATIENCE = 50

_NUMBER, _SIGNED, _POINTER = ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p

#: The functions of fast calls. They are given arguments that have been converted before
#: (from_param) and declare none, as ctypes takes longer to convert three than a game to step.
_FAST = ("pk_env_reset", "pk_env_step", "pk_env_clone", "pk_env_child")

#: Converted actions, as many as most games have, and flags.
_ACTIONS = [_SIGNED.from_param(n) for n in range(1024)]
_FLAGS = ctypes.c_int32.from_param(0), ctypes.c_int32.from_param(1)
_NONE = _NUMBER.from_param(0)  # a seed, or a handle

#: The functions: what they return and take.
_FUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {
    "pk_version": (ctypes.c_uint32, ()),
    "pk_zoo": (None, (ctypes.c_char_p,)),
    "pk_open": (_NUMBER, (ctypes.c_int32,)),
    "pk_close": (None, (_NUMBER,)),
    "pk_call": (_SIGNED, (_NUMBER, ctypes.c_char_p, _SIGNED, _POINTER, _POINTER)),
    "pk_wait": (_SIGNED, (_NUMBER, _NUMBER, _POINTER, _POINTER)),
    "pk_fault": (_POINTER, (_NUMBER, _NUMBER)),
    "pk_free": (None, (_POINTER,)),
    "pk_bind": (_SIGNED, (_NUMBER, _NUMBER, ctypes.c_char_p, ctypes.c_int32)),
    "pk_env_reset": (_SIGNED, (_NUMBER, _NUMBER, ctypes.c_int32, _NUMBER)),
    "pk_env_step": (_SIGNED, (_NUMBER, _NUMBER, _SIGNED)),
    "pk_env_clone": (_SIGNED, (_NUMBER, _NUMBER, _NUMBER)),
    "pk_env_child": (_SIGNED, (_NUMBER, _NUMBER, _NUMBER, _SIGNED)),
    "pk_env_redeal": (_SIGNED, (_NUMBER, _NUMBER, _NUMBER, _SIGNED)),
    "pk_env_observe": (_SIGNED, (_NUMBER, _NUMBER, _SIGNED, _POINTER, _SIGNED)),
    "pk_vec_fork": (_SIGNED, (_NUMBER, _NUMBER, _SIGNED, _POINTER, _SIGNED)),
    "pk_vec_reset": (_SIGNED, (_NUMBER, _NUMBER, ctypes.c_int32, _NUMBER)),
    "pk_vec_reset_slots": (_SIGNED, (_NUMBER, _NUMBER, _POINTER, _POINTER, _SIGNED)),
    "pk_vec_step": (_SIGNED, (_NUMBER, _NUMBER, _POINTER, _SIGNED)),
    "pk_vec_step_slots": (_SIGNED, (_NUMBER, _NUMBER, _POINTER, _POINTER, _SIGNED)),
    "pk_vec_recv": (_SIGNED, (_NUMBER, _NUMBER, _SIGNED)),
}


#: A pk_array: where it is, and how long.
_ARRAY = struct.Struct("Pq")


class _Library:
    """The functions of the library, by their names without pk_. In a fork of a process that has
    loaded it they all refuse: of Go's threads none lives on there, so that calls would hang."""

    version: Callable[..., int]
    zoo: Callable[..., None]
    open: Callable[..., int]
    close: Callable[..., None]
    call: Callable[..., int]
    wait: Callable[..., int]
    fault: Callable[..., Optional[int]]
    free: Callable[..., None]
    bind: Callable[..., int]
    env_reset: Callable[..., int]
    env_step: Callable[..., int]
    env_clone: Callable[..., int]
    env_child: Callable[..., int]
    env_redeal: Callable[..., int]
    env_observe: Callable[..., int]
    vec_fork: Callable[..., int]
    vec_reset: Callable[..., int]
    vec_reset_slots: Callable[..., int]
    vec_step: Callable[..., int]
    vec_step_slots: Callable[..., int]
    vec_recv: Callable[..., int]

    def __init__(self, path: Path, zoo: Path) -> None:
        try:
            library = ctypes.CDLL(str(path))
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(library, name)
                function.restype = result
                if name not in _FAST:
                    function.argtypes = arguments
                setattr(self, name[3:], function)
        except OSError as e:
            raise ServerNotFound(f"{path} is no library of powderkeg: {e}") from e
        except AttributeError as e:
            raise ServerNotFound(f"{path} has no {name}, it is older than this client or no library of powderkeg; install both from one wheel") from e
        if self.version() != VERSION:
            raise ServerNotFound(f"{path} has version {self.version()} of the interface, this client calls {VERSION}; install both from one wheel")
        self.zoo(os.fsencode(zoo))
        self.forked = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._refuse)

    def _refuse(self) -> None:
        self.forked = True
        for name in _FUNCTIONS:
            setattr(self, name[3:], _refused)


def _refused(*_: Any) -> Any:
    raise forked("powderkeg was loaded")


_loaded: Optional[_Library] = None
_lock = threading.Lock()
_said = False


def find() -> Optional[Tuple[Path, Path]]:
    """Returns the paths of the library and of the folder with the networks that ship: those that
    POWDERKEG_LIBRARY names (zoo lies beside it), that the wheel has brought, or bin/ of the
    source tree around this file; None where there is no library."""
    tree = program.source_tree()
    named = os.environ.get("POWDERKEG_LIBRARY")
    if named:
        if not os.path.isfile(named):
            raise ServerNotFound(f"POWDERKEG_LIBRARY is {named!r}, which is no file")
        beside = Path(named).parent / "zoo"
        return Path(named), beside if beside.is_dir() or tree is None else tree / "checkpoints" / "zoo"
    brought = Path(__file__).parent / "bin"
    if (brought / NAME).is_file():
        return brought / NAME, brought / "zoo"
    if tree is not None and (tree / "bin" / NAME).is_file():
        return tree / "bin" / NAME, tree / "checkpoints" / "zoo"
    return None


def usable() -> bool:
    """Reports whether environments can live in this process. If not, that is said once."""
    global _said
    try:
        return not _library().forked
    except ServerNotFound as e:
        if not _said:
            _said = True
            logging.getLogger("powderkeg").warning("powderkeg: %s; environments live in a program beside this process, where a step takes longer", e)
        return False


def _library() -> _Library:
    global _loaded
    if _loaded is not None:
        return _loaded  # without the lock, which a fork may have found taken
    with _lock:
        if _loaded is None:
            found = find()
            if found is None:
                raise ServerNotFound(
                    f"there is no {NAME} for this system; install a wheel that has it, or name one in POWDERKEG_LIBRARY (make build makes it)"
                )
            _loaded = _Library(*found)
        return _loaded


class Process:
    """What Wire is for a socket, in this process. Several threads may use it."""

    def __init__(self) -> None:
        self._library = _library()
        self._session = self._library.open(_PATIENCE)
        if not self._session:
            raise Error("the library could not open a session")
        self._lock = threading.Lock()
        self._last = 0
        self._due = False  # an interrupted call may be under way
        self._answer, self._length = ctypes.c_void_p(), ctypes.c_int64()
        self._answer_at, self._length_at = ctypes.addressof(self._answer), ctypes.addressof(self._length)

    def hello(self, client: str, token: Optional[str] = None) -> Dict[str, Any]:
        """Introduces the client; comes before all other calls."""
        params: Dict[str, Any] = {"versions": list(wire.VERSIONS), "client": client}
        if token is not None:
            params["token"] = token
        return cast(Dict[str, Any], self.call("hello", params))

    def call(self, method: str, params: Dict[str, Any], owner: Optional[wire.Owner] = None) -> Any:
        """Makes a request and returns its result; see Wire.call. The owner has what comes late in
        memory that it has bound."""
        if self._library.forked:
            _refused()  # a thread of the parent may have held the lock, and for ever
        with self._lock:
            return self._call(method, params)

    def try_call(self, method: str, params: Dict[str, Any]) -> bool:
        """Makes a request if no other is under way, and reports whether it has."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._due:
                return False
            self._call(method, params)
        finally:
            self._lock.release()
        return True

    def _call(self, method: str, params: Dict[str, Any]) -> Any:
        if self.closed:
            raise ConnectionLost(f"{ADDRESS}: the connection is closed")
        if self._due:
            self._settle()
        self._last += 1
        body = wire.encode_request(self._last, method, params)[wire.HEADER :]
        self._due = True  # before the call, so that no interruption comes between it and what it has begun
        status = self._library.call(self._session, body, len(body), self._answer_at, self._length_at)
        while status == _LATER:
            status = self._library.wait(self._session, 0, self._answer_at, self._length_at)
        if status == 0:
            answer = ctypes.string_at(self._answer, self._length.value)
        self._free()
        self._due = False
        if status == _FAULT:
            raise self.fault(0)
        if status != 0:
            raise ConnectionLost(f"{ADDRESS}: the connection is closed")
        _, fault, result = wire.decode_response(answer)
        if fault is not None:
            raise fault
        return result

    def settle(self) -> None:
        """Waits for a call that was interrupted."""
        if self._library.forked:
            _refused()
        with self._lock:
            if self._due and not self.closed:
                self._settle()

    def _settle(self) -> None:
        """Waits for a call that was interrupted, if it had begun, and drops its answer."""
        while self._library.wait(self._session, 0, self._answer_at, self._length_at) == _LATER:
            pass
        self._free()
        self._due = False

    def _free(self) -> None:
        self._library.free(self._answer)
        self._answer.value = None

    def fault(self, handle: int) -> Error:
        """Returns the error of the fast call before."""
        text = self._library.fault(self._session, handle)
        if not text:
            return Error("the library has failed without a reason")
        code, _, message = ctypes.string_at(text).decode().partition(": ")
        self._library.free(text)
        return ServerError(code, message)

    @property
    def closed(self) -> bool:
        """Whether close() has been called."""
        return self._session == 0

    def close(self) -> None:
        """Ends all that was opened. It may be called twice."""
        session, self._session = self._session, 0
        if session and not self._library.forked:
            self._library.close(session)

    def bind(self, handle: int, arrays: Sequence[npt.NDArray[Any]]) -> Bound:
        """Has an environment write to arrays; see Bound."""
        return Bound(self, self._library, self._session, handle, arrays)


class Bound:
    """An environment, or a vectorised one, that writes what it shows into arrays, in the order of
    serve/inprocess/README.md. Its calls return False for one that is closed, and raise ServerError
    as requests do. One that was interrupted by Ctrl-C goes on; the next one waits for it."""

    def __init__(self, process: Process, library: _Library, session: int, handle: int, arrays: Sequence[npt.NDArray[Any]]) -> None:
        self._process, self._library, self._session, self._handle = process, library, session, handle
        #: The session and the handle for fast calls.
        self._in, self.at = _NUMBER.from_param(session), _NUMBER.from_param(handle)
        #: Whether a call was interrupted that may be under way.
        self.late = False
        self.rebind(arrays)

    def rebind(self, arrays: Sequence[npt.NDArray[Any]]) -> None:
        """Has it write to other arrays from now on."""
        table = b"".join([_ARRAY.pack(a.__array_interface__["data"][0] if a.size else 0, a.size) for a in arrays])
        self._begin()
        self._finish(self._library.bind(self._session, self._handle, table, len(arrays)))
        self._arrays = arrays  # which must live as long as the library writes to them

    def settle(self) -> None:
        """Waits for a call that was interrupted, if it had begun. What came of it is in the arrays."""
        while self.late and self._library.wait(self._session, self._handle, None, None) == _LATER:
            pass
        self.late = False

    def _begin(self) -> None:
        """Comes before a call, so that no interruption comes between it and what it has begun."""
        if self.late:
            self.settle()
        self.late = True

    def _finish(self, status: int) -> bool:
        """Waits for a call, given what it has returned."""
        while status == _LATER:
            status = self._library.wait(self._session, self._handle, None, None)
        self.late = False
        if status == _FAULT:
            raise self._process.fault(self._handle)
        return status != _UNKNOWN

    def env_step(self, action: int) -> bool:
        """Plays an action, a number of 64 bits."""
        if self.late:
            self.settle()
        self.late = True
        status = self._library.env_step(self._in, self.at, _ACTIONS[action] if 0 <= action < 1024 else _SIGNED.from_param(action))
        if status == 0:
            self.late = False
            return True
        return self._finish(status)

    def env_reset(self, seed: Optional[int]) -> bool:
        """Begins an episode."""
        self._begin()
        if seed is None:
            return self._finish(self._library.env_reset(self._in, self.at, _FLAGS[0], _NONE))
        return self._finish(self._library.env_reset(self._in, self.at, _FLAGS[1], _NUMBER.from_param(seed)))

    def env_clone(self, into: wire.Bound) -> bool:
        """Copies the environment into another one."""
        if self.late:
            self.settle()
        self.late = True
        status = self._library.env_clone(self._in, self.at, into.at)
        if status > 0:
            self.late = False
            return True
        self._finish(status)
        return False

    def env_anew(self) -> int:
        """Copies the environment into a new one, to which nothing is bound, and returns its
        handle, 0 if this one is closed."""
        self._begin()
        handle: int = self._library.env_clone(self._in, self.at, _NONE)
        if handle <= 0:
            self._finish(handle)
        self.late = False
        return max(handle, 0)

    def env_child(self, parent: wire.Bound, action: int) -> bool:
        """Becomes a copy of another environment and plays an action there."""
        if self.late:
            self.settle()
        self.late = True
        status = self._library.env_child(
            self._in, parent.at, self.at, _ACTIONS[action] if 0 <= action < 1024 else _SIGNED.from_param(action)
        )
        if status == 0:
            self.late = False
            return True
        return self._finish(status)

    def env_redeal(self, seed: int, seat: int) -> bool:
        """Deals what a seat does not know anew; a seat below 0 is the observer."""
        self._begin()
        return self._finish(self._library.env_redeal(self._session, self._handle, seed, seat))

    def env_observe(self, seat: int, values: npt.NDArray[np.float32]) -> bool:
        """Writes what a seat sees."""
        self._begin()
        at = values.__array_interface__["data"][0]
        return self._finish(self._library.env_observe(self._session, self._handle, seat, at, values.size))

    def vec_fork(self, slot: int, slots: npt.NDArray[np.int32]) -> bool:
        """Makes slots what one slot is."""
        self._begin()
        return self._finish(self._library.vec_fork(self._session, self._handle, slot, slots.ctypes.data, len(slots)))

    def vec_reset(self, seed: Optional[int]) -> bool:
        """Begins an episode in every slot."""
        self._begin()
        return self._finish(self._library.vec_reset(self._session, self._handle, seed is not None, seed or 0))

    def vec_reset_slots(self, slots: npt.NDArray[np.int32], seeds: npt.NDArray[np.uint64]) -> bool:
        """Begins episodes in some slots."""
        self._begin()
        return self._finish(self._library.vec_reset_slots(self._session, self._handle, slots.ctypes.data, seeds.ctypes.data, len(slots)))

    def vec_step(self, actions: int, count: int) -> bool:
        """Plays so many actions, which lie at an address."""
        self._begin()
        return self._finish(self._library.vec_step(self._session, self._handle, actions, count))

    def vec_step_slots(self, slots: npt.NDArray[np.int32], actions: npt.NDArray[np.int32]) -> bool:
        """Plays actions in some slots."""
        self._begin()
        return self._finish(self._library.vec_step_slots(self._session, self._handle, slots.ctypes.data, actions.ctypes.data, len(slots)))

    def vec_recv(self, count: int) -> bool:
        """Waits for so many slots."""
        self._begin()
        return self._finish(self._library.vec_recv(self._session, self._handle, count))


def check(name: str, array: Any, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns an array that the library may write to in the place of another one, and says in one
    line what is wrong with one that it may not."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is a {type(array).__name__}, it must be a NumPy array {like.dtype}{list(like.shape)}")
    if array.dtype != like.dtype or array.shape != like.shape:
        raise ValueError(f"{name} is {array.dtype}{list(array.shape)}, it must be {like.dtype}{list(like.shape)}")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise ValueError(f"{name} is not contiguous in memory; have numpy.ascontiguousarray({name})")
    if not array.flags.writeable:
        raise ValueError(f"{name} is not writeable")
    return array
