"""Single environments, and agents that act in them."""

from __future__ import annotations

import json
import operator
import weakref
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import inprocess, wire
from .drawing import Drawing
from .errors import Error
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
        return np.flatnonzero(self.mask)


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


#: Seeds are numbers of 64 bits, actions with a sign.
_SEEDS, _ACTIONS = 1 << 64, 1 << 63


class Env:
    """One game in progress. Made by Client.make and Client.match.

    One that is dropped without close() is given up by and by.
    """

    def __init__(self, client: wire.Caller, spec: Spec, made: Dict[str, Any], *, copy: bool = True) -> None:
        self._client = client
        self.spec = spec
        self.handle: int = made["env"]
        #: Seed of the episodes since it was last given (or drawn, by make).
        self.seed: int = made["seed"]
        self._last = _step(made["step"])
        self._copy = copy
        # In this process the library writes to these (in the order of pk_bind).
        self._memory: List[npt.NDArray[Any]] = [np.zeros(n, t) for n, t in (
            (spec.observation_size, np.float32), (len(spec.actions), np.uint8), (spec.seats, np.float32), (spec.seats, np.float32), (6, np.int64)
        )]  # fmt: skip
        self._bound = client.bind(self.handle, self._memory)
        self._shown = int(self._memory[4][5])  # the number of the step that _last is
        self._end = weakref.finalize(self, client.drop, "env.close", {"env": self.handle})
        self._end.atexit = False
        if self._bound is not None and not copy:
            self._last = self._read()

    @property
    def last(self) -> Step:
        """What was seen last. After a call that Ctrl-C has interrupted that is what came of
        it in this process, where it goes on."""
        if self._bound is not None:
            self._bound.settle()
            if self._memory[4][5] != self._shown:
                self._last = self._read()
        return self._last

    def _read(self) -> Step:
        """Returns what the library has written."""
        observation, mask, rewards, returns, facts = self._memory
        actor, observer, terminated, truncated, decisions, self._shown = facts.tolist()
        if self._copy:
            observation, mask, rewards, returns = observation.copy(), mask.copy(), rewards.copy(), returns.copy()
        return Step(actor, observer, observation, mask, rewards, returns, terminated == 1, truncated == 1, decisions)

    def write_to(self, **arrays: npt.NDArray[Any]) -> None:
        """Has steps written to arrays of yours from now on, without a copy: ``observation``,
        ``mask``, ``rewards`` and ``returns``, those of Step, contiguous and writeable. What
        step() returns is then these arrays. It works in this process alone."""
        self._bound = write_to(self._bound, self._memory, ("observation", "mask", "rewards", "returns"), arrays)
        self._copy, self._last = False, self._read()

    def reset(self, seed: Optional[int] = None) -> Step:
        """Begins a new episode: by the seed, or without one going on with the
        random numbers of the episode before."""
        number = seed if seed is None else whole(seed, 0, _SEEDS)
        if self._bound is None or number is None and seed is not None or not self._bound.env_reset(number):
            self._seen(self._client.call("env.reset", {"env": self.handle, "seed": seed}))
        else:
            self._last = self._read()
        if seed is not None:
            self.seed = int(seed)
        return self._last

    def _seen(self, result: Dict[str, Any]) -> None:
        """Notes what a request has shown, which is in the memory too."""
        self._last = _step(result) if self._bound is None else self._read()

    def step(self, action: Union[int, str, np.integer[Any]]) -> Step:
        """Plays an action, by number or by name. Agents on other seats then play up
        to your next decision. An illegal action raises ServerError with the code
        "illegal" and changes nothing."""
        if self._bound is not None:
            number = whole(action, -_ACTIONS, _ACTIONS)
            if number is not None and self._bound.env_step(number):
                self._last = self._read()
                return self._last
        self._seen(self._client.call("env.step", {"env": self.handle, "action": action}))
        return self._last

    def observe(self, seat: Optional[int] = None) -> Observation:
        """Returns what a seat of yours sees, whoever is to act, to be read by field;
        without a seat what step has shown last."""
        if seat is None:
            return self.spec.observation(self.last.observation)
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
        return Question(result["actor"], result["question"], result["rule"], result["rule_title"], result["rule_text"])

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
        if self.handle:
            self._end.detach()
            wire.give_up(self._client, "env.close", {"env": self.handle})
            self.handle = 0

    def __copy__(self) -> NoReturn:
        raise TypeError("a game in progress cannot be copied; make another environment, and give it position()")

    def __deepcopy__(self, memo: Dict[int, Any]) -> NoReturn:
        self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game in progress cannot be pickled; make another environment, and give it position()")

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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

    def __init__(self, client: wire.Caller, spec: Spec, made: Dict[str, Any]) -> None:
        self._client = client
        self.spec = spec
        self.handle: int = made["agent"]
        #: Whether act_batch works.
        self.batch: bool = made["batch"]

    def act(self, env: Env) -> int:
        """Returns the action that the agent would take for the seat to act in env,
        which does not move."""
        return int(self._client.call("act", {"agent": self.handle, "env": env.handle})["action"])

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
            self.handle = 0


def agents_against(spec: Spec, seat: int, agent: str) -> Tuple[Optional[str], ...]:
    """Returns the agents of a match in which you play one seat."""
    if not 0 <= seat < spec.seats:
        raise ValueError(f"seat {seat}; {spec.name} has seats 0 to {spec.seats - 1}")
    return tuple(None if p == seat else agent for p in range(spec.seats))
