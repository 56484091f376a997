"""Frames and messages on a socket, as PROTOCOL.md describes them."""

from __future__ import annotations

import socket
import ssl
import struct
from typing import Any, Dict, Optional, Protocol, Tuple, cast

import msgpack
import numpy as np
import numpy.typing as npt

from .errors import ConnectionLost, Error, ServerError

#: The protocol versions that this client speaks.
VERSIONS = (1,)

REQUEST = 0
RESPONSE = 1

#: Codes after which the server closes the connection.
FATAL = frozenset({"hello", "version", "frame", "busy", "idle", "shutdown", "token"})

#: Limit of the response to hello, in bytes; it tells the limit of all others.
FIRST_LIMIT = 1 << 20

_LENGTH = struct.Struct(">I")


def encode_request(request: int, method: str, params: Dict[str, Any]) -> bytes:
    """Returns the frame of a request, header included."""
    body = cast(bytes, msgpack.packb([REQUEST, request, method, params]))
    return _LENGTH.pack(len(body)) + body


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


def pack(values: npt.ArrayLike, dtype: str) -> bytes:
    """Returns numbers as the wire has them. ``dtype`` is little-endian, such as "<i4"."""
    return np.ascontiguousarray(values, dtype=dtype).tobytes()


def unpack(data: bytes, dtype: str, *shape: int) -> npt.NDArray[Any]:
    """Returns a read-only view of the numbers in ``data``."""
    array = np.frombuffer(data, dtype=dtype)
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


class Caller(Protocol):
    """What environments, agents and datasets use of the Client that has opened them.
    They hold it, and so the server that it may have started, for as long as they live."""

    @property
    def closed(self) -> bool:
        """Whether the connection is closed."""

    def call(self, method: str, params: Optional[Dict[str, Any]] = None) -> Any:
        """Sends a request and returns its result."""


class Wire:
    """One connection. It is not safe for use by several threads at once."""

    def __init__(self, address: str, timeout: Optional[float], tls: Optional[ssl.SSLContext] = None) -> None:
        self._socket: Optional[socket.socket] = open_socket(address, timeout, tls)
        self._address = address
        self._limit = FIRST_LIMIT
        self._last = 0
        self._header = bytearray(_LENGTH.size)
        self._body = bytearray(64 << 10)

    def hello(self, client: str, token: Optional[str] = None) -> Dict[str, Any]:
        """Introduces the client; comes before all other calls."""
        params: Dict[str, Any] = {"versions": list(VERSIONS), "client": client}
        if token is not None:
            params["token"] = token
        welcome = self.call("hello", params)
        self._limit = welcome["limits"]["frame_bytes"]
        return cast(Dict[str, Any], welcome)

    def call(self, method: str, params: Dict[str, Any]) -> Any:
        """Sends a request and returns its result. Raises ServerError for an answer
        that is an error, and ConnectionLost where there is none."""
        if self._socket is None:
            raise ConnectionLost(f"{self._address}: the connection is closed")
        self._last += 1
        frame = encode_request(self._last, method, params)
        if len(frame) - _LENGTH.size > self._limit:
            raise Error(f"{method}: a request of {len(frame)} bytes; the limit of the server is {self._limit}")
        try:
            request, fault, result = self._exchange(self._socket, frame)
        except BaseException as e:
            # Also when interrupted: what the next bytes would answer is lost.
            self.close()
            if isinstance(e, OSError):
                raise ConnectionLost(f"{self._address}: {e}") from e
            raise
        if fault is not None:
            if fault.code in FATAL:
                self.close()
            raise fault
        if request != self._last:
            self.close()
            raise Error(f"response {request} to request {self._last}")
        return result

    def _exchange(self, s: socket.socket, frame: bytes) -> Tuple[int, Optional[ServerError], Any]:
        try:
            s.sendall(frame)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server has given up; what it had to say can still be read
        self._fill(s, memoryview(self._header))
        (size,) = _LENGTH.unpack(self._header)
        if size > self._limit:
            raise Error(f"a response of {size} bytes; the server promised at most {self._limit}")
        if size > len(self._body):
            self._body = bytearray(size)
        body = memoryview(self._body)[:size]
        self._fill(s, body)
        return decode_response(body)

    def _fill(self, s: socket.socket, view: memoryview) -> None:
        while view:
            n = s.recv_into(view)
            if n == 0:
                raise ConnectionLost(f"{self._address}: the server has closed the connection")
            view = view[n:]

    @property
    def closed(self) -> bool:
        """Whether the connection is closed, by close() or because it broke."""
        return self._socket is None

    def close(self) -> None:
        """Closes the connection. It may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
