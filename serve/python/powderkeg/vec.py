"""Vectorised environments."""

from __future__ import annotations

import weakref
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import wire
from .env import text_of, whole, write_to
from .errors import Error
from .spec import Spec


class VecStep(NamedTuple):
    """What the slots show, one per row. The arrays are yours to keep and to write.

    N is the number of rows: all slots, or those that step_slots and recv are about.
    E is the number of episodes that the step has ended; D is the size of an
    observation, A the number of actions, P that of seats.
    """

    observations: npt.NDArray[np.float32]  # [N, D], of the seat to act; at an end, of the observer
    masks: npt.NDArray[np.uint8]  # [N, A], 1 legal, 0 not
    actors: npt.NDArray[np.int8]  # [N], -2 after a game's end
    rewards: npt.NDArray[np.float32]  # [N, P]
    terminated: npt.NDArray[np.bool_]  # [N]
    truncated: npt.NDArray[np.bool_]  # [N]
    ended: npt.NDArray[np.int32]  # [E], the slots whose episode has ended
    returns: npt.NDArray[np.float32]  # [E, P], of those episodes
    lengths: npt.NDArray[np.int32]  # [E], in decisions; against agents, in yours
    final: npt.NDArray[np.float32]  # [E, D], their last observation; [0, D] unless same-step
    final_actors: npt.NDArray[np.int8]  # [E]; [0] unless same-step
    slots: npt.NDArray[np.int32]  # [N], the slot of each row


#: The arrays that the library writes to, in the order of pk_bind, before its facts.
_ARRAYS = (
    "observations", "masks", "actors", "rewards", "terminated", "truncated", "ended", "returns", "lengths", "final", "final_actors", "slots"
)  # fmt: skip


class VecEnv:
    """Many environments of one game, stepped together. Made by Client.make_vec.

    One that is dropped without close() is given up by and by.
    """

    def __init__(
        self, client: wire.Caller, spec: Spec, made: Dict[str, Any], *, copy: bool = True, params: Optional[Dict[str, Any]] = None
    ) -> None:
        self._params = params or {"game": spec.game, "envs": made["envs"]}  # by which it was made
        self._client = client
        self.spec = spec
        self.handle: int = made["vec"]
        self.envs: int = made["envs"]
        self.workers: int = made["workers"]
        #: "same-step", "next-step" or "disabled", as in Gymnasium.
        self.autoreset: str = made["autoreset"]
        #: Seed of the last reset, None before the first.
        self.seed: Optional[int] = None
        self._slots = np.arange(self.envs, dtype=np.int32)
        self._copy = copy
        n, d, a, p = self.envs, spec.observation_size, len(spec.actions), spec.seats
        final = (n if self.autoreset == "same-step" else 0, d)
        shapes: Tuple[Tuple[Tuple[int, ...], Any], ...] = (
            ((n, d), np.float32), ((n, a), np.uint8), ((n,), np.int8), ((n, p), np.float32), ((n,), np.bool_), ((n,), np.bool_),
            ((n,), np.int32), ((n, p), np.float32), ((n,), np.int32), (final, np.float32), ((n,), np.int8), ((n,), np.int32), ((3,), np.uint64),
        )  # fmt: skip
        self._memory: List[npt.NDArray[Any]] = [np.zeros(shape, t) for shape, t in shapes]
        self._bound = client.bind(self.handle, self._memory)
        self._actions = np.zeros(n, np.int32)
        self._actions_at = self._actions.ctypes.data
        self._end = weakref.finalize(self, client.drop, "vec.close", {"vec": self.handle})
        self._end.atexit = False

    def write_to(self, **arrays: npt.NDArray[Any]) -> None:
        """Has steps written to arrays of yours from now on, without a copy: those of VecStep, by
        its names and for all slots, contiguous and writeable. What step() and reset() return is
        then these arrays (of episodes that have ended the first rows). It works in this process
        alone."""
        self._bound, self._copy = write_to(self._bound, self._memory, _ARRAYS, arrays), False

    def _read(self) -> VecStep:
        """Returns what the library has written about all slots."""
        obs, masks, actors, rewards, terminated, truncated, ended, returns, lengths, final, final_actors, _, facts = self._memory
        e, same = int(facts[1]), self.autoreset == "same-step"
        self.seed = int(facts[0])
        shown = (
            obs, masks, actors, rewards, terminated, truncated, ended[:e], returns[:e], lengths[:e], final[:e],
            final_actors[: e if same else 0], self._slots,
        )  # fmt: skip
        return VecStep._make([array.copy() for array in shown] if self._copy else shown)

    def _read_some(self, slots: npt.NDArray[np.int32], rows: Any) -> VecStep:
        """Returns what rows show, of these slots."""
        step = self._read()
        return VecStep._make([*(array[rows].copy() for array in step[:6]), *step[6:11], slots.copy()])

    def reset(self, seed: Optional[int] = None) -> VecStep:
        """Begins a new episode in every slot. Without a seed the server draws one;
        it is then in the attribute seed."""
        number = None if seed is None else whole(seed, 0, 1 << 64)
        if self._bound is not None and (seed is None or number is not None) and self._bound.vec_reset(number):
            return self._read()
        return self._show(self._client.call("vec.reset", {"vec": self.handle, "seed": seed}))

    def reset_slots(self, slots: npt.ArrayLike, seeds: npt.ArrayLike) -> VecStep:
        """Begins new episodes in some slots, with one seed each."""
        which, given = wire.numbers("slots", slots, "<i4"), wire.numbers("seeds", seeds, "<u8")
        if self._bound is not None and which.shape == given.shape == (which.size,) and self._bound.vec_reset_slots(which, given):
            return self._read()
        params = {"vec": self.handle, "slots": which.tobytes(), "seeds": given.tobytes()}
        return self._show(self._client.call("vec.reset_slots", params))

    def step(self, actions: npt.ArrayLike) -> VecStep:
        """Plays actions [N], one in every slot. If one of them is illegal no slot
        moves and ServerError is raised."""
        chosen = wire.numbers("actions", actions, "<i4")
        if self._bound is not None and chosen.size == self.envs:
            self._actions[:] = chosen.reshape(-1)
            if self._bound.vec_step(self._actions_at, self.envs):
                return self._read()
        return self._show(self._client.call("vec.step", {"vec": self.handle, "actions": chosen.tobytes()}))

    def step_slots(self, slots: npt.ArrayLike, actions: npt.ArrayLike) -> VecStep:
        """Plays actions in some slots, each named once, while the others stand still,
        and returns what these slots show. If one of them is illegal no slot moves."""
        which, chosen = wire.numbers("slots", slots, "<i4"), wire.numbers("actions", actions, "<i4")
        if self._bound is not None and which.shape == chosen.shape == (which.size,) and self._bound.vec_step_slots(which, chosen):
            return self._read_some(which, which)
        params = {"vec": self.handle, "slots": which.tobytes(), "actions": chosen.tobytes()}
        result = self._client.call("vec.step_slots", params)
        return self._show(result, wire.unpack(result["slots"], "<i4"))

    def send(self, slots: npt.ArrayLike, actions: npt.ArrayLike) -> int:
        """Hands actions to some slots and returns at once: how many slots have an
        action under way. It is the asynchronous way, as in EnvPool, in which slow slots
        hold up nobody; step() does not work after it, and not with "disabled"."""
        params = {"vec": self.handle, "slots": wire.pack("slots", slots, "<i4"), "actions": wire.pack("actions", actions, "<i4")}
        return int(self._client.call("vec.send", params)["pending"])

    def recv(self, count: int) -> VecStep:
        """Waits for the first ``count`` slots whose action is done."""
        number = whole(count, 0, 1 << 63)
        if self._bound is not None and number is not None and self._bound.vec_recv(number):
            return self._read_some(self._memory[11][:number], slice(number))
        result = self._client.call("vec.recv", {"vec": self.handle, "count": count})
        return self._show(result, wire.unpack(result["slots"], "<i4", count))

    def _show(self, result: Dict[str, Any], slots: Optional[npt.NDArray[np.int32]] = None) -> VecStep:
        slots = self._slots.copy() if slots is None else slots
        n, d, a, p = len(slots), self.spec.observation_size, len(self.spec.actions), self.spec.seats
        self.seed = result["seed"]
        return VecStep(
            wire.unpack(result["observations"], "<f4", n, d),
            wire.unpack(result["masks"], "u1", n, a),
            wire.unpack(result["actors"], "i1", n),
            wire.unpack(result["rewards"], "<f4", n, p),
            wire.unpack(result["terminated"], "?", n),
            wire.unpack(result["truncated"], "?", n),
            wire.unpack(result["ended"], "<i4"),
            wire.unpack(result["returns"], "<f4", -1, p),
            wire.unpack(result["lengths"], "<i4"),
            wire.unpack(result["final"], "<f4", -1, d),
            wire.unpack(result["final_actors"], "i1"),
            slots,
        )

    def clone(self) -> VecEnv:
        """Returns a copy of all slots: given the same actions, both show the same from now on.
        See Env.clone()."""
        made = self._client.call("vec.clone", {"vec": self.handle})
        clone = VecEnv(self._client, self.spec, made, copy=self._copy, params=self._params)
        clone.seed = self.seed
        return clone

    def fork(self, slot: int, slots: npt.ArrayLike) -> VecStep:
        """Makes slots what one slot is, with the same chance to come, and shows all slots, with
        rewards and flags of 0."""
        which, number = wire.numbers("slots", slots, "<i4"), whole(slot, 0, 1 << 31)
        if self._bound is not None and number is not None and which.ndim == 1 and self._bound.vec_fork(number, which):
            return self._read()
        return self._show(self._client.call("vec.fork", {"vec": self.handle, "slot": slot, "slots": which.tobytes()}))

    def snapshot(self, slot: int) -> bytes:
        """Returns all of a slot; see Env.snapshot()."""
        return str(self._client.call("vec.snapshot", {"vec": self.handle, "slot": slot})["snapshot"]).encode()

    def restore(self, slot: int, snapshot: bytes) -> VecStep:
        """Makes a slot go on from a snapshot of a slot, or of an Env, and shows it; see
        Env.restore()."""
        params = {"vec": self.handle, "slot": slot, "snapshot": text_of(snapshot)}
        result = self._client.call("vec.restore", params)
        return self._show(result, np.array([slot], np.int32))

    def close(self) -> None:
        """Gives the environments up. It may be called twice."""
        if self.handle:
            self._end.detach()
            wire.give_up(self._client, "vec.close", {"vec": self.handle})
            self.handle = 0

    def __copy__(self) -> VecEnv:
        return self.clone()

    def __deepcopy__(self, memo: Dict[int, Any]) -> VecEnv:
        return self.clone()

    def __reduce__(self) -> Any:
        slots = [] if self.seed is None else [self.snapshot(slot) for slot in range(self.envs)]
        return _unpickle, (self._client, self._params, self.seed, slots, self._copy)

    def __enter__(self) -> VecEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _unpickle(client: Any, params: Dict[str, Any], seed: Optional[int], slots: List[bytes], copy: bool) -> VecEnv:
    """Makes a vectorised environment that was pickled."""
    made = client.call("vec.make", params)
    vec = VecEnv(client, client.spec(made["game"]), made, copy=copy, params=params)
    if slots:
        vec.reset(seed)
    for slot, snapshot in enumerate(slots):
        vec.restore(slot, snapshot)
    return vec


def random_actions(masks: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Returns a uniformly random legal action for each of masks [N, A], and 0
    where there is none (a slot whose episode has ended)."""
    if masks.ndim != 2:
        raise Error(f"masks of shape {masks.shape}; it must be [N, A]")
    n, width = masks.shape
    choices = np.ascontiguousarray(masks).view(np.bool_).ravel().nonzero()[0]
    if len(choices) == 0:
        rng.random(n)  # as many numbers are drawn whatever the masks are
        return np.zeros(n, dtype=np.int32)
    # Row i owns choices[firsts[i] : firsts[i + 1]].
    starts = np.arange(0, (n + 1) * width, width)
    firsts = choices.searchsorted(starts)
    counts = firsts[1:] - firsts[:-1]
    pick = firsts[:-1] + (rng.random(n) * counts).astype(np.int64)
    chosen: npt.NDArray[np.int64] = choices.take(pick, mode="clip") - starts[:-1]
    if not counts.all():
        chosen[counts == 0] = 0
    return chosen.astype(np.int32)
