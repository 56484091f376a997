"""One seat of many games at once as a gymnasium.vector.VectorEnv.

It needs gymnasium 1.1 or newer.
"""

from __future__ import annotations

import copy
from typing import Any, Dict, Generic, List, Literal, Mapping, Optional, Sequence, Tuple, Union, cast, overload

import numpy as np
import numpy.typing as npt

from .errors import Error, extra

with extra("gymnasium"):
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

from . import opponents as others
from . import copies, spaces
from .client import Client, shared
from .games import game_string
from .gymnasium import ILLEGAL
from .opponents import Policy, Shown, Slots
from .spaces import Obs
from .vec import VecEnv, random_actions

#: The server's names of the autoreset modes.
_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


class VectorEnv(gymnasium.vector.VectorEnv[Obs, Any, npt.NDArray[Any]], Generic[Obs]):
    """Many games from one seat.

    ``game``, ``seat``, ``position`` and options as keywords are as in powderkeg.gymnasium.Env.
    ``opponents`` is one player for all other seats, or one per seat (None for yours): an
    agent of the server ("random", "scripted", "mcts(sims=50)", "zoo:NAME"), which plays
    there, so that a step is one round trip; or a function of observations [n, D], masks
    [n, A] and a generator that returns actions [n], such as a powderkeg.Model, which plays
    here, at a round trip for each of its decisions.

    *Observations* are float32 [N, D], ``infos["action_mask"]`` is int8 [N, A]; with
    ``observation="dict"`` an observation is {"observation", "action_mask"}. All are
    your seat's; after an episode's end the mask is 1 throughout, since no action counts
    there and a softmax over none is no number. The arrays are yours to keep and to write.

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
    ``reset(options={"reset_mask": ended})``. An episode that ends before your seat has a
    decision is followed by another and not shown.

    *Seeds*: reset(seed=s) makes all that follows depend on s alone; a list has the seed
    of each slot's first episode.

    *Copies*: copy.deepcopy and pickle copy all slots, what opponents of the server remember and
    the random numbers to come; fork(slot, slots) makes slots what one is. A server that hides
    what its agents hold refuses both (ServerError, "forbidden").
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    @overload
    def __init__(
        self: VectorEnv[npt.NDArray[np.float32]], game: str = ..., num_envs: int = ..., *, observation: Literal["box"] = ...,
        opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]] = ..., seat: int = ...,
        autoreset_mode: Union[str, AutoresetMode] = ..., illegal: str = ..., max_decisions: int = ...,
        position: Optional[Mapping[str, Any]] = ..., workers: int = ..., render_mode: Optional[str] = ...,
        client: Optional[Client] = ..., address: Optional[str] = ..., **options: Any,
    ) -> None: ...  # fmt: skip

    @overload
    def __init__(
        self: VectorEnv[spaces.MaskedObservation], game: str = ..., num_envs: int = ..., *, observation: Literal["dict"],
        opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]] = ..., seat: int = ...,
        autoreset_mode: Union[str, AutoresetMode] = ..., illegal: str = ..., max_decisions: int = ...,
        position: Optional[Mapping[str, Any]] = ..., workers: int = ..., render_mode: Optional[str] = ...,
        client: Optional[Client] = ..., address: Optional[str] = ..., **options: Any,
    ) -> None: ...  # fmt: skip

    @overload
    def __init__(
        self: VectorEnv[Any], game: str = ..., num_envs: int = ..., *, observation: str,
        opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]] = ..., seat: int = ...,
        autoreset_mode: Union[str, AutoresetMode] = ..., illegal: str = ..., max_decisions: int = ...,
        position: Optional[Mapping[str, Any]] = ..., workers: int = ..., render_mode: Optional[str] = ...,
        client: Optional[Client] = ..., address: Optional[str] = ..., **options: Any,
    ) -> None: ...  # fmt: skip

    def __init__(
        self,
        game: str = "jogu",
        num_envs: int = 1,
        *,
        opponents: Union[str, Policy, Sequence[Union[None, str, Policy]]] = "random",
        seat: int = 0,
        autoreset_mode: Union[str, AutoresetMode] = AutoresetMode.NEXT_STEP,
        observation: str = "box",
        illegal: str = "terminate",
        max_decisions: int = 0,
        position: Optional[Mapping[str, Any]] = None,
        workers: int = 0,
        render_mode: Optional[str] = None,
        client: Optional[Client] = None,
        address: Optional[str] = None,
        **options: Any,
    ) -> None:
        for name, value, choices in (("illegal", illegal, ILLEGAL), ("observation", observation, ("box", "dict"))):
            if value not in choices:
                raise ValueError(f"{name} is {value!r}, it must be one of {choices}")
        if render_mode is not None:
            raise ValueError(f"render_mode is {render_mode!r}; many games are not rendered")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._arguments = {
            "game": game, "num_envs": num_envs, "opponents": opponents, "seat": seat, "autoreset_mode": autoreset_mode,
            "observation": observation, "illegal": illegal, "max_decisions": max_decisions, "position": position, "workers": workers,
            "render_mode": render_mode, "address": address, **options,
        }  # fmt: skip
        self._given = client
        self._begun = False
        self._client = client or shared(address)
        self._vec: Optional[VecEnv] = None
        try:
            self.game_spec = self._client.spec(game_string(game, options))
            self.num_envs, self.seat = num_envs, seat
            agents, policies = others.split(self.game_spec.seats, seat, opponents)
            mode = _MODES[self.autoreset_mode]
            self._vec = self._client.make_vec(
                self.game_spec.game, num_envs, workers=workers, autoreset="disabled" if policies else mode,
                max_decisions=0 if policies else max_decisions, observer=seat, position=position,
                agents=agents if any(agents) else (),
            )  # fmt: skip
            self._slots: Union[others.Served, others.Hosted] = others.Served(self._vec, seat)
            if policies:
                self._slots = others.Hosted(self._vec, seat, policies, mode, max_decisions)
                self._attend()
        except BaseException:
            self.close_extras()
            raise
        self._illegal, self._dict = illegal, observation == "dict"
        self.single_observation_space = spaces.with_mask(self.game_spec) if self._dict else spaces.box(self.game_spec)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.game_spec.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._masks = np.zeros((num_envs, len(self.game_spec.actions)), np.uint8)
        self._done = np.ones(num_envs, np.bool_)  # until reset
        self._ruined = np.zeros(num_envs, np.bool_)  # of these by an illegal action, of which the server knows nothing
        self._gained = np.zeros(num_envs)  # in the episode
        self._executed = np.full(num_envs, -1, np.int64)
        self._illegal_slots = np.zeros(num_envs, np.bool_)

    @property
    def native(self) -> VecEnv:
        """The environments of the server."""
        if self._vec is None:
            raise Error("the environments are closed")
        return self._vec

    # A TypedDict is no dict[str, Any] to a type checker.
    def reset(  # type: ignore[override]
        self, *, seed: Union[None, int, List[Optional[int]]] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Obs, spaces.Infos]:
        """Begins new episodes in all slots, or in those of options["reset_mask"]."""
        unknown = set(options or {}) - {"reset_mask"}
        if unknown:
            gymnasium.logger.warn(f"reset: options {sorted(unknown)} are ignored; there is reset_mask")
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask is {mask.dtype}{list(mask.shape)}, it must be bool[{self.num_envs}]")
        if not mask.any():
            raise ValueError("reset_mask is False throughout; one slot at least is to be reset")
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
        if not self._begun:
            mask = np.ones(self.num_envs, np.bool_)
        slots = np.flatnonzero(mask)
        if mask.all():
            shown = self._slots.reset(int(self.np_random.integers(others.SEEDS)))
            slots = np.array([s for s in slots if given[s] is not None], np.int64)
            self._begun = True
        if len(slots) or not mask.all():
            shown = self._slots.reset_slots(slots, self._seeds(slots, given))
        self._done[mask] = self._ruined[mask] = False
        self._gained[mask] = 0
        self._illegal_slots = np.zeros(self.num_envs, np.bool_)
        self._executed[:] = -1
        self._masks = shown.masks.copy()
        return self._seen(shown.observations)

    def _seeds(self, slots: Slots, given: Optional[List[Optional[int]]] = None) -> npt.NDArray[np.uint64]:
        """Returns the seeds of new episodes in slots, those that are not given drawn."""
        drawn = self.np_random.integers(others.SEEDS, size=len(slots)).tolist()
        if given is not None:
            drawn = [d if given[s] is None else given[s] for s, d in zip(slots, drawn)]
        return np.array(drawn, dtype=np.uint64)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the masks as bool [N, A]."""
        return self._shown_masks().view(np.bool_)

    def _shown_masks(self) -> npt.NDArray[np.int8]:
        masks: npt.NDArray[np.int8] = self._masks.astype(np.int8)
        masks[self._done] = 1
        return masks

    def step(  # type: ignore[override]
        self, actions: npt.ArrayLike
    ) -> Tuple[Obs, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], spaces.Infos]:
        due = self._done
        if not self._begun or self.autoreset_mode == AutoresetMode.DISABLED and due.any():
            raise Error(f"the episodes of slots {np.flatnonzero(due)[:20].tolist()} have ended; reset them with reset_mask")
        legal = self._legal(np.asarray(actions), ~due)
        ruined = self._illegal_slots & (self._illegal == "terminate")
        self._executed = np.where(due | ruined, -1, legal).astype(np.int64)
        final: Any = None
        if ruined.any() or self._ruined.any():
            shown, final = self._step_beside(legal, ruined)
        else:
            shown = self._slots.step(legal)
            final = shown.final
        terminated, truncated, rewards = shown.terminated, shown.truncated, shown.rewards
        self._gained[due] = 0
        self._gained += rewards
        self._masks = shown.masks
        self._done = terminated | truncated
        ended: Dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._done.any():
            ended = self._final(final)
            self._gained[self._done] = 0
            self._done = np.zeros(self.num_envs, np.bool_)
            self._ruined = self._done.copy()
        observations, infos = self._seen(shown.observations)
        infos.update(cast(spaces.Infos, ended))
        return observations, rewards, terminated, truncated, infos

    def _step_beside(self, legal: npt.NDArray[np.int32], ruined: npt.NDArray[np.bool_]) -> Tuple[Shown, Any]:
        """Steps the slots that take part, while those whose episode an illegal action has
        ended, now or in the step before, stand still or are reset. Returns what all show and
        the last observations of episodes that have ended."""
        again, n = self._ruined, self.num_envs
        rewards, terminated, truncated = np.zeros(n), ruined.copy(), np.zeros(n, np.bool_)
        last = np.empty((n, self.game_spec.observation_size), np.float32)
        same = self.autoreset_mode == AutoresetMode.SAME_STEP
        moved = np.flatnonzero(~ruined & ~again)
        if len(moved):
            step = self._slots.step_slots(moved, legal[moved])
            rewards[moved], terminated[moved], truncated[moved] = step.rewards, step.terminated, step.truncated
            if same:
                last[moved[step.terminated | step.truncated]] = step.final
        rewards[ruined] = self.game_spec.min_return - self._gained[ruined]
        none = np.zeros(0, np.int64)
        if same:
            last[ruined] = self._slots.reset_slots(none, self._seeds(none)).observations[ruined]
        begun = np.flatnonzero(ruined if same else again)
        shown = self._slots.reset_slots(begun, self._seeds(begun))
        self._ruined = ruined.copy()
        return shown._replace(rewards=rewards, terminated=terminated, truncated=truncated), last[terminated | truncated]

    def _legal(self, actions: npt.NDArray[Any], played: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        """Notes the slots of illegal actions, and returns the actions with others in their
        place."""
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {actions.dtype}{list(actions.shape)}, they must be whole numbers [{self.num_envs}]")
        inside = (actions >= 0) & (actions < self._masks.shape[1])
        legal = np.where(inside, actions, 0).astype(np.int32)
        ok = inside & (self._masks[np.arange(self.num_envs), legal] == 1)
        self._illegal_slots = played & ~ok
        wrong = np.flatnonzero(self._illegal_slots)
        if len(wrong) and self._illegal == "raise":
            raise ValueError(f"slot {wrong[0]}: action {actions[wrong[0]]} is not legal there; no slot has moved")
        if len(wrong):
            legal[wrong] = random_actions(self._masks[wrong], self.np_random)
        return legal

    def _seen(self, observations: npt.NDArray[np.float32]) -> Tuple[Obs, spaces.Infos]:
        """Returns the observations and infos of all slots."""
        every = np.ones(self.num_envs, np.bool_)
        masks = self._shown_masks()
        infos: spaces.Infos = {
            "action_mask": masks,
            "_action_mask": every,
            "executed_action": self._executed.copy(),
            "_executed_action": every.copy(),
            "illegal_action": self._illegal_slots.copy(),
            "_illegal_action": every.copy(),
        }
        return cast(Obs, {"observation": observations, "action_mask": masks.copy()} if self._dict else observations), infos

    def _final(self, last: npt.NDArray[np.float32]) -> Dict[str, Any]:
        """Returns the infos of episodes that have ended in a SAME_STEP step, whose last
        observations are given."""
        ended = self._done.copy()
        every = np.full(self.num_envs, None, dtype=object)
        ones = np.ones(len(self.game_spec.actions), np.int8)
        for slot, observation in zip(np.flatnonzero(ended), last):
            one = observation.copy()
            every[slot] = {"observation": one, "action_mask": ones.copy()} if self._dict else one
        info = {
            "action_mask": np.repeat(ended.astype(np.int8)[:, None], len(ones), axis=1),
            "_action_mask": ended.copy(),
            "executed_action": np.where(ended, self._executed, 0),
            "_executed_action": ended.copy(),
            "illegal_action": self._illegal_slots & ended,
            "_illegal_action": ended.copy(),
        }
        return {"final_obs": every, "_final_obs": ended, "final_info": info, "_final_info": ended.copy()}

    def __reduce__(self) -> Any:
        return copies.reduced(self, self._given, self._arguments, self._begun and self._vec is not None)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.close_extras()
        self.__dict__.update(state)
        self._attend()

    def __copy__(self) -> VectorEnv[Obs]:
        return copy.deepcopy(self)  # a shallow one would share the game

    def __deepcopy__(self, memo: Dict[int, Any]) -> VectorEnv[Obs]:
        made: VectorEnv[Obs] = copies.deep(self, memo)
        made._attend()
        return made

    def _attend(self) -> None:
        """Has opponents that play here draw from this environment's own generator."""
        if isinstance(self._slots, others.Hosted):
            self._slots.draw_from(lambda: self.np_random)

    def fork(self, slot: int, slots: npt.ArrayLike) -> Tuple[Obs, spaces.Infos]:
        """Makes slots what one slot is, with the same chance to come and the same moves of
        opponents of the server, and shows all slots as reset() does."""
        if not self._begun:
            raise Error("there are no episodes yet; reset first")
        which = np.atleast_1d(np.asarray(slots))
        shown = self._slots.fork(slot, which)
        for own in (self._done, self._ruined, self._gained):
            own[which] = own[slot]
        self._illegal_slots = np.zeros(self.num_envs, np.bool_)
        self._executed = np.full(self.num_envs, -1, np.int64)
        self._masks = shown.masks.copy()
        return self._seen(shown.observations)

    def close_extras(self, **kwargs: Any) -> None:
        """Gives the environments up."""
        if self._vec is not None:
            self._vec.close()
        self._vec = None
