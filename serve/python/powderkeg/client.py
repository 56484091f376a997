"""The connection to a server and what can be opened on it."""

from __future__ import annotations

import atexit
import json
import os
import ssl
import threading
import weakref
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy.typing as npt

from . import dataset, env, inprocess, server, spec, vec, wire
from ._version import __version__
from .errors import Error


#: How many connections a client has at the most for what agents play in.
_LANES = 8


class Client:
    """A connection to a server, or to the environments of this process. Use connect() or
    start() to make one.

    Several threads may use it, one call at a time. What agents play in (environments with agents,
    datasets) has connections of its own, and so have agents that think for long, so that nobody
    waits for them. A call that is interrupted leaves the client usable: what comes of it is
    noted when it does. Closing it ends all that it has opened on the server.
    """

    def __init__(
        self,
        address: str,
        timeout: Optional[float],
        owned: Optional[server.Server] = None,
        *,
        token: Optional[str] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._server, self._secret = owned, token is not None or tls is not None
        #: Where the server is: unix:PATH, tcp:HOST:PORT, or "process" for this one.
        self.address = address
        self._dropped: Deque[Tuple[str, Dict[str, Any]]] = deque()
        self._wire: Union[wire.Wire, inprocess.Process]
        if address == inprocess.ADDRESS:
            self._wire = inprocess.Process()
        else:
            self._wire = wire.Wire(address, timeout, tls)
        #: What the server said of itself: version, capabilities, methods, agents, limits.
        self.welcome: Dict[str, Any] = self._wire.hello(f"powderkeg-python {__version__}", token)
        self._specs: Dict[str, spec.Spec] = {}
        self._another: Callable[[], Client] = lambda: Client(address, timeout, token=token, tls=tls)
        self._kept: Optional[server.Server] = None  # of another client, which must not end before what this one has opened
        self._opening = threading.Lock()  # of _lanes
        self._lanes: List[Tuple[Client, "weakref.WeakSet[Any]"]] = []

    @property
    def closed(self) -> bool:
        """Whether the connection is closed, by close() or because it broke."""
        return self._wire.closed

    def call(self, method: str, params: Optional[Dict[str, Any]] = None, owner: Optional[wire.Owner] = None) -> Any:
        """Sends a request of PROTOCOL.md and returns its result as msgpack has it. Should the call
        be interrupted, its owner gets the result before the next one."""
        if self._dropped:
            self._sweep()
        return self._wire.call(method, params or {}, owner)

    def settle(self) -> None:
        """Waits for the call before, if it was interrupted."""
        self._wire.settle()

    def bind(self, handle: int, arrays: Sequence[npt.NDArray[Any]]) -> Optional[wire.Bound]:
        """Has an environment write to arrays, None where it is not in this process."""
        return self._wire.bind(handle, arrays) if isinstance(self._wire, inprocess.Process) else None

    def pickled(self) -> str:
        """Returns the address by which another process gets a client like this one: a token
        and certificates are not written down."""
        if self._secret:
            raise TypeError("what a server with a token or certificates of its own plays cannot be pickled; pickle its snapshot()")
        return self.address

    def drop(self, method: str, params: Dict[str, Any]) -> None:
        """Calls a method that closes something, now or before the next call."""
        self._dropped.append((method, params))
        self._sweep()

    def _sweep(self) -> None:
        """Closes what has been dropped, unless a call is under way, after which it is done."""
        while self._dropped and not self.closed:
            try:
                method, params = self._dropped.popleft()
            except IndexError:
                return  # another thread has had it
            try:
                if not self._wire.try_call(method, params):
                    self._dropped.append((method, params))
                    return
            except Error:
                pass  # it is gone, as is all else on a connection that is

    def _lane(self, thinks: bool) -> Tuple[Client, "weakref.WeakSet[Any]"]:
        """Returns the client by whose connection something is opened, and what else lives there:
        another one than this for agents that think, up to _LANES of them and the emptiest then."""
        if not thinks or self.closed:
            return self, weakref.WeakSet()
        with self._opening:
            return self._emptiest()

    def _emptiest(self) -> Tuple[Client, "weakref.WeakSet[Any]"]:
        self._lanes = [(lane, users) for lane, users in self._lanes if not lane.closed]
        best = min(self._lanes, key=lambda lane: len(lane[1]), default=None)
        if best is None or len(best[1]) > 0 and len(self._lanes) < _LANES:
            try:
                lane = self._another()
            except Error:  # the server takes no more connections
                return best or (self, weakref.WeakSet())
            lane._specs, lane._kept = self._specs, self._server
            best = lane, weakref.WeakSet()
            self._lanes.append(best)
        return best

    def games(self) -> List[spec.Game]:
        """Lists the server's games."""
        return [spec.game(g) for g in self.call("games")["games"]]

    def spec(self, game: str) -> spec.Spec:
        """Returns the facts of a configured game, such as "leduc"."""
        if game not in self._specs:
            self._specs[game] = spec.Spec(self.call("spec", {"game": game}))
        return self._specs[game]

    def make(
        self,
        game: str,
        *,
        seed: Optional[int] = None,
        max_decisions: int = 0,
        position: Union[None, str, Mapping[str, Any]] = None,
        agents: Sequence[Optional[str]] = (),
        copy: bool = True,
    ) -> env.Env:
        """Makes an environment and begins its first episode.

        ``agents`` are agent strings, one per seat, None for a seat of yours; an
        empty list means that you play all seats. ``position`` is where episodes begin, the
        game's own start if it is None; ``max_decisions`` truncates them, if above
        0. Without a seed the server draws one. With ``copy=False`` the arrays of a step are
        the ones that the next step writes to, which saves their copies in this process.
        """
        params = {
            "game": game,
            "seed": seed,
            "max_decisions": max_decisions,
            "position": _written(position),
            "agents": [agent or "" for agent in agents],
        }
        client, users = self._lane(any(agents))
        made = client.call("env.make", params)
        opened = env.Env(client, self.spec(made["game"]), made, copy=copy, params=params)
        users.add(opened)
        return opened

    def match(self, game: str, agent: str, *, seat: int = 0, seed: Optional[int] = None, max_decisions: int = 0) -> env.Env:
        """Makes an environment in which you play one seat and agents the others."""
        agents = env.agents_against(self.spec(game), seat, agent)
        return self.make(game, seed=seed, max_decisions=max_decisions, agents=agents)

    def make_vec(
        self,
        game: str,
        envs: int,
        *,
        workers: int = 0,
        autoreset: str = "same-step",
        max_decisions: int = 0,
        observer: Optional[int] = None,
        position: Union[None, str, Mapping[str, Any]] = None,
        agents: Sequence[Optional[str]] = (),
        copy: bool = True,
    ) -> vec.VecEnv:
        """Makes a vectorised environment. ``workers`` 0 means as many as are
        worth it; the results do not depend on it. ``observer`` is the seat that the last
        observation of an episode belongs to, such as that of a learner; None: the seat
        that would act next, seat 0 after the game's end, and with agents your first.

        ``position`` and ``agents`` are as in make(): the agents play on the server up to
        your next decision, so a step against them is one round trip. Rewards are then
        those since your decision before, ``max_decisions`` and lengths count your
        decisions, and an episode that ends before you have one is not shown. ``copy`` is as
        in make()."""
        params: Dict[str, Any] = {
            "game": game, "envs": envs, "workers": workers, "autoreset": autoreset, "max_decisions": max_decisions
        }
        if observer is not None:
            params["observer"] = observer
        if position is not None:
            params["position"] = _written(position)
        if agents:
            params["agents"] = [agent or "" for agent in agents]
        client, users = self._lane(any(agents))
        made = client.call("vec.make", params)
        opened = vec.VecEnv(client, self.spec(made["game"]), made, copy=copy, params=params)
        users.add(opened)
        return opened

    def load_agent(self, game: str, agent: str, *, seed: int = 0) -> env.Agent:
        """Loads an agent, such as "mcts(sims=100)". All randomness of its play
        follows from the seed and the order of what it is asked. One that may think for long, as a
        search does, is asked on a connection of its own about copies of environments, so that nobody
        waits for it who has not asked."""
        params = {"game": game, "agent": agent, "seed": seed}
        made = self.call("agent.load", params)
        lane, users = self._lane(made.get("long", False))
        opened = env.Agent(self, self.spec(made["game"]), made, params, lane)
        users.add(opened)
        return opened

    def dataset(
        self,
        game: str,
        agents: Sequence[str],
        episodes: int,
        *,
        seed: Optional[int] = None,
        max_decisions: int = 0,
        position: Union[None, str, Mapping[str, Any]] = None,
        logits: bool = False,
        text: bool = False,
        workers: int = 0,
        rows: int = 0,
    ) -> dataset.Dataset:
        """Lets agents of the server play episodes, to be iterated over as batches of at
        most ``rows`` decisions (0: as the server likes). ``agents`` are one per seat, or
        one for all. The rows follow from the seed and do not depend on ``workers``."""
        params = {
            "game": game, "agents": list(agents), "episodes": episodes, "seed": seed, "max_decisions": max_decisions,
            "position": _written(position), "logits": logits, "text": text, "workers": workers,
        }  # fmt: skip
        client, users = self._lane(True)
        made = client.call("dataset.open", params)
        opened = dataset.Dataset(client, self.spec(made["game"]), made, agents, rows)
        users.add(opened)
        return opened

    def close(self) -> None:
        """Closes the connection, and ends the server if start() has started it.
        It may be called twice."""
        self._wire.close()
        for lane, _ in list(self._lanes):
            lane.close()
        if self._server is not None:
            self._server.stop()

    def __reduce__(self) -> Any:
        return shared, (self.pickled(),)

    def __deepcopy__(self, memo: Dict[int, Any]) -> Client:
        # gymnasium.make copies the options of an environment, this client among them.
        return self

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(
    address: Optional[str] = None,
    *,
    timeout: Optional[float] = 120.0,
    token: Optional[str] = None,
    tls: Union[None, str, ssl.SSLContext] = None,
) -> Client:
    """Connects to a server at unix:PATH or tcp:HOST:PORT, to the environments of this process
    at "process", or without an address to those, and where there is no library for this system
    to a server that it starts, as start() does.

    ``timeout`` is how long a response may take, in seconds, None for ever. ``token``
    is for servers that demand one. ``tls`` encrypts TCP: the PEM file of the
    certificates to trust, or a context. The server's certificate is verified.
    """
    if address is None:
        if not inprocess.usable():
            return start(timeout=timeout)
        address = inprocess.ADDRESS
    if isinstance(tls, str):
        try:
            tls = ssl.create_default_context(cafile=tls)
        except OSError as e:
            raise Error(f"tls: {tls}: {e}") from e
    return Client(address, timeout, token=token, tls=tls)


def _written(position: Union[None, str, Mapping[str, Any]]) -> str:
    """Returns a position as the wire has it: JSON, empty for the game's own start."""
    return position or "" if position is None or isinstance(position, str) else json.dumps(position)


_shared: Dict[Tuple[int, str], Client] = {}
_lock = threading.Lock()


def _begin_anew() -> None:
    """In the child of a fork a lock that another thread held is never given back."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


@atexit.register
def _close_shared() -> None:
    for client in _shared.values():
        client.close()


def shared(address: Optional[str] = None) -> Client:
    """Returns the client that environments of other libraries share in this process: of the
    server at an address, which POWDERKEG_ADDRESS may name, or else of the process itself; where
    its library is missing, or after a fork, of a server that it starts (server.shared)."""
    if address == inprocess.ADDRESS and not inprocess.usable():  # of another process, or of the parent of this one
        address = None
    address = address or os.environ.get("POWDERKEG_ADDRESS") or (inprocess.ADDRESS if inprocess.usable() else server.shared())
    with _lock:
        # A fork must not talk on the connection of its parent.
        key = (os.getpid(), address)
        if key not in _shared or _shared[key].closed:
            _shared[key] = Client(address, 120.0)
        return _shared[key]


def start(*, timeout: Optional[float] = 120.0) -> Client:
    """Starts a server and connects to it. The server ends with the client or the
    interpreter; program.find tells where the program comes from."""
    owned = server.Server()
    try:
        return Client(owned.address, timeout, owned)
    except BaseException:
        owned.stop()
        raise
