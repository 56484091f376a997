"""One seat of many games at once as a gymnasium.vector.VectorEnv.

It needs gymnasium 1.1 or newer.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from . import spaces
from .client import Client, shared
from .errors import Error
from .games import game_string
from .gymnasium import ILLEGAL
from .opponents import Policy, Served, policy
from .vec import VecEnv, VecStep, random_actions

#: Episodes in a row that may end before your seat has a decision.
_EMPTY_EPISODES = 1000

#: Rounds of opponents' moves in which some slot may still be without a decision of
#: yours.
_MAX_ROUNDS = 1_000_000

#: Seeds of episodes are drawn from 0 up to this.
_SEEDS = 1 << 63

Slots = npt.NDArray[np.int64]


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games from one seat.

    ``game``, ``seat`` and options as keywords are as in powderkeg.gymnasium.Env. ``opponents`` is one policy for
    all other seats, or one per seat (None for yours): "random", an agent of the server
    that plays from observations ("zoo:NAME", "checkpoint:PATH"), or a function of
    observations [n, D], masks [n, A] and a generator that returns actions [n], such as
    a powderkeg.Model.

    *Observations* are float32 [N, D], ``infos["action_mask"]`` is int8 [N, A]. All are
    your seat's; after an episode's end the mask is 1 throughout, since no action counts
    there and a softmax over none is no number.

    *Rewards* are what your seat has gained since its decision before, float64 [N].

    *Illegal actions*: by default (``illegal="terminate"``) one ends the episode with the
    reward that makes its return the worst possible; with "raise" ValueError is raised and
    nothing moves; with "random" a legal one drawn uniformly from np_random is played
    instead. ``infos["illegal_action"]`` tells of it, and ``infos["executed_action"]`` which
    action was played, -1 for none.

    *Ends*: terminated by the rules, truncated after ``max_decisions`` decisions of yours
    (0: never). ``autoreset_mode`` is one of gymnasium.vector.AutoresetMode: with
    NEXT_STEP the step after an end ignores the slot's action and begins a new episode,
    with SAME_STEP the step of the end does and leaves ``infos["final_obs"]`` and
    ``infos["final_info"]``, with DISABLED you call
    ``reset(options={"reset_mask": ended})``.

    *Seeds*: reset(seed=s) makes all that follows depend on s alone; a list has the seed
    of each slot's first episode.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str = "jogu",
        num_envs: int = 1,
        *,
        opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]] = "random",
        seat: int = 0,
        autoreset_mode: Union[str, AutoresetMode] = AutoresetMode.NEXT_STEP,
        illegal: str = "terminate",
        max_decisions: int = 0,
        workers: int = 0,
        render_mode: Optional[str] = None,
        client: Optional[Client] = None,
        address: Optional[str] = None,
        **options: Any,
    ) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal is {illegal!r}, it must be one of {ILLEGAL}")
        if render_mode is not None:
            raise ValueError(f"render_mode is {render_mode!r}; many games are not rendered")
        self.autoreset = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset}
        self._client = client or shared(address)
        self._vec: Optional[VecEnv] = None
        try:
            self.game_spec = self._client.spec(game_string(game, options))
            self.num_envs, self.seat = num_envs, seat
            self._policies = self._seat_policies(opponents)
            self._illegal, self._max_decisions = illegal, max_decisions
            self._vec = self._client.make_vec(
                self.game_spec.game, num_envs, workers=workers, autoreset="disabled", observer=seat
            )
            # What is shown is kept in arrays of its own, since rows of several responses
            # come together in it.
            first = self._vec.reset(seed=0)
            self._obs, self._masks = first.observations.copy(), first.masks.copy()
            self._actors, self._over = first.actors.copy(), first.terminated.copy()
        except BaseException:
            self.close_extras()
            raise
        self.single_observation_space = spaces.box(self.game_spec)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.game_spec.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._steps = np.zeros(num_envs, np.int64)  # decisions of yours in the episode
        self._done = np.ones(num_envs, np.bool_)  # until reset
        self._carried = np.zeros(num_envs)  # gained before the first decision
        self._gained = np.zeros(num_envs)  # in the episode, with what is carried
        self._executed = np.full(num_envs, -1, np.int64)
        self._illegal_slots = np.zeros(num_envs, np.bool_)

    def _seat_policies(
        self, opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]]
    ) -> Mapping[int, Policy]:
        seats = self.game_spec.seats
        if not 0 <= self.seat < seats:
            raise ValueError(f"seat {self.seat}; {self.game_spec.name} has seats 0 to {seats - 1}")
        others = [p for p in range(seats) if p != self.seat]
        if isinstance(opponents, str) or callable(opponents):
            shared = policy(self._client, self.game_spec.game, opponents)
            return {p: shared for p in others}
        if len(opponents) != seats:
            raise ValueError(f"{len(opponents)} opponents; {self.game_spec.name} has {seats} seats, yours is None")
        policies = {}
        for p in others:
            agent = opponents[p]
            if agent is None:
                raise ValueError(f"opponents[{p}] is None; your seat is {self.seat}")
            policies[p] = policy(self._client, self.game_spec.game, agent)
        return policies

    @property
    def native(self) -> VecEnv:
        """The environments of the server."""
        if self._vec is None:
            raise Error("the environments are closed")
        return self._vec

    def reset(
        self, *, seed: Union[None, int, List[Optional[int]]] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        """Begins new episodes in all slots, or in those of options["reset_mask"]."""
        unknown = set(options or {}) - {"reset_mask"}
        if unknown:
            gymnasium.logger.warn(f"reset: options {sorted(unknown)} are ignored; there is reset_mask")
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask is {mask.dtype}{list(mask.shape)}, it must be bool[{self.num_envs}]")
        given: List[Optional[int]] = [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        elif seed is not None:
            given = list(seed)
            if len(given) != self.num_envs:
                raise ValueError(f"{len(given)} seeds for {self.num_envs} slots")
            known = [s for s in given if s is not None]
            if len(known) == self.num_envs:
                super().reset(seed=int(np.random.SeedSequence(known).generate_state(1)[0]))
        if seed is not None:
            for p in dict.fromkeys(self._policies.values()):
                if isinstance(p, Served):
                    p.restart(int(self.np_random.integers(_SEEDS)))
        self._begin(np.flatnonzero(mask), given)
        self._illegal_slots = np.zeros(self.num_envs, np.bool_)
        self._executed[:] = -1
        return self._obs.copy(), self._infos()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the masks as bool [N, A]."""
        return np.where((self._over | self._done)[:, None], True, self._masks == 1)

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        due = self._done.copy()
        if self.autoreset == AutoresetMode.DISABLED and due.any():
            raise Error(f"the episodes of slots {np.flatnonzero(due)[:20].tolist()} have ended; reset them with reset_mask")
        # Slots that are reset now stand still while the others play.
        legal = self._legal(np.asarray(actions), ~due)
        ruined = self._illegal_slots if self._illegal == "terminate" else np.zeros(self.num_envs, np.bool_)
        played = np.flatnonzero(~due & ~ruined)
        rewards = self._play(played, legal[played]) + self._carried
        self._carried[:] = 0
        rewards[ruined] = self.game_spec.min_return - self._gained[ruined]
        self._gained += rewards
        self._executed[:] = -1
        self._executed[played] = legal[played]
        self._steps[~due] += 1
        self._over |= ruined
        terminated = self._over & ~due
        truncated = np.zeros(self.num_envs, np.bool_)
        if self._max_decisions:
            truncated = ~terminated & ~due & (self._steps >= self._max_decisions)
        self._done = terminated | truncated
        final: Dict[str, Any] = {}
        if self.autoreset == AutoresetMode.SAME_STEP and self._done.any():
            final = self._final()
            self._begin(np.flatnonzero(self._done), [None] * self.num_envs)
        elif due.any():
            self._begin(np.flatnonzero(due), [None] * self.num_envs)
        return self._obs.copy(), rewards, terminated, truncated, {**self._infos(), **final}

    def _legal(self, actions: npt.NDArray[Any], played: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        """Notes the slots of illegal actions, and returns the actions with others in their
        place."""
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {actions.dtype}{list(actions.shape)}, they must be whole numbers [{self.num_envs}]")
        inside = (actions >= 0) & (actions < self._masks.shape[1])
        ok = inside & (self._masks[np.arange(self.num_envs), np.where(inside, actions, 0)] == 1)
        self._illegal_slots = played & ~ok
        wrong = np.flatnonzero(self._illegal_slots)
        if len(wrong) and self._illegal == "raise":
            raise ValueError(f"slot {wrong[0]}: action {actions[wrong[0]]} is not legal there; no slot has moved")
        legal = np.where(inside, actions, 0).astype(np.int32)
        if len(wrong):
            legal[wrong] = random_actions(self._masks[wrong], self.np_random)
        return legal

    def _play(self, slots: Slots, actions: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Plays actions in slots, then the opponents until it is your turn there or
        the game is over, and returns what your seat has gained [N]."""
        gained = np.zeros(self.num_envs)
        for _ in range(_MAX_ROUNDS):
            if not len(slots):
                return gained
            step = self.native.step_slots(slots, actions)
            self._take(step, np.arange(len(slots)))
            gained[slots] += step.rewards[:, self.seat]
            slots, actions = self._replies(slots)
        raise Error(f"seat {self.seat} gets no decision in {_MAX_ROUNDS} moves of others")

    def _replies(self, slots: Slots) -> Tuple[Slots, npt.NDArray[np.int32]]:
        """Returns those of the slots where it is an opponent's turn, and the actions."""
        actors = self._actors[slots]
        slots = slots[(actors >= 0) & (actors != self.seat)]
        actions = np.empty(len(slots), np.int32)
        for seat, choose in self._policies.items():
            rows = self._actors[slots] == seat
            if rows.any():
                of_seat = slots[rows]
                actions[rows] = choose(self._obs[of_seat], self._masks[of_seat], self.np_random)
        return slots, actions

    def _take(self, step: VecStep, rows: Slots) -> None:
        """Keeps what rows of a step show."""
        slots = step.slots[rows]
        self._obs[slots], self._masks[slots] = step.observations[rows], step.masks[rows]
        self._actors[slots], self._over[slots] = step.actors[rows], step.terminated[rows]

    def _begin(self, slots: Slots, given: List[Optional[int]]) -> None:
        """Begins episodes in slots and lets the opponents play up to your first
        decision. An episode that ends before that is followed by another."""
        if not len(slots):
            return
        self._steps[slots] = 0
        self._gained[slots] = 0
        self._done[slots] = False
        for _ in range(_EMPTY_EPISODES):
            drawn = self.np_random.integers(_SEEDS, size=len(slots))
            seeds = [int(d) if given[s] is None else given[s] for s, d in zip(slots, drawn)]
            given = [None] * self.num_envs
            step = self.native.reset_slots(slots, np.array(seeds, dtype=np.uint64))
            self._take(step, slots)
            self._carried[slots] = self._play(*self._replies(slots))[slots]
            slots = slots[self._over[slots]]
            if not len(slots):
                return
        raise Error(f"seat {self.seat} has had no decision in {_EMPTY_EPISODES} episodes of {self.game_spec.game}")

    def _infos(self) -> Dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        masks = np.where((self._over | self._done)[:, None], 1, self._masks).astype(np.int8)
        return {
            "action_mask": masks,
            "_action_mask": every,
            "executed_action": self._executed.copy(),
            "_executed_action": every.copy(),
            "illegal_action": self._illegal_slots.copy(),
            "_illegal_action": every.copy(),
        }

    def _final(self) -> Dict[str, Any]:
        """Returns the infos of episodes that have ended in a SAME_STEP step."""
        ended = self._done.copy()
        last = np.full(self.num_envs, None, dtype=object)
        for slot in np.flatnonzero(ended):
            last[slot] = self._obs[slot].copy()
        info = {}
        for name, values in self._infos().items():
            if name.startswith("_"):
                info[name] = ended.copy()
            else:
                values[~ended] = 0
                info[name] = values
        return {"final_obs": last, "_final_obs": ended, "final_info": info, "_final_info": ended.copy()}

    def close_extras(self, **kwargs: Any) -> None:
        """Gives the environments up."""
        if self._vec is not None:
            self._vec.close()
        self._vec = None
