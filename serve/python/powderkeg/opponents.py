"""Who plays the other seats of vectorised environments: agents of the server, or functions here."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from .errors import Error
from .vec import VecEnv, VecStep

#: A policy chooses an action [n] for each of observations [n, D] with masks [n, A].
#: Model is one.
Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.uint8], np.random.Generator], npt.NDArray[np.int32]]

Slots = npt.NDArray[np.int64]

#: Episodes in a row that may end before your seat has a decision.
_EMPTY_EPISODES = 1000

#: Rounds of opponents' moves in which some slot may still be without a decision of
#: yours.
_MAX_ROUNDS = 1_000_000

#: Seeds of episodes are drawn from 0 up to this.
SEEDS = 1 << 63


class Shown(NamedTuple):
    """What slots show to one seat, one per row: M of them, E of which have ended an episode."""

    observations: npt.NDArray[np.float32]  # [M, D]
    masks: npt.NDArray[np.uint8]  # [M, A], all 0 at an end
    rewards: npt.NDArray[np.float64]  # [M], of the seat
    terminated: npt.NDArray[np.bool_]  # [M]
    truncated: npt.NDArray[np.bool_]  # [M]
    final: npt.NDArray[np.float32]  # [E, D], last observations in the order of the rows; [0, D] unless same-step


def split(
    seats: int, seat: int, opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]]
) -> Tuple[List[Optional[str]], Mapping[int, Policy]]:
    """Returns the agents of the server, one per seat, None for seats that are played here,
    and the functions that play some of those."""
    if not 0 <= seat < seats:
        raise ValueError(f"seat {seat}; there are seats 0 to {seats - 1}")
    if isinstance(opponents, str) or callable(opponents):
        players: List[Union[None, str, Policy]] = [None if p == seat else opponents for p in range(seats)]
    else:
        players = list(opponents)
    if len(players) != seats:
        raise ValueError(f"{len(players)} opponents; there are {seats} seats, yours is None")
    for p, player in enumerate(players):
        if (player is None) != (p == seat):
            raise ValueError(f"opponents[{p}] is {player!r:.60}; yours is seat {seat}, which alone is None")
    return [p if isinstance(p, str) else None for p in players], {i: p for i, p in enumerate(players) if callable(p)}


class Served:
    """One seat of environments whose other seats agents of the server play: a step is one
    round trip."""

    def __init__(self, vec: VecEnv, seat: int) -> None:
        self.vec, self._seat = vec, seat

    def reset(self, seed: int) -> Shown:
        """Begins an episode in every slot."""
        return self._show(self.vec.reset(seed))

    def reset_slots(self, slots: Slots, seeds: npt.NDArray[np.uint64]) -> Shown:
        """Begins episodes in some slots, with one seed each, and shows all slots."""
        return self._show(self.vec.reset_slots(slots, seeds))

    def step(self, actions: npt.NDArray[np.int32]) -> Shown:
        """Plays an action in every slot."""
        return self._show(self.vec.step(actions))

    def step_slots(self, slots: Slots, actions: npt.NDArray[np.int32]) -> Shown:
        """Plays actions in some slots, which alone it shows."""
        return self._show(self.vec.step_slots(slots, actions))

    def fork(self, slot: int, slots: Slots) -> Shown:
        """Makes slots what one slot is, and shows all slots."""
        return self._show(self.vec.fork(slot, slots))

    def _show(self, step: VecStep) -> Shown:
        rewards = step.rewards[:, self._seat].astype(np.float64)
        return Shown(step.observations, step.masks, rewards, step.terminated, step.truncated, step.final)


class Hosted:
    """The same where functions of this process play some seats: a step takes a round trip
    for every decision of theirs. The VecEnv has the mode "disabled"; ``mode`` is the
    one that is shown."""

    def __init__(self, vec: VecEnv, seat: int, policies: Mapping[int, Policy], mode: str, most: int) -> None:
        self.vec, self._seat, self._policies = vec, seat, policies
        self._mode, self._most = mode, most
        n, spec = vec.envs, vec.spec
        # Rows of several responses come together in these.
        self._obs = np.zeros((n, spec.observation_size), np.float32)
        self._masks = np.zeros((n, len(spec.actions)), np.uint8)
        self._actors = np.zeros(n, np.int8)
        self._over = np.zeros(n, np.bool_)  # by the rules
        self._done = np.zeros(n, np.bool_)
        self._steps = np.zeros(n, np.int64)  # decisions of yours in the episode
        self._carried = np.zeros(n)  # gained before the first decision

    def draw_from(self, rng: Callable[[], np.random.Generator]) -> None:
        """Sets whose generator the functions draw from."""
        self._rng = rng

    def __getstate__(self) -> Dict[str, Any]:
        # Without the generator, which is not its own.
        return {name: v for name, v in self.__dict__.items() if name != "_rng"}

    def fork(self, slot: int, slots: Slots) -> Shown:
        """Makes slots what one slot is, and shows all slots."""
        self._take(self.vec.fork(slot, slots), np.arange(self.vec.envs))
        for own in (self._over, self._done, self._steps, self._carried):
            own[slots] = own[slot]
        return self._show(np.arange(self.vec.envs))

    def reset(self, seed: int) -> Shown:
        every = np.arange(self.vec.envs)
        self._take(self.vec.reset(seed), every)
        self._open(every)
        return self._show(every)

    def reset_slots(self, slots: Slots, seeds: npt.NDArray[np.uint64]) -> Shown:
        self._begin(slots, seeds)
        return self._show(np.arange(self.vec.envs))

    def step(self, actions: npt.NDArray[np.int32]) -> Shown:
        return self.step_slots(np.arange(self.vec.envs), actions)

    def step_slots(self, slots: Slots, actions: npt.NDArray[np.int32]) -> Shown:
        due = self._done[slots]
        if due.any():
            self._draw(slots[due])
        played = slots[~due]
        rewards = self._play(played, actions[~due])
        rewards[played] += self._carried[played]
        self._carried[played] = 0
        self._steps[played] += 1
        terminated, truncated = self._over.copy(), np.zeros(self.vec.envs, np.bool_)
        if self._most:
            truncated[played] = ~self._over[played] & (self._steps[played] >= self._most)
        self._done[played] = (terminated | truncated)[played]
        final = self._obs[:0]
        if self._mode == "same-step" and self._done.any():
            ended = slots[self._done[slots]]
            final = self._obs[ended]
            self._draw(ended)
        return self._show(slots, rewards[slots], terminated[slots], truncated[slots], final)

    def _show(
        self, slots: Slots, rewards: Optional[npt.NDArray[np.float64]] = None,
        terminated: Optional[npt.NDArray[np.bool_]] = None, truncated: Optional[npt.NDArray[np.bool_]] = None,
        final: Optional[npt.NDArray[np.float32]] = None,
    ) -> Shown:  # fmt: skip
        none = np.zeros(len(slots), np.bool_)
        return Shown(
            self._obs[slots], self._masks[slots], np.zeros(len(slots)) if rewards is None else rewards,
            none if terminated is None else terminated, none.copy() if truncated is None else truncated,
            self._obs[:0] if final is None else final,
        )  # fmt: skip

    def _play(self, slots: Slots, actions: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Plays actions in slots, then the functions until it is your turn there or
        the game is over, and returns what your seat has gained [N]."""
        gained = np.zeros(self.vec.envs)
        for _ in range(_MAX_ROUNDS):
            if not len(slots):
                return gained
            step = self.vec.step_slots(slots, actions)
            self._take(step, np.arange(len(slots)))
            gained[slots] += step.rewards[:, self._seat]
            slots, actions = self._replies(slots)
        raise Error(f"seat {self._seat} gets no decision in {_MAX_ROUNDS} moves of others")

    def _replies(self, slots: Slots) -> Tuple[Slots, npt.NDArray[np.int32]]:
        """Returns those of the slots where it is a function's turn, and the actions."""
        actors = self._actors[slots]
        slots = slots[(actors >= 0) & (actors != self._seat)]
        actions = np.empty(len(slots), np.int32)
        for seat, choose in self._policies.items():
            rows = self._actors[slots] == seat
            if rows.any():
                of_seat = slots[rows]
                actions[rows] = choose(self._obs[of_seat], self._masks[of_seat], self._rng())
        return slots, actions

    def _take(self, step: VecStep, rows: Slots) -> None:
        """Keeps what rows of a step show."""
        slots = step.slots[rows]
        self._obs[slots], self._masks[slots] = step.observations[rows], step.masks[rows]
        self._actors[slots], self._over[slots] = step.actors[rows], step.terminated[rows]

    def _draw(self, slots: Slots) -> None:
        """Begins episodes in slots with seeds that are drawn."""
        self._begin(slots, self._rng().integers(SEEDS, size=len(slots)).astype(np.uint64))

    def _begin(self, slots: Slots, seeds: npt.NDArray[np.uint64]) -> None:
        if len(slots):
            self._take(self.vec.reset_slots(slots, seeds), slots)
            self._open(slots)

    def _open(self, slots: Slots) -> None:
        """Lets the functions play up to your first decision in new episodes. One that ends
        before that is followed by another."""
        self._steps[slots] = 0
        self._done[slots] = False
        for _ in range(_EMPTY_EPISODES):
            self._carried[slots] = self._play(*self._replies(slots))[slots]
            slots = slots[self._over[slots]]
            if not len(slots):
                return
            seeds = self._rng().integers(SEEDS, size=len(slots)).astype(np.uint64)
            self._take(self.vec.reset_slots(slots, seeds), slots)
        raise Error(f"seat {self._seat} has had no decision in {_EMPTY_EPISODES} episodes of {self.vec.spec.game}")
