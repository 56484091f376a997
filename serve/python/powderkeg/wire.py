"""Frames and messages on a socket, as PROTOCOL.md describes them."""

from __future__ import annotations

import os
import socket
import ssl
import struct
import threading
import weakref
from typing import Any, Dict, List, Optional, Protocol, Sequence, Tuple, cast

import msgpack
import numpy as np
import numpy.typing as npt

from .errors import ConnectionLost, Error, ServerError, forked

#: The protocol versions that this client speaks.
VERSIONS = (1,)

REQUEST = 0
RESPONSE = 1

#: Codes after which the server closes the connection.
FATAL = frozenset({"hello", "version", "frame", "busy", "idle", "shutdown", "token"})

#: Limit of the response to hello, in bytes; it tells the limit of all others.
FIRST_LIMIT = 1 << 20

_LENGTH = struct.Struct(">I")

#: Bytes of a frame before its body.
HEADER = _LENGTH.size


def encode_request(request: int, method: str, params: Dict[str, Any]) -> bytes:
    """Returns the frame of a request, header included."""
    body = cast(bytes, msgpack.packb([REQUEST, request, method, params], default=_plain))
    return _LENGTH.pack(len(body)) + body


def _plain(value: Any) -> Any:
    """Returns a NumPy scalar as the number or flag that it is. msgpack asks for what it
    does not know itself, whole numbers above 64 bits among them."""
    if isinstance(value, (np.integer, np.floating, np.bool_)) or isinstance(value, np.ndarray) and value.ndim == 0:
        return value.item()
    if isinstance(value, int):
        raise ValueError(f"{value} has more than 64 bits")
    raise TypeError(f"{type(value).__name__} {value!r:.60} cannot be sent; have a number, a string or a list of them")


def decode_response(body: Any) -> Tuple[int, Optional[ServerError], Any]:
    """Takes the body of a response apart: its id, the error, the result."""
    try:
        kind, request, fault, result = msgpack.unpackb(body)
        if kind != RESPONSE:
            raise ValueError(f"a message of kind {kind}")
        if fault is not None:
            return request, ServerError(fault["code"], fault["message"]), None
        return request, None, result
    except (ValueError, TypeError, KeyError) as e:
        raise Error(f"the server sent something that is no response: {e}") from e


def pack(name: str, values: npt.ArrayLike, dtype: str) -> bytes:
    """Returns numbers as the wire has them. ``dtype`` is little-endian, such as "<i4".
    Whole numbers must be whole and fit; errors call them ``name``."""
    return numbers(name, values, dtype).tobytes()


def numbers(name: str, values: npt.ArrayLike, dtype: str) -> npt.NDArray[Any]:
    """Returns numbers as an array that is contiguous in memory, as pack() has them."""
    array = np.asarray(values)
    target = np.dtype(dtype)
    if target.kind in "iu" and array.size and array.dtype != target:
        if array.dtype.kind not in "iu":
            raise ValueError(f"{name} is of {array.dtype}, it must be of whole numbers")
        limits = np.iinfo(target)
        low, high = int(array.min()), int(array.max())
        if low < limits.min or high > limits.max:
            raise ValueError(f"{name} has {low if low < limits.min else high}, it must be {limits.min} to {limits.max}")
    return np.ascontiguousarray(array, dtype=target)


def unpack(data: bytes, dtype: str, *shape: int) -> npt.NDArray[Any]:
    """Returns the numbers in ``data``, in memory of their own: what learners are given they
    also write to, and PyTorch warns of arrays that cannot be."""
    array = np.frombuffer(bytearray(data), dtype=dtype)
    return array.reshape(shape) if shape else array


def open_socket(
    address: str, timeout: Optional[float], tls: Optional[ssl.SSLContext] = None
) -> socket.socket:
    """Connects to unix:PATH or tcp:HOST:PORT, the latter with TLS if a context is
    given."""
    network, _, rest = address.partition(":")
    if network == "unix" and rest:
        if not hasattr(socket, "AF_UNIX"):
            raise Error("this system has no unix sockets; have tcp:HOST:PORT")
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        target: Any = rest
    elif network == "tcp" and ":" in rest:
        host, _, port = rest.rpartition(":")
        if not port.isdigit():
            raise Error(f"{address!r} is no address; have unix:PATH, tcp:HOST:PORT")
        s = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        target = (host.strip("[]"), int(port))
    else:
        raise Error(f"{address!r} is no address; have unix:PATH, tcp:HOST:PORT")
    s.settimeout(timeout)
    try:
        s.connect(target)
        if tls is not None and network == "tcp":
            s = tls.wrap_socket(s, server_hostname=target[0])
    except OSError as e:
        s.close()
        raise ConnectionLost(f"{address}: {e}") from e
    return s


class Bound(Protocol):
    """An environment of this process that writes to arrays (inprocess.Bound)."""

    late: bool
    at: Any

    def rebind(self, arrays: Sequence[npt.NDArray[Any]]) -> None: ...
    def settle(self) -> None: ...
    def env_step(self, action: int) -> bool: ...
    def env_reset(self, seed: Optional[int]) -> bool: ...
    def env_clone(self, into: Bound) -> bool: ...
    def env_anew(self) -> int: ...
    def env_child(self, parent: Bound, action: int) -> bool: ...
    def env_redeal(self, seed: int, seat: int) -> bool: ...
    def env_observe(self, seat: int, values: npt.NDArray[np.float32]) -> bool: ...
    def vec_reset(self, seed: Optional[int]) -> bool: ...
    def vec_reset_slots(self, slots: npt.NDArray[np.int32], seeds: npt.NDArray[np.uint64]) -> bool: ...
    def vec_step(self, actions: int, count: int) -> bool: ...
    def vec_step_slots(self, slots: npt.NDArray[np.int32], actions: npt.NDArray[np.int32]) -> bool: ...
    def vec_fork(self, slot: int, slots: npt.NDArray[np.int32]) -> bool: ...
    def vec_recv(self, count: int) -> bool: ...


class Owner(Protocol):
    """Who makes a request and wants its result, should the call be interrupted, when it comes."""

    #: The parameters of the request whose result it has not noted yet.
    owed: Optional[Dict[str, Any]]

    def note(self, result: Dict[str, Any]) -> None:
        """Notes the result; it may be told again."""


class Caller(Protocol):
    """What environments, agents and datasets use of the Client that has opened them.
    They hold it, and so the server that it may have started, for as long as they live."""

    @property
    def closed(self) -> bool:
        """Whether the connection is closed."""

    def call(self, method: str, params: Optional[Dict[str, Any]] = None, owner: Optional[Owner] = None) -> Any:
        """Sends a request and returns its result."""

    def settle(self) -> None:
        """Waits for the call before, if it was interrupted."""

    def bind(self, handle: int, arrays: Sequence[npt.NDArray[Any]]) -> Optional[Bound]:
        """Has an environment write to arrays, None where it is not in this process."""

    def drop(self, method: str, params: Dict[str, Any]) -> None:
        """Calls a method that closes something, now or before the next call. Finalizers do,
        which may come at any moment, within a call too."""


class Wire:
    """One connection. Several threads may use it; a call waits for those before it.

    A call that is interrupted (Ctrl-C) leaves the connection usable: the next one first
    sends what is left of the request before, and gives the response to its owner.
    """

    def __init__(self, address: str, timeout: Optional[float], tls: Optional[ssl.SSLContext] = None) -> None:
        self._socket: Optional[socket.socket] = open_socket(address, timeout, tls)
        self._address = address
        self._process = os.getpid()  # whose connection it is, and no child's
        self._limit = FIRST_LIMIT
        self._last = 0
        self._lock = threading.Lock()
        self._header = bytearray(_LENGTH.size)
        self._body = bytearray(64 << 10)
        # Of the request under way. What has been sent and received is noted by the same call
        # into C that does it (see _finish), so that no interruption comes between the two.
        self._due = False  # a response is to come
        self._frame = memoryview(b"")
        self._sent: List[int] = []
        self._received: List[int] = []
        self._owner: Optional[weakref.ref[Any]] = None
        self._params: Dict[str, Any] = {}  # which the owner holds for as long as the result is owed to it
        self._answer = memoryview(b"")  # to the request before

    def hello(self, client: str, token: Optional[str] = None) -> Dict[str, Any]:
        """Introduces the client; comes before all other calls."""
        params: Dict[str, Any] = {"versions": list(VERSIONS), "client": client}
        if token is not None:
            params["token"] = token
        welcome = self.call("hello", params)
        self._limit = welcome["limits"]["frame_bytes"]
        return cast(Dict[str, Any], welcome)

    def call(self, method: str, params: Dict[str, Any], owner: Optional[Owner] = None) -> Any:
        """Sends a request and returns its result. Raises ServerError for an answer
        that is an error, and ConnectionLost where there is none."""
        if os.getpid() != self._process:
            raise forked(f"it had connected to {self._address}")  # without the lock, which a thread of the parent may have held
        with self._lock:
            return self._call(method, params, owner)

    def settle(self) -> None:
        """Waits for a call that was interrupted and gives the response to its owner."""
        if self.closed:
            return
        with self._lock:
            if self._socket is not None:
                try:
                    self._hand_over(self._socket)
                except Exception as e:
                    self.close()
                    raise ConnectionLost(f"{self._address}: {e}") from e

    def try_call(self, method: str, params: Dict[str, Any]) -> bool:
        """Makes a request if no other is under way, and reports whether it has."""
        if self.closed or not self._lock.acquire(blocking=False):
            return False
        try:
            if self._due:
                return False
            self._call(method, params)
        finally:
            self._lock.release()
        return True

    def _call(self, method: str, params: Dict[str, Any], owner: Optional[Owner] = None) -> Any:
        if self._socket is None:
            raise ConnectionLost(f"{self._address}: the connection is closed")
        request = self._last + 1
        frame = encode_request(request, method, params)
        if len(frame) - _LENGTH.size > self._limit:
            raise Error(f"{method}: a request of {len(frame)} bytes; the limit of the server is {self._limit}")
        self._last = request
        try:
            answered, fault, result = self._exchange(self._socket, frame, owner, params)
        except Exception as e:
            self.close()
            if isinstance(e, OSError):
                raise ConnectionLost(f"{self._address}: {e}") from e
            raise
        if fault is not None:
            if fault.code in FATAL:
                self.close()
            raise fault
        if answered != request:
            self.close()
            raise Error(f"response {answered} to request {request}")
        return result

    def _exchange(
        self, s: socket.socket, frame: bytes, owner: Optional[Owner], params: Dict[str, Any]
    ) -> Tuple[int, Optional[ServerError], Any]:
        self._hand_over(s)
        view, who = memoryview(frame), None if owner is None else weakref.ref(owner)
        self._frame, self._sent, self._received, self._owner, self._params, self._due = view, [], [], who, params, True
        return decode_response(self._finish(s))

    def _hand_over(self, s: socket.socket) -> None:
        """Comes after a call that was interrupted, wherever that was."""
        body = self._finish(s) if self._due else self._answer
        owner = None if self._owner is None else self._owner()
        if owner is not None and owner.owed is self._params:
            _, fault, result = decode_response(body)
            if fault is None:
                owner.note(result)
            owner.owed = None
        self._owner = None

    def _finish(self, s: socket.socket) -> memoryview:
        """Sends what is left of a request and reads what is left of its response, whose
        body it returns. It may be interrupted anywhere and called again."""
        try:
            while (sent := sum(self._sent)) < len(self._frame):
                self._sent.extend(map(s.send, (self._frame[sent:],)))
        except (BrokenPipeError, ConnectionResetError):
            self._sent.append(len(self._frame))  # the server has given up; what it had to say can still be read
        self._fill(s, memoryview(self._header), 0)
        (size,) = _LENGTH.unpack(self._header)
        if size > self._limit:
            raise Error(f"a response of {size} bytes; the server promised at most {self._limit}")
        if size > len(self._body):
            self._body = bytearray(size)
        body = memoryview(self._body)[:size]
        self._fill(s, body, len(self._header))
        self._answer, self._due = body, False
        return body

    def _fill(self, s: socket.socket, view: memoryview, before: int) -> None:
        """Reads into a view that begins after so many bytes of the response."""
        while (received := sum(self._received) - before) < len(view):
            self._received.extend(map(s.recv_into, (view[received:],)))
            if self._received[-1] == 0:
                raise ConnectionLost(f"{self._address}: the server has closed the connection")

    @property
    def closed(self) -> bool:
        """Whether the connection is closed, by close() or because it broke, or another process's."""
        return self._socket is None or os.getpid() != self._process

    def close(self) -> None:
        """Closes the connection. It may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def give_up(client: Caller, method: str, params: Dict[str, Any]) -> None:
    """Calls a method that closes something. A connection that is gone has closed it."""
    if client.closed:
        return
    try:
        client.call(method, params)
    except ConnectionLost:
        pass
