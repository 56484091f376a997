"""A game of all its seats for PettingZoo.

    from powderkeg.pettingzoo import jogu_v2
    env = jogu_v2.env(first="wu")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

Every game has a module NAME_vVERSION with env, raw_env and parallel_env, which take the
game's options as keywords; env, raw_env and parallel_env of this module take the game
string first. It needs pettingzoo 1.25 or newer.
"""

from __future__ import annotations

import copy
import sys
import types
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Protocol, Tuple

import numpy as np
import numpy.typing as npt

from .errors import Error, extra

with extra("pettingzoo"):
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo import ParallelEnv as _ParallelEnv

from . import copies, spaces
from .client import Client, shared
from .drawing import RENDER_MODES, render
from .env import Env as NativeEnv
from .env import Step
from .games import GAMES, game_string
from .gymnasium import whole_action
from .turns import Turns


class AgentEnv(Protocol):
    """What env() makes: Env in PettingZoo's wrappers, which know no types."""

    possible_agents: List[str]
    agents: List[str]
    agent_selection: str
    rewards: Dict[str, float]
    terminations: Dict[str, bool]
    truncations: Dict[str, bool]
    infos: Dict[str, Dict[str, Any]]

    @property
    def unwrapped(self) -> Env: ...
    def observation_space(self, agent: str) -> gymnasium.spaces.Dict: ...
    def action_space(self, agent: str) -> gymnasium.spaces.Discrete: ...
    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None: ...
    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]: ...
    def last(self, observe: bool = True) -> Tuple[spaces.MaskedObservation, float, bool, bool, Dict[str, Any]]: ...
    def observe(self, agent: str) -> spaces.MaskedObservation: ...
    def step(self, action: Optional[int]) -> None: ...
    def state(self) -> npt.NDArray[np.float32]: ...
    def render(self) -> Any: ...
    def close(self) -> None: ...


class Env(AECEnv):
    """A game whose seats are the agents player_0, player_1, ...

    An observation is {"observation": float32 [D], "action_mask": int8 [A]}; the mask is
    0 for agents that are not to act. Rewards are what each agent has gained by the last
    step. An illegal action raises ServerError with the code "illegal" and changes
    nothing; env() wraps that as PettingZoo's own games do. ``position`` is where episodes
    begin, of the game's README, ``max_decisions`` truncates one after so many decisions of
    all agents (0: never), and options of the game are keywords.

    reset(seed=s) makes all chance follow from s; without a seed it goes on with the
    numbers that follow. ``reset(options={"position": {...}})`` begins that episode in
    another position; other options are ignored, as PettingZoo's own test has it.

    state() is what all seats observe, one after the other: float32 [P*D].

    The game is played in this process unless ``client`` or ``address`` (or POWDERKEG_ADDRESS)
    names a server. copy.deepcopy and pickle copy all of it, the game in progress and the
    random numbers to come included.
    """

    def __init__(
        self,
        game: str = "jogu",
        *,
        max_decisions: int = 0,
        position: Optional[Mapping[str, Any]] = None,
        render_mode: Optional[str] = None,
        client: Optional[Client] = None,
        address: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is {render_mode!r}, it must be one of {(None, *RENDER_MODES)}")
        self._arguments = {
            "game": game, "max_decisions": max_decisions, "position": position, "render_mode": render_mode,
            "address": address, **options,
        }  # fmt: skip
        self._given = client
        self.render_mode = render_mode
        self._client = client or shared(address)
        self._env: Optional[NativeEnv] = None
        try:
            self.game_spec = self._client.spec(game_string(game, options))
            self._max_decisions = max_decisions
            self._start = position
            self._open(position)
        except BaseException:
            self.close()
            raise
        name = f"{self.game_spec.name}_v{self.game_spec.version}"
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1}
        self.possible_agents: List[str] = [f"player_{p}" for p in range(self.game_spec.seats)]
        self.agents: List[str] = []
        # One space object per agent, since each is seeded on its own.
        self.observation_spaces = {a: spaces.with_mask(self.game_spec) for a in self.possible_agents}
        self.action_spaces = {a: gymnasium.spaces.Discrete(len(self.game_spec.actions)) for a in self.possible_agents}
        one = spaces.box(self.game_spec)
        low, high = np.tile(one.low, self.game_spec.seats), np.tile(one.high, self.game_spec.seats)
        self.state_space = gymnasium.spaces.Box(low, high, dtype=np.float32)

    def _open(self, position: Any) -> NativeEnv:
        if self._env is not None:
            self._env.close()
        self._env = self._client.make(self.game_spec.game, max_decisions=self._max_decisions, position=position)
        self._position = position
        return self._env

    @property
    def native(self) -> NativeEnv:
        """The environment of the server, for text(), legal(), position() and the like."""
        if self._env is None:
            raise Error("the environment is closed")
        return self._env

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def seat(self, agent: str) -> int:
        """Returns the seat of an agent."""
        return self.possible_agents.index(agent)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        position = (options or {}).get("position", self._start)
        native = self.native if position == self._position else self._open(position)
        step = native.reset(seed)
        self.agents = list(self.possible_agents)
        self._skip_agent_selection = None
        self._show(step, dict.fromkeys(self.agents, 0.0))

    def step(self, action: Any) -> None:
        if not self.agents:
            raise Error("the episode has ended or not begun; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act; None is for agents whose episode has ended")
        native, told = self.native, {**self._cumulative_rewards, agent: 0.0}
        try:
            self._show(native.step(whole_action(action)), told)
        except KeyboardInterrupt:
            if native.last.decisions != self._decisions:  # it was played
                self._show(native.last, told)
            raise

    def takes(self, action: Any) -> bool:
        """Reports whether step() would play an action, or take None from an agent whose episode
        has ended."""
        if not self.agents:
            return False
        agent = self.agent_selection
        ended = self.terminations[agent] or self.truncations[agent]
        if ended or type(action) is not int and not isinstance(action, np.integer):
            return ended and action is None
        mask = self.native.last.mask
        return bool(0 <= action < len(mask) and mask[action])

    def _show(self, step: Step, told: Dict[str, float]) -> None:
        """Sets the attributes of the interface to what a step shows. The agents have not been told
        yet of rewards before it."""
        agents = self.agents
        rewards: Dict[str, float] = dict(zip(agents, step.rewards.tolist()))
        terminations, truncations = dict.fromkeys(agents, step.terminated), dict.fromkeys(agents, step.truncated)
        infos: Dict[str, Dict[str, Any]] = {a: {} for a in agents}
        told = {a: told[a] + r for a, r in rewards.items()}
        # After the end the agents take their last, empty step in turn.
        selection = agents[0 if step.done else step.actor]
        # At once, which no interruption comes between.
        self.rewards, self._cumulative_rewards, self.terminations, self.truncations = rewards, told, terminations, truncations
        self.infos, self.agent_selection, self._decisions = infos, selection, step.decisions
        if self.render_mode == "human":
            print(self.native.text())

    def state(self) -> npt.NDArray[np.float32]:
        """Returns what all seats observe, one after the other: float32 [P*D]."""
        return np.concatenate([self._observation(seat) for seat in range(self.game_spec.seats)])

    def _observation(self, seat: int) -> npt.NDArray[np.float32]:
        last = self.native.last
        return last.observation if seat == last.observer else self.native.observe(seat).values

    def observe(self, agent: str) -> spaces.MaskedObservation:
        last, seat = self.native.last, self.seat(agent)
        mask = last.mask if seat == last.actor else np.zeros_like(last.mask)
        return {"observation": self._observation(seat), "action_mask": spaces.int8_mask(mask)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns the mask of the agent to act as bool [A]."""
        last = self.native.last
        return spaces.shown_mask(last.mask, not last.done).astype(np.bool_)

    def legal(self) -> List[str]:
        """Returns the names of the legal actions of the agent to act."""
        return self.game_spec.legal(self.native.last.mask)

    def render(self) -> Any:
        """Returns the situation as the agent to act sees it: in words in render mode "ansi",
        as a Drawing (a str that notebooks show) in "svg", as uint8 [height, width, 3] in
        "rgb_array" (``pip install powderkeg[render]``). In "human" words are printed at
        each step."""
        return render(self.native, self.render_mode)

    def close(self) -> None:
        """Gives the environment up. It may be called twice."""
        if self._env is not None:
            self._env.close()
        self._env = None

    def __reduce__(self) -> Any:
        return copies.reduced(self, self._given, self._arguments, self._env is not None)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.close()
        self.__dict__.update(state)

    def __copy__(self) -> Env:
        return copy.deepcopy(self)  # a shallow one would share the game

    def __deepcopy__(self, memo: Dict[int, Any]) -> Env:
        made: Env = copies.deep(self, memo)
        return made


class ParallelEnv(_ParallelEnv):
    """The game of Env for learners that ask every agent at each step.

    step(actions) plays the action of the agent to act, whose ``info["to_act"]`` is true, and
    ignores those of the others. Their masks are 1 throughout, since no action counts and a
    softmax over none is no number. An illegal action ends the episode with the worst return
    for whoever chose it and no gain for the others.
    """

    def __init__(self, game: str = "jogu", **arguments: Any) -> None:
        self.aec = Env(game, **arguments)
        self.metadata = {**self.aec.metadata, "is_parallelizable": True}
        self.render_mode = self.aec.render_mode
        self.possible_agents = self.aec.possible_agents
        self.agents: List[str] = []
        self.observation_spaces, self.action_spaces = self.aec.observation_spaces, self.aec.action_spaces
        self.state_space = self.aec.state_space

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, spaces.MaskedObservation], Dict[str, spaces.AgentInfo]]:
        self.aec.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> Tuple[Dict[str, spaces.MaskedObservation], Dict[str, float], Dict[str, bool], Dict[str, bool], Dict[str, spaces.AgentInfo]]:
        if not self.agents:
            raise Error("the episode has ended or not begun; call reset()")
        actor = self.aec.agent_selection
        if actor not in actions:
            raise ValueError(f"{actor} is to act, and actions has none of it")
        action, last = whole_action(actions[actor]), self.aec.native.last
        legal = 0 <= action < len(last.mask) and bool(last.mask[action])
        if legal:
            self.aec.step(action)
            rewards, last = dict(self.aec.rewards), self.aec.native.last
        else:
            rewards = {a: 0.0 for a in self.agents}
            rewards[actor] = self.aec.game_spec.min_return - float(last.returns[last.actor])
        terminations = {a: last.terminated or not legal for a in self.agents}
        truncations = {a: last.truncated for a in self.agents}
        if last.done or not legal:
            self.agents = []
        return self._observations(), rewards, terminations, truncations, self._infos()

    def _observations(self) -> Dict[str, spaces.MaskedObservation]:
        shown = {a: self.aec.observe(a) for a in self.possible_agents}
        for observation in shown.values():
            mask = observation["action_mask"]
            observation["action_mask"] = spaces.shown_mask(mask, bool(mask.any()))
        return shown

    def _infos(self) -> Dict[str, spaces.AgentInfo]:
        return {a: {"to_act": a == self.aec.agent_selection} for a in self.possible_agents}

    def state(self) -> npt.NDArray[np.float32]:
        """Returns what all seats observe, one after the other: float32 [P*D]."""
        return self.aec.state()

    def render(self) -> Any:
        return self.aec.render()

    def __copy__(self) -> ParallelEnv:
        return copy.deepcopy(self)  # a shallow one would share the game

    def close(self) -> None:
        """Gives the environment up. It may be called twice."""
        self.aec.close()


def raw_env(game: str = "jogu", **arguments: Any) -> Env:
    """Makes an environment without PettingZoo's wrappers."""
    return Env(game, **arguments)


def env(game: str = "jogu", **arguments: Any) -> AgentEnv:
    """Makes an environment in the wrappers of PettingZoo's own games: an illegal action ends
    the episode with the worst return for whoever chose it, and calls out of order are
    refused."""
    raw = raw_env(game, **arguments)
    wrapped: AgentEnv = Turns(raw, raw.game_spec.min_return)
    return wrapped


def parallel_env(game: str = "jogu", **arguments: Any) -> ParallelEnv:
    """Makes an environment of PettingZoo's parallel interface."""
    return ParallelEnv(game, **arguments)


class GameModule(types.ModuleType):
    """The module of a game, which can be imported like any other."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"{__name__}.{game}_v{version}", f"The game {game}, rules version {version}.")
        self._game = game

    def env(self, **arguments: Any) -> AgentEnv:
        return env(self._game, **arguments)

    def raw_env(self, **arguments: Any) -> Env:
        return raw_env(self._game, **arguments)

    def parallel_env(self, **arguments: Any) -> ParallelEnv:
        return parallel_env(self._game, **arguments)


for _game, _version in GAMES.items():
    _made = GameModule(_game, _version)
    sys.modules[_made.__name__] = globals()[f"{_game}_v{_version}"] = _made

if TYPE_CHECKING:  # which does not run the loop
    bloc_v4: GameModule
    connect4_v1: GameModule
    domination_v2: GameModule
    insurgency_v3: GameModule
    jogu_v2: GameModule
    kuhn_v1: GameModule
    leduc_v1: GameModule
    liars_dice_v1: GameModule
    goofspiel_v1: GameModule
    minuteman_v3: GameModule
    tictactoe_v1: GameModule
