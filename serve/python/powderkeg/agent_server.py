"""Agents of one's own behind a socket, for ``powderkeg suite run --socket`` and others to ask."""

from __future__ import annotations

import os
import socket
import socketserver
import struct
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple, Type, Union

import msgpack
import numpy as np
import numpy.typing as npt

from . import client as clients
from . import wire
from ._version import __version__
from .errors import ConnectionLost, Error, ServerError
from .spec import Spec

#: Chooses actions [n] for observations [n, D] and masks [n, A], drawing from the generator
#: alone: a policy remembers nothing. A Model is one.
Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.uint8], np.random.Generator], npt.NDArray[np.integer[Any]]]

#: Makes the policy of that name for a game, or raises a ValueError that says why not.
Make = Callable[[Spec, str], Policy]

#: The longest request, in bytes.
FRAME_BYTES = 64 << 20

#: The parameters of each method, which must all be there.
_PARAMETERS: Dict[str, Dict[str, type]] = {
    "hello": {"versions": list, "client": str, "token": str},
    "agent.load": {"game": str, "agent": str, "seed": int},
    "act_batch": {"agent": int, "observations": bytes, "masks": bytes},
    "agent.close": {"agent": int},
}

_LENGTH = struct.Struct(">I")


class AgentServer:
    """Answers for agents of one's own with the methods ``agent.load``, ``act_batch`` and
    ``agent.close`` of PROTOCOL.md.

    >>> make = lambda spec, name: powderkeg.Model.load(f"nets/{name}", spec)
    >>> with powderkeg.AgentServer(make, "unix:/tmp/mine") as server:
    ...     server.serve()  # until Ctrl-C; in another terminal:
    ...     # powderkeg suite run 'leduc-{run}' --name mine --tasks leduc --socket unix:/tmp/mine

    ``make`` is called once for each game and name. What is chosen follows from the seed
    that the asker gives each agent, so that games can be played again. Whoever reaches the
    address can ask; have a Unix socket or one of this machine.
    """

    def __init__(self, make: Make, address: str = "tcp:127.0.0.1:0", *, client: Optional[clients.Client] = None) -> None:
        self._make, self._client = make, client
        self._policies: Dict[Tuple[str, str], Tuple[Spec, Policy]] = {}
        # Policies are asked one at a time: not every library may be used by several threads.
        self._lock = threading.Lock()
        network, _, rest = address.partition(":")
        host, _, port = rest.rpartition(":")
        try:
            if network == "unix" and rest and hasattr(socketserver, "ThreadingUnixStreamServer"):
                self._server: socketserver.BaseServer = _listening(socketserver.ThreadingUnixStreamServer, rest, self)
            elif network == "tcp" and host and port.isdigit():
                self._server = _listening(socketserver.ThreadingTCPServer, (host, int(port)), self)
                bound: Any = self._server.server_address
                rest = f"{bound[0]}:{bound[1]}"
            else:
                raise Error(f"{address!r} is no address; have unix:PATH, tcp:HOST:PORT")
        except OSError as e:
            raise Error(f"{address}: {e}") from e
        #: Where it listens, unix:PATH or tcp:HOST:PORT.
        self.address = f"{network}:{rest}"
        self._path = rest if network == "unix" else ""
        self._thread: Optional[threading.Thread] = None

    def serve(self) -> None:
        """Answers until close() or Ctrl-C."""
        self._server.serve_forever(poll_interval=0.1)

    def start(self) -> AgentServer:
        """Answers in a thread of its own, until close()."""
        self._thread = threading.Thread(target=self.serve, daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the server. It may be called twice."""
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._thread = None
        self._server.server_close()
        if self._path and os.path.exists(self._path):
            os.unlink(self._path)

    def __enter__(self) -> AgentServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def policy(self, game: str, agent: str) -> Tuple[Spec, Policy]:
        """Returns the policy of an agent, and its game. Raises ServerError."""
        with self._lock:
            found = self._policies.get((game, agent))
            if found is None:
                spec = self._spec(game)
                try:
                    found = spec, self._make(spec, agent)
                except (ValueError, LookupError, OSError, Error) as e:
                    raise ServerError("agent", f"{agent}: {e}") from e
                self._policies[game, agent] = found
            return found

    def _spec(self, game: str) -> Spec:
        """Returns the spec of a game, from a server that may long have closed a connection on
        which nothing was said."""
        try:
            if self._client is not None:
                return self._client.spec(game)
        except ConnectionLost:
            pass
        for _ in range(2):
            try:
                self._client = clients.shared()
                return self._client.spec(game)
            except ConnectionLost as e:
                lost = e
        raise lost

    def choose(self, spec: Spec, policy: Policy, observations: bytes, masks: bytes, rng: np.random.Generator) -> bytes:
        """Returns a policy's actions as the wire has them. Raises ServerError."""
        size, width = spec.observation_size, len(spec.actions)
        n = len(masks) // width
        if n == 0 or len(masks) != n * width or len(observations) != 4 * n * size:
            raise ServerError("params", f"{len(observations) // 4} observed numbers and {len(masks)} mask bytes; for n decisions of {spec.game} it is n×{size} and n×{width}, n at least 1")
        shown, legal = wire.unpack(observations, "<f4", n, size), wire.unpack(masks, "u1", n, width)
        with self._lock:
            actions = np.asarray(policy(shown, legal, rng))
        if actions.shape != (n,) or actions.dtype.kind not in "iu":
            raise ServerError("internal", f"the policy's answer is of {actions.dtype} {actions.shape}, it must be of {n} whole numbers")
        illegal = (actions < 0) | (actions >= width)
        illegal |= legal[np.arange(n), np.where(illegal, 0, actions)] != 1
        if illegal.any():
            raise ServerError("internal", f"the policy chose action {actions[illegal][0]}, which is not legal")
        return wire.pack("actions", actions, "<i4")


def _listening(kind: Type[Any], address: Union[str, Tuple[str, int]], owner: AgentServer) -> socketserver.BaseServer:
    """Returns a server that listens at an address."""
    server: socketserver.BaseServer = kind(address, _Connection)
    server.owner = owner  # type: ignore[attr-defined]
    server.daemon_threads = True  # type: ignore[attr-defined]
    return server


class _Connection(socketserver.BaseRequestHandler):
    """One asker, with the agents that it has loaded."""

    request: socket.socket

    def setup(self) -> None:
        if self.request.family != getattr(socket, "AF_UNIX", None):
            self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.owner: AgentServer = self.server.owner  # type: ignore[attr-defined]
        self.agents: Dict[int, Tuple[Spec, Policy, np.random.Generator]] = {}
        self.last = 0
        self.greeted = False

    def handle(self) -> None:
        try:
            while self._answer():
                pass
        except OSError:
            pass  # the asker has gone

    def _answer(self) -> bool:
        """Answers a request and reports whether another may follow."""
        header = self._read(_LENGTH.size)
        if header is None:
            return False
        (size,) = _LENGTH.unpack(header)
        number, fault, result = 0, None, None
        try:
            if not 1 <= size <= FRAME_BYTES:
                raise ServerError("frame", f"a request of {size} bytes; it has 1 to {FRAME_BYTES}")
            body = self._read(size)
            if body is None:
                return False
            number, method, params = _request(body)
            result = self._call(method, params)
        except ServerError as e:
            fault = {"code": e.code, "message": e.message}
        except Exception as e:  # a fault of a policy is told to the asker
            fault = {"code": "internal", "message": f"{type(e).__name__}: {e}"}
        answer = msgpack.packb([wire.RESPONSE, number, fault, result])
        self.request.sendall(_LENGTH.pack(len(answer)) + answer)
        return fault is None or fault["code"] not in wire.FATAL

    def _read(self, size: int) -> Optional[bytes]:
        """Reads so many bytes, or returns None where the connection ends first."""
        parts: List[bytes] = []
        while size:
            part = self.request.recv(min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _call(self, method: str, params: Dict[str, Any]) -> Dict[str, Any]:
        if (method == "hello") == self.greeted:
            raise ServerError("hello", "the first request, and only the first, is hello")
        if method not in _PARAMETERS:
            raise ServerError("method", f"there is no {method!r} here; methods: {', '.join(sorted(_PARAMETERS))}")
        wanted = _PARAMETERS[method]
        for name, value in params.items():
            if name not in wanted or not isinstance(value, wanted[name]):
                raise ServerError("params", f"{method}: {name}={value!r:.40}; parameters: {', '.join(wanted)}")
        given = {name: params.get(name, kind()) for name, kind in wanted.items()}
        answer: Dict[str, Any] = getattr(self, "_" + method.replace(".", "_"))(**given)
        return answer

    def _hello(self, versions: List[int], client: str, token: str) -> Dict[str, Any]:
        common = set(versions) & set(wire.VERSIONS)
        if not common:
            raise ServerError("version", f"versions {versions}; this server speaks {list(wire.VERSIONS)}")
        self.greeted = True
        limits = {"frame_bytes": FRAME_BYTES, "environments": 0, "agents": 1024, "workers": 1, "idle_seconds": 0.0, "request_seconds": 0.0}
        return {
            "version": max(common), "server": "powderkeg-python", "release": __version__, "capabilities": [],
            "methods": sorted(_PARAMETERS), "agents": [], "limits": limits,
        }  # fmt: skip

    def _agent_load(self, game: str, agent: str, seed: int) -> Dict[str, Any]:
        if len(self.agents) >= 1024:
            raise ServerError("limit", "one more agent; this connection has 1024 of at most 1024")
        spec, policy = self.owner.policy(game, agent)
        self.last += 1
        self.agents[self.last] = spec, policy, np.random.default_rng(seed)
        return {"agent": self.last, "game": spec.game, "batch": True, "generation": 0}

    def _act_batch(self, agent: int, observations: bytes, masks: bytes) -> Dict[str, Any]:
        spec, policy, rng = self._loaded(agent)
        return {"actions": self.owner.choose(spec, policy, observations, masks, rng), "generation": 0}

    def _agent_close(self, agent: int) -> Dict[str, Any]:
        self._loaded(agent)
        del self.agents[agent]
        return {}

    def _loaded(self, agent: int) -> Tuple[Spec, Policy, np.random.Generator]:
        if agent not in self.agents:
            raise ServerError("handle", f"agent {agent} is none of this connection's")
        return self.agents[agent]


def _request(body: bytes) -> Tuple[int, str, Dict[str, Any]]:
    """Takes the body of a request apart."""
    try:
        kind, number, method, params = msgpack.unpackb(body)
        if kind != wire.REQUEST or not isinstance(number, int) or number < 1 or not isinstance(method, str):
            raise ValueError("it is none")
        if params is not None and not isinstance(params, dict):
            raise ValueError("its parameters are no map")
    except (ValueError, TypeError) as e:
        raise ServerError("frame", f"not a request: {e}") from e
    return number, method, params or {}
