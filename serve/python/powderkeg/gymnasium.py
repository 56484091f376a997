"""One seat of a game as a gymnasium.Env, agents of the server on the others.

Importing this module registers every game:

    import gymnasium, powderkeg.gymnasium
    env = gymnasium.make("powderkeg/Jogu-v2", opponents="scripted")

Without the import gymnasium.make("powderkeg.gymnasium:powderkeg/Jogu-v2") does it.

It needs gymnasium 1.1 or newer.
"""

from __future__ import annotations

import copy
import operator
from typing import Any, Dict, Generic, Literal, Mapping, Optional, Sequence, Tuple, Union, cast, overload

import numpy as np
import numpy.typing as npt

from .errors import Error, extra

with extra("gymnasium"):
    import gymnasium

from . import copies, spaces
from .client import Client, shared
from .drawing import RENDER_MODES, render
from .env import Env as NativeEnv
from .env import Step
from .games import GAMES, game_string, gymnasium_id
from .opponents import SEEDS
from .spaces import Obs
from .spec import Observation

#: What may happen to an illegal action.
ILLEGAL = ("terminate", "raise", "random")

#: Episodes in a row that may end before your seat has a decision.
_EMPTY_EPISODES = 1000


class Env(gymnasium.Env[Obs, Any], Generic[Obs]):
    """A game from one seat.

    ``game`` is a game string, whose options may be given as keywords too: Env("jogu",
    first="wu"). ``seat`` is yours. ``opponents`` are agent strings: one for all other
    seats, or one per seat (None for yours). ``position`` is where episodes begin, of the
    game's README; None: the game's own start.

    *Observations* are float32 [D] as ``powderkeg spec GAME`` describes them, and
    ``info["action_mask"]`` is int8 [A] for ``action_space.sample(mask)``. With
    ``observation="dict"`` the observation is {"observation", "action_mask"}. After an
    episode's end the mask is 1 throughout, since no action counts there and a softmax over
    none is no number.

    *Rewards* are what your seat has gained since your decision before; they add up to
    the game's return.

    *Illegal actions*: by default (``illegal="terminate"``) one ends the episode with the
    reward that makes its return the worst possible; with "raise" ValueError is raised and
    nothing changes; with "random" a legal one drawn uniformly from np_random is played
    instead. ``info["illegal_action"]`` tells of it, and ``info["executed_action"]`` which
    action was played, -1 for none.

    *Ends*: terminated by the rules, truncated after ``max_decisions`` of yours (0:
    never).

    *Seeds*: reset(seed=s) begins the episode that Client.make and VectorEnv.reset(seed=[s])
    begin with s; all chance, and the play of the opponents, follows from it, and in later
    episodes from np_random, so from the last seed given to reset.
    ``reset(options={"position": {...}})`` begins that episode in another position; other
    options are ignored with a warning.

    The game is played in this process unless ``client`` or ``address`` (or POWDERKEG_ADDRESS)
    names a server. copy.deepcopy and pickle copy all of it: the game in progress, what the
    opponents remember, and the random numbers to come. A server that hides what its agents
    hold refuses that (ServerError, "forbidden"); before the first reset and after close() an
    environment of the same kind is pickled.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    @overload
    def __init__(
        self: Env[npt.NDArray[np.float32]], game: str = ..., *, observation: Literal["box"] = ...,
        opponents: Union[str, Sequence[Optional[str]]] = ..., seat: int = ..., illegal: str = ..., max_decisions: int = ...,
        position: Optional[Mapping[str, Any]] = ..., render_mode: Optional[str] = ..., client: Optional[Client] = ...,
        address: Optional[str] = ..., **options: Any,
    ) -> None: ...  # fmt: skip

    @overload
    def __init__(
        self: Env[spaces.MaskedObservation], game: str = ..., *, observation: Literal["dict"],
        opponents: Union[str, Sequence[Optional[str]]] = ..., seat: int = ..., illegal: str = ..., max_decisions: int = ...,
        position: Optional[Mapping[str, Any]] = ..., render_mode: Optional[str] = ..., client: Optional[Client] = ...,
        address: Optional[str] = ..., **options: Any,
    ) -> None: ...  # fmt: skip

    @overload
    def __init__(
        self: Env[Any], game: str = ..., *, observation: str,
        opponents: Union[str, Sequence[Optional[str]]] = ..., seat: int = ..., illegal: str = ..., max_decisions: int = ...,
        position: Optional[Mapping[str, Any]] = ..., render_mode: Optional[str] = ..., client: Optional[Client] = ...,
        address: Optional[str] = ..., **options: Any,
    ) -> None: ...  # fmt: skip

    def __init__(
        self,
        game: str = "jogu",
        *,
        opponents: Union[str, Sequence[Optional[str]]] = "random",
        seat: int = 0,
        observation: str = "box",
        illegal: str = "terminate",
        max_decisions: int = 0,
        position: Optional[Mapping[str, Any]] = None,
        render_mode: Optional[str] = None,
        client: Optional[Client] = None,
        address: Optional[str] = None,
        **options: Any,
    ) -> None:
        self._arguments = {
            "game": game, "opponents": opponents, "seat": seat, "observation": observation, "illegal": illegal,
            "max_decisions": max_decisions, "position": position, "render_mode": render_mode, "address": address, **options,
        }  # fmt: skip
        self._given = client
        for name, value, choices in (
            ("observation", observation, ("box", "dict")),
            ("illegal", illegal, ILLEGAL),
            ("render_mode", render_mode, (None, *RENDER_MODES)),
        ):
            if value not in choices:
                raise ValueError(f"{name} is {value!r}, it must be one of {choices}")
        self.render_mode = render_mode
        self._client = client or shared(address)
        self._env: Optional[NativeEnv] = None
        self._begun = False
        try:
            self.game_spec = self._client.spec(game_string(game, options))
            self.seat = seat
            self.agents = agents_of(self.game_spec.seats, seat, opponents)
            self._max_decisions = max_decisions
            self._illegal = illegal
            self._dict = observation == "dict"
            space = spaces.with_mask(self.game_spec) if self._dict else spaces.box(self.game_spec)
            self.observation_space = cast("gymnasium.Space[Obs]", space)
            self.action_space = gymnasium.spaces.Discrete(len(self.game_spec.actions))
            self._start = position
            self._open(position)
        except BaseException:
            self.close()
            raise

    def _open(self, position: Optional[Mapping[str, Any]]) -> NativeEnv:
        """Makes the environment of the server anew: where its episodes begin is fixed."""
        if self._env is not None:
            self._env.close()
        self._env = self._client.make(
            self.game_spec.game, seed=0, max_decisions=self._max_decisions, position=position, agents=self.agents
        )
        self._position = position
        self._over = True  # until reset
        return self._env

    @property
    def native(self) -> NativeEnv:
        """The environment of the server, for text(), legal() and the like."""
        if self._env is None:
            raise Error("the environment is closed")
        return self._env

    # A TypedDict is no dict[str, Any] to a type checker.
    def reset(  # type: ignore[override]
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Obs, spaces.Info]:
        super().reset(seed=seed)
        unknown = set(options or {}) - {"position"}
        if unknown:
            gymnasium.logger.warn(f"reset: options {sorted(unknown)} are ignored; there is position")
        position = (options or {}).get("position", self._start)
        native = self.native if position == self._position else self._open(position)
        for _ in range(_EMPTY_EPISODES):
            # The episode of a seed is the one that the game has for it, as in VectorEnv.
            step = native.reset(int(self.np_random.integers(SEEDS)) if seed is None or seed >= 2 * SEEDS else int(seed))
            seed = None
            if not step.done:
                break
        else:
            raise Error(f"seat {self.seat} has had no decision in {_EMPTY_EPISODES} episodes of {self.game_spec.game}")
        self._over, self._begun = False, True
        #: Gained before the first decision, part of the first reward.
        self._carried = float(step.rewards[self.seat])
        self._show()
        return self._observation(step), self._info(step, False, -1)

    def step(self, action: Any) -> Tuple[Obs, float, bool, bool, spaces.Info]:  # type: ignore[override]
        if self._over:
            raise Error("the episode has ended or not begun; call reset()")
        native, action = self.native, whole_action(action)
        last = native.last
        wrong = not (0 <= action < len(last.mask) and last.mask[action])
        if wrong and self._illegal == "raise":
            legal = ", ".join(f"{a} ({self.game_spec.actions[a]})" for a in last.legal[:20])
            raise ValueError(f"action {action} is not legal here; legal: {legal}{', ...' if len(last.legal) > 20 else ''}")
        if wrong and self._illegal == "terminate":
            self._over = True
            reward = self.game_spec.min_return - float(last.returns[self.seat]) + self._carried
            end = last._replace(terminated=True)
            return self._observation(end), reward, True, False, self._info(end, True, -1)
        if wrong:
            action = int(self.np_random.choice(last.legal))
        step = native.step(action)
        reward, self._carried = self._carried + float(step.rewards[self.seat]), 0.0
        self._over = step.done
        self._show()
        return self._observation(step), reward, step.terminated, step.truncated, self._info(step, wrong, action)

    def _observation(self, step: Step) -> Obs:
        values = step.observation.copy()
        if self._dict:
            return cast(Obs, {"observation": values, "action_mask": spaces.shown_mask(step.mask, not step.done)})
        return cast(Obs, values)

    def _info(self, step: Step, illegal: bool, executed: int) -> spaces.Info:
        mask = spaces.shown_mask(step.mask, not step.done)
        return {"action_mask": mask, "illegal_action": illegal, "executed_action": executed}

    def observe(self) -> Observation:
        """Returns the last observation, to be read by field: observe().field("unrest")."""
        return self.native.observe()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the mask as bool [A], as sb3-contrib's MaskablePPO asks for it."""
        return spaces.shown_mask(self.native.last.mask, not self._over).astype(np.bool_)

    def render(self) -> Any:
        """Returns the situation as your seat sees it: in words in render mode "ansi", as a
        Drawing (a str that notebooks show) in "svg", as uint8 [height, width, 3] in
        "rgb_array" (``pip install powderkeg[render]``). In "human" words are printed at
        each step."""
        return render(self.native, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self.native.text())

    def close(self) -> None:
        """Gives the environment up. It may be called twice."""
        if self._env is not None:
            self._env.close()
        self._env = None

    def __reduce__(self) -> Any:
        return copies.reduced(self, self._given, self._arguments, self._begun and self._env is not None)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.close()
        self.__dict__.update(state)

    def __copy__(self) -> Env[Obs]:
        return copy.deepcopy(self)  # a shallow one would share the game

    def __deepcopy__(self, memo: Dict[int, Any]) -> Env[Obs]:
        made: Env[Obs] = copies.deep(self, memo)
        return made


def whole_action(action: Any) -> int:
    """Returns an action as a number. Floats are refused, whole or not."""
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"action is {action!r:.60}, it must be a whole number") from None


def agents_of(seats: int, seat: int, opponents: Union[str, Sequence[Optional[str]]]) -> Tuple[Optional[str], ...]:
    """Returns the agent of each seat, None for yours."""
    if not 0 <= seat < seats:
        raise ValueError(f"seat {seat}; there are seats 0 to {seats - 1}")
    if isinstance(opponents, str):
        return tuple(None if p == seat else opponents for p in range(seats))
    if len(opponents) != seats or any((agent is None) != (p == seat) for p, agent in enumerate(opponents)):
        raise ValueError(f"opponents {opponents!r}; for seat {seat} of {seats} it is an agent a seat, None for yours")
    return tuple(opponents)


def register() -> None:
    """Registers every game with gymnasium. The import does it."""
    for name in GAMES:
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                id=gymnasium_id(name),
                entry_point="powderkeg.gymnasium:Env",
                vector_entry_point="powderkeg.gymnasium_vector:VectorEnv",
                kwargs={"game": name},
            )


register()
