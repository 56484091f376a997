"""Single environments, and agents that act in them."""

from __future__ import annotations

import json
import operator
import sys
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

from . import inprocess, wire
from .drawing import Drawing
from .errors import Error, ServerError
from .spec import Observation, Spec

#: The actor after a game's end.
TERMINAL = -2


class Step(NamedTuple):
    """What an environment shows at a decision of yours or at the end of an episode.

    D is the size of an observation, A the number of actions, P that of seats.
    The arrays are yours to keep and to write.
    """

    #: Seat to act; TERMINAL after the game's end.
    actor: int
    #: Seat whose observation it is: one that you play.
    observer: int
    observation: npt.NDArray[np.float32]  # [D]
    mask: npt.NDArray[np.uint8]  # [A], 1 legal, 0 not; all 0 at an end
    rewards: npt.NDArray[np.float32]  # [P], since your last decision
    returns: npt.NDArray[np.float32]  # [P], since the episode began
    #: The rules have ended the episode.
    terminated: bool
    #: The cap on decisions has ended the episode.
    truncated: bool
    #: Decisions of yours in this episode.
    decisions: int

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self.terminated or self.truncated

    @property
    def legal(self) -> npt.NDArray[np.int64]:
        """The legal actions in ascending order."""
        return self.mask.nonzero()[0]  # np.flatnonzero takes several times as long


class LegalAction(NamedTuple):
    """A legal action, and what it would do here in a few words."""

    action: int
    name: str
    description: str
    #: What is done, such as "BUILD_AT"; empty for a name that is an object alone.
    verb: str
    #: To what, such as "CAN"; empty for a name that is a verb alone.
    object: str
    #: How many or how much, in units of what the question asks for; None for none.
    amount: Optional[int]


class Question(NamedTuple):
    """What the seat to act is asked."""

    actor: int
    #: Its name in positions and events, such as "D3"; empty where nothing is asked.
    name: str
    #: The number of the rule by which it is asked, such as "R7.3", its title and what it
    #: says, in our own words.
    rule: str
    title: str
    text: str
    #: The question as a sentence to whoever answers it, such as "Play a card, or pass for the
    #: rest of the round".
    says: str = ""


class Position(NamedTuple):
    """A full state, secrets included."""

    #: The position in the format of the game's README; give it to make().
    position: Dict[str, Any]
    #: 16 hexadecimal digits, equal for equal states.
    hash: str


def _step(result: Dict[str, Any]) -> Step:
    return Step(
        result["actor"],
        result["observer"],
        wire.unpack(result["observation"], "<f4"),
        wire.unpack(result["mask"], "u1"),
        wire.unpack(result["rewards"], "<f4"),
        wire.unpack(result["returns"], "<f4"),
        result["terminated"],
        result["truncated"],
        result["decisions"],
    )


#: Makes a Step of a tuple.
_new: Callable[[Type[Step], Tuple[Any, ...]], Step] = tuple.__new__

#: Seeds are numbers of 64 bits, actions with a sign.
_SEEDS, _ACTIONS = 1 << 64, 1 << 63


class _Place:
    """An environment of the server, and in this process what it writes to. It is given up when
    nothing refers to it."""

    def __init__(self, client: wire.Caller, spec: Spec, handle: int) -> None:
        self.handle = handle
        # In this process the library writes to these (in the order of pk_bind).
        self.memory: List[npt.NDArray[Any]] = [np.zeros(n, t) for n, t in (
            (spec.observation_size, np.float32), (len(spec.actions), np.uint8), (spec.seats, np.float32), (spec.seats, np.float32), (6, np.int64)
        )]  # fmt: skip
        self.bound = client.bind(handle, self.memory)
        self.lent = False  # the memory is the caller's own
        self.spares = _SPARES if self.bound is None else _SPARES_HERE
        self.end = weakref.finalize(self, client.drop, "env.close", {"env": handle})
        self.end.atexit = False


    def shared(self) -> bool:
        """Reports whether somebody may still look at the arrays that it writes to."""
        return _references(self.memory) > _UNSHARED


def _references(arrays: List[npt.NDArray[Any]]) -> int:
    """Returns how often one of the arrays is referred to, at the most; 0 where Python does not
    count that."""
    count, most = getattr(sys, "getrefcount", None), 0
    if count is not None:
        for array in arrays:
            most = max(most, count(array))
    return most


#: That of arrays which only a list has.
_UNSHARED = _references([np.zeros(1)]) or -1

#: How many places of copies that were given up are kept for the next ones: on a server, which
#: has others to serve, and in this process.
_SPARES, _SPARES_HERE = 256, 4096


class Env:
    """One game in progress. Made by Client.make and Client.match.

    One that is dropped without close() is given up by and by. It is a value: copy.deepcopy makes
    a clone(), and pickle writes a snapshot(), to go on in another process.
    """

    # Of one that is not made to the end, and of copies that nobody has looked at.
    _copy = False
    _spares: Optional[List[_Place]] = None
    _place: Optional[_Place] = None
    _last: Optional[Step] = None
    #: The parameters of a request whose result has not been noted (wire.Owner).
    owed: Optional[Dict[str, Any]] = None
    _shown = -1  # the number of the step that _last is

    def __init__(
        self, client: wire.Caller, spec: Spec, made: Dict[str, Any], *, copy: bool = True, params: Optional[Dict[str, Any]] = None
    ) -> None:
        self._client = client
        self.spec = spec
        self.handle: int = made["env"]
        #: Seed of the episodes since it was last given (or drawn, by make).
        self.seed: int = made["seed"]
        self._last = _step(made["step"])
        self._copy = copy
        self._params = params or {"game": spec.game}  # by which it was made
        self._take(_Place(client, spec, self.handle))
        self._shown = int(self._memory[4][5])
        if self._bound is not None and not copy:
            self._read()

    def _take(self, place: _Place) -> None:
        self._place = place
        self._memory, self._bound = place.memory, place.bound

    @property
    def last(self) -> Step:
        """What was seen last. After a call that Ctrl-C has interrupted that is what has come of
        it, which is waited for."""
        bound = self._bound
        if self.owed is not None:
            self._settle()
        if bound is not None:
            if bound.late:
                bound.settle()
            if self._memory[4][5] != self._shown:
                self._read()
        if self._last is None:
            raise Error("the environment was closed before anybody looked at it")
        return self._last

    def _read(self) -> Step:
        """Notes and returns what the library has written."""
        observation, mask, rewards, returns, facts = self._memory
        actor, observer, terminated, truncated, decisions, shown = facts.tolist()
        if self._copy:
            observation, mask, rewards, returns = observation.copy(), mask.copy(), rewards.copy(), returns.copy()
        # What Step() does, without a call of a function in Python.
        step = _new(Step, (actor, observer, observation, mask, rewards, returns, terminated == 1, truncated == 1, decisions))
        self._last, self._shown = step, shown  # in this order: a step that was interrupted before is read again
        return step

    def write_to(self, **arrays: npt.NDArray[Any]) -> None:
        """Has steps written to arrays of yours from now on, without a copy: ``observation``,
        ``mask``, ``rewards`` and ``returns``, those of Step, contiguous and writeable. What
        step() returns is then these arrays. It works in this process alone."""
        self._bound = write_to(self._bound, self._memory, ("observation", "mask", "rewards", "returns"), arrays)
        self._copy = False
        self._read()
        if self._place is not None:
            self._place.lent = True

    def reset(self, seed: Optional[int] = None) -> Step:
        """Begins a new episode: by the seed, or without one going on with the
        random numbers of the episode before."""
        number = seed if seed is None else whole(seed, 0, _SEEDS)
        if self._bound is None or number is None and seed is not None or not self._bound.env_reset(number):
            step = self._moved("env.reset", {"env": self.handle, "seed": seed})
        else:
            step = self._read()
        if seed is not None:
            self.seed = int(seed)
        return step

    def _moved(self, method: str, params: Dict[str, Any]) -> Step:
        """Makes a request by which it moves and returns what it then shows."""
        if self.owed is not None:
            self._settle()
        self.owed = params
        try:
            self.note(self._client.call(method, params, self))
        except Exception:  # and no interruption, after which something is still to come
            self.owed = None
            raise
        self.owed = None
        return self.last

    def _settle(self) -> None:
        """Waits for what comes of a request that was interrupted."""
        if not self._client.closed:
            self._client.settle()
        self.owed = None

    def note(self, result: Dict[str, Any]) -> None:
        """Notes what a request has shown, which is in the memory too; see wire.Owner."""
        params, step = self.owed or {}, result.get("step", result)
        if self._bound is None:
            self._last = _step(step)
        else:
            self._read()
        seed = result.get("seed", params.get("seed"))
        if seed is not None:
            self.seed = int(seed)

    def step(self, action: Union[int, str, np.integer[Any]]) -> Step:
        """Plays an action, by number or by name. Agents on other seats then play up
        to your next decision. An illegal action raises ServerError with the code
        "illegal" and changes nothing."""
        bound = self._bound
        if bound is not None:
            number = action if type(action) is int and -_ACTIONS <= action < _ACTIONS else whole(action, -_ACTIONS, _ACTIONS)
            if number is not None and bound.env_step(number):
                return self._read()
        return self._moved("env.step", {"env": self.handle, "action": action})

    def clone(self) -> Env:
        """Returns a copy: given the same actions, both show the same from now on, chance and
        further episodes included. A search closes its copies, whose places the next ones take
        then, so that each costs little more than copying a state. With ``copy=False`` the arrays
        of a copy are those of another one once it is closed.

        Servers allow it where you play every seat; against agents of theirs it would tell what
        these hide (code "forbidden"). In this process all games are copied."""
        spares, bound, last = self._spares, self._bound, None
        if spares is None:
            spares = self._spares = []
        try:
            place = spares.pop()
        except IndexError:
            return self._anew()
        if bound is None:
            made = self._client.call("env.clone", {"env": self.handle, "into": place.handle})
            last = _step(made["step"])
        elif place.bound is None or not bound.env_clone(place.bound):
            return self._anew()
        return self._in(place, last)

    def child(self, action: Union[int, str, np.integer[Any]]) -> Env:
        """Returns what an action leads to: a clone() in which it is played, which in this process
        takes less time than the two calls."""
        bound, number = self._bound, action if type(action) is int else whole(action, -_ACTIONS, _ACTIONS)
        if bound is not None and number is not None and self._spares:
            place = self._spares.pop()
            if bound.late:
                bound.settle()
            try:
                if place.bound is not None and place.bound.env_child(bound, number):
                    return self._in(place, None)
            except ServerError:
                self._spares.append(place)
                raise
        child = self.clone()
        child.step(action)
        return child

    def _in(self, place: _Place, last: Optional[Step]) -> Env:
        """Returns a copy that is in a place."""
        clone = Env.__new__(Env)
        # One by one, which is faster than all at once.
        clone._client, clone.spec, clone._params, clone._copy, clone._spares = self._client, self.spec, self._params, self._copy, self._spares
        clone._place, clone.handle, clone._memory, clone._bound, clone.seed = place, place.handle, place.memory, place.bound, self.seed
        if last is not None:
            clone._last = last
        return clone

    def _anew(self) -> Env:
        """Makes a copy in a place of its own."""
        handle = 0 if self._bound is None else self._bound.env_anew()
        if handle:
            return self._in(_Place(self._client, self.spec, handle), None)
        made = self._client.call("env.clone", {"env": self.handle})
        clone = Env(self._client, self.spec, made, copy=self._copy, params=self._params)
        clone._spares = self._spares
        return clone

    def snapshot(self) -> bytes:
        """Returns all of the game in progress, the numbers of chance included. It can be kept
        and restored at any time, in any process with the same versions of the game."""
        return str(self._client.call("env.snapshot", {"env": self.handle})["snapshot"]).encode()

    def restore(self, snapshot: bytes) -> Step:
        """Goes on from a snapshot of an environment, or of a slot of a vectorised one, with the
        same game and agents. One that cannot go on here raises ServerError with the code
        "position" and changes nothing."""
        return self._moved("env.restore", {"env": self.handle, "snapshot": text_of(snapshot)})

    def redeal(self, seed: Optional[int] = None, seat: Optional[int] = None) -> Step:
        """Puts one of the worlds that a seat of yours may be in into the place of the present
        one, each as probable as the next; without a seat, the observer's. What the seat does not
        know is dealt anew, and so is all chance to come. It follows from what the seat sees and
        from the seed alone, so that a search on such worlds knows nothing that the seat does not;
        decisions and rewards count from here on."""
        if self._bound is not None and seed is not None:
            number, who = whole(seed, 0, _SEEDS), -1 if seat is None else whole(seat, 0, 128)
            if number is not None and who is not None and self._bound.env_redeal(number, who):
                self.seed = number
                self._read()
                return self.last
        return self._moved("env.redeal", {"env": self.handle, "seed": seed, "seat": seat})

    def observe(self, seat: Optional[int] = None) -> Observation:
        """Returns what a seat of yours sees, whoever is to act, to be read by field;
        without a seat what step has shown last."""
        if seat is None:
            return self.spec.observation(self.last.observation)
        values, number = np.empty(self.spec.observation_size, np.float32), whole(seat, 0, 128)
        if self._bound is not None and number is not None and self._bound.env_observe(number, values):
            return self.spec.observation(values)
        result = self._client.call("env.observe", {"env": self.handle, "seat": seat})
        return self.spec.observation(wire.unpack(result["observation"], "<f4"))

    def legal(self) -> List[LegalAction]:
        """Returns the legal actions with what they would do."""
        result = self._client.call("env.legal", {"env": self.handle})
        actions, amounts = wire.unpack(result["actions"], "<i4"), wire.unpack(result["amounts"], "<i4")
        rows = zip(actions, result["names"], result["descriptions"], result["verbs"], result["objects"], amounts)
        return [LegalAction(int(a), n, d, v, o, None if k < 0 else int(k)) for a, n, d, v, o, k in rows]

    def question(self) -> Question:
        """Returns what the seat to act is asked, and by which rule."""
        result = self._client.call("env.legal", {"env": self.handle})
        return Question(result["actor"], result["question"], result["rule"], result["rule_title"], result["rule_text"], result.get("says", ""))

    def view(self, seat: Optional[int] = None) -> Dict[str, Any]:
        """Returns the position as a seat of yours sees it, in the format of the game's
        README, with blanks (usually null or "?") for what the seat does not know; without
        a seat as the observer does."""
        view: Dict[str, Any] = json.loads(self._client.call("env.view", {"env": self.handle, "seat": seat})["view"])
        return view

    def text(self, seat: Optional[int] = None) -> str:
        """Returns the situation in words, as a seat of yours sees it."""
        return str(self._client.call("env.text", {"env": self.handle, "seat": seat})["text"])

    def drawing(self, seat: Optional[int] = None) -> Drawing:
        """Returns the situation as a picture, as a seat of yours sees it."""
        return Drawing(self._client.call("env.drawing", {"env": self.handle, "seat": seat})["svg"])

    def _repr_svg_(self) -> str:
        return self.drawing()

    def position(self) -> Position:
        """Returns the full state. Servers may refuse that (code "forbidden"), and
        unless told otherwise do where agents of theirs play."""
        result = self._client.call("env.position", {"env": self.handle})
        return Position(json.loads(result["position"]), result["hash"])

    def close(self) -> None:
        """Gives the environment up. It may be called twice."""
        place, spares = self._place, self._spares
        if not self.handle or place is None:
            return
        if spares is not None and len(spares) < place.spares and not place.lent:
            if place.bound is not None and place.bound.late:
                place.bound.settle()
            spares.append(place)
        else:
            place.end.detach()
            wire.give_up(self._client, "env.close", {"env": self.handle})
        self.handle, self._place, self._bound = 0, None, None

    def __del__(self) -> None:
        spares, place = self._spares, self._place
        if place is None or spares is None or len(spares) >= place.spares or place.lent or place.bound is not None and place.bound.late:
            return
        self._last = None
        if self._copy or not place.shared():
            spares.append(place)

    def __copy__(self) -> Env:
        return self.clone()

    def __deepcopy__(self, memo: Dict[int, Any]) -> Env:
        return self.clone()

    def __reduce__(self) -> Any:
        return _unpickle, (self._client, self._params, self.snapshot(), self._copy)

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _unpickle(client: Any, params: Dict[str, Any], snapshot: bytes, copy: bool) -> Env:
    """Makes an environment that was pickled."""
    made = client.call("env.make", params)
    env = Env(client, client.spec(made["game"]), made, copy=copy, params=params)
    env.restore(snapshot)
    return env


def text_of(snapshot: bytes) -> str:
    """Returns a snapshot as the wire has it."""
    if not isinstance(snapshot, (bytes, bytearray, memoryview)):
        raise TypeError(f"a snapshot is bytes, not {type(snapshot).__name__}")
    return bytes(snapshot).decode("utf-8", "replace")


def whole(number: Any, low: int, high: int) -> Optional[int]:
    """Returns a whole number within bounds, None for anything else: of what that is worth the
    server judges."""
    if type(number) is not int:
        try:
            number = operator.index(number)
        except TypeError:
            return None
    return number if low <= number < high else None


def write_to(
    bound: Optional[wire.Bound], memory: List[npt.NDArray[Any]], names: Tuple[str, ...], arrays: Dict[str, npt.NDArray[Any]]
) -> wire.Bound:
    """Puts arrays in the places of those of their names and binds them."""
    if bound is None:
        raise Error("arrays are written to in this process alone; have connect('process')")
    changed = list(memory)
    for name, array in arrays.items():
        if name not in names:
            raise TypeError(f"there is no array {name!r}; there are {', '.join(names)}")
        i = names.index(name)
        changed[i] = inprocess.check(name, array, memory[i])
    bound.settle()
    bound.rebind(changed)
    memory[:] = changed
    return bound


class Agent:
    """An agent on the server. Made by Client.load_agent.

    It plays one seat of one episode at a time: asked about another, it begins
    anew. For agents that remember, load one for each seat.
    """

    def __init__(
        self, client: wire.Caller, spec: Spec, made: Dict[str, Any], params: Dict[str, Any], lane: Optional[wire.Caller] = None
    ) -> None:
        self._client = client
        self._params, self._others = params, weakref.WeakKeyDictionary[Any, int]()
        #: Another connection on which it is asked, about copies of environments (by these).
        self._lane = client if lane is None else lane
        self._copies = weakref.WeakKeyDictionary[Env, Env]()
        self.spec = spec
        self.handle: int = made["agent"]
        #: Whether act_batch works.
        self.batch: bool = made["batch"]

    def act(self, env: Env) -> int:
        """Returns the action that the agent would take for the seat to act in env,
        which does not move."""
        asked = env if self._lane is self._client else self._copy(env)
        client = asked._client
        handle = self.handle if client is self._client else self._beside(client)
        return int(client.call("act", {"agent": handle, "env": asked.handle})["action"])

    def _copy(self, env: Env) -> Env:
        """Returns a copy of an environment on the connection of the agent's own, or the
        environment itself where there can be none, or where agents have it on one of theirs."""
        if any(env._params.get("agents", ())):
            return env
        try:
            snapshot = env.snapshot()
            if env not in self._copies:
                made = self._lane.call("env.make", env._params)
                self._copies[env] = Env(self._lane, env.spec, made, params=env._params)
            self._copies[env].restore(snapshot)
        except ServerError:
            return env
        return self._copies[env]

    def _beside(self, client: wire.Caller) -> int:
        """Returns the agent's handle on another connection, on which it is loaded once."""
        if client not in self._others:
            self._others[client] = int(client.call("agent.load", self._params)["agent"])
        return self._others[client]

    def act_batch(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        """Returns the actions [n] for observations [n, D] and masks [n, A]."""
        result = self._client.call(
            "act_batch",
            {"agent": self.handle, "observations": wire.pack("observations", observations, "<f4"), "masks": wire.pack("masks", masks, "u1")},
        )
        return wire.unpack(result["actions"], "<i4")

    def evaluate(
        self, observations: npt.NDArray[np.float32]
    ) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Returns the logits [n, A] and values [n, P] that the agent's network has for
        observations [n, D]. Agents without one raise ServerError ("agent")."""
        params = {"agent": self.handle, "observations": wire.pack("observations", observations, "<f4")}
        result = self._client.call("agent.evaluate", params)
        a, p = len(self.spec.actions), self.spec.seats
        return wire.unpack(result["logits"], "<f4", -1, a), wire.unpack(result["values"], "<f4", -1, p)

    def close(self) -> None:
        """Gives the agent up. It may be called twice."""
        if self.handle:
            wire.give_up(self._client, "agent.close", {"agent": self.handle})
            for client, handle in list(self._others.items()):
                wire.give_up(client, "agent.close", {"agent": handle})
            for copy in list(self._copies.values()):
                copy.close()
            self.handle, self._others, self._copies = 0, weakref.WeakKeyDictionary(), weakref.WeakKeyDictionary()


def agents_against(spec: Spec, seat: int, agent: str) -> Tuple[Optional[str], ...]:
    """Returns the agents of a match in which you play one seat."""
    if not 0 <= seat < spec.seats:
        raise ValueError(f"seat {seat}; {spec.name} has seats 0 to {spec.seats - 1}")
    return tuple(None if p == seat else agent for p in range(spec.seats))
