"""A game of all its seats as a pettingzoo.AECEnv.

    from powderkeg import pettingzoo
    env = pettingzoo.env("jogu")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

It needs pettingzoo 1.24 or newer.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from . import spaces
from .client import Client, borrow
from .env import Env as NativeEnv
from .env import Step
from .errors import Error


class Env(AECEnv):
    """A game whose seats are the agents player_0, player_1, ...

    An observation is {"observation": float32 [D], "action_mask": int8 [A]}; the mask is
    0 for agents that are not to act. Rewards are what each agent has gained by the last
    step. An illegal action raises ServerError with the code "illegal" and changes
    nothing. ``max_decisions`` truncates an episode after so many decisions of all
    agents (0: never).

    reset(seed=s) makes all chance follow from s; without a seed it goes on with the
    numbers that follow. ``reset(options={"position": {...}})`` begins that episode in a
    position of the game's README; other options are ignored, as PettingZoo's own test
    has it.

    A server is shared by all environments of the process unless ``client`` or
    ``address`` names one.
    """

    def __init__(
        self,
        game: str = "jogu",
        *,
        max_decisions: int = 0,
        render_mode: Optional[str] = None,
        client: Optional[Client] = None,
        address: Optional[str] = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}, it must be one of (None, 'ansi')")
        self.render_mode = render_mode
        self._client, self._owned = borrow(client, address)
        self._env: Optional[NativeEnv] = None
        try:
            self.game_spec = self._client.spec(game)
            self._max_decisions = max_decisions
            self._open(None)
        except BaseException:
            self.close()
            raise
        name = f"{self.game_spec.name}_v{self.game_spec.version}"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}
        self.possible_agents: List[str] = [f"player_{p}" for p in range(self.game_spec.seats)]
        self.agents: List[str] = []
        # One space object per agent, since each is seeded on its own.
        self.observation_spaces = {a: spaces.with_mask(self.game_spec) for a in self.possible_agents}
        self.action_spaces = {a: gymnasium.spaces.Discrete(len(self.game_spec.actions)) for a in self.possible_agents}

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

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def seat(self, agent: str) -> int:
        """Returns the seat of an agent."""
        return self.possible_agents.index(agent)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        position = (options or {}).get("position")
        native = self.native if position == self._position else self._open(position)
        step = native.reset(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = {a: 0.0 for a in self.agents}
        self._skip_agent_selection = None
        self._show(step)

    def step(self, action: Any) -> None:
        if not self.agents:
            raise Error("the episode has ended or not begun; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act; None is for agents whose episode has ended")
        step = self.native.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._show(step)

    def _show(self, step: Step) -> None:
        """Sets the attributes of the interface to what a step shows."""
        self.rewards = {a: float(r) for a, r in zip(self.possible_agents, step.rewards)}
        self.terminations = {a: step.terminated for a in self.agents}
        self.truncations = {a: step.truncated for a in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {a: {} for a in self.agents}
        # After the end the agents take their last, empty step in turn.
        self.agent_selection = self.agents[0] if step.done else self.agents[step.actor]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Dict[str, Any]:
        last, seat = self.native.last, self.seat(agent)
        if seat == last.observer:
            values = last.observation
        else:
            values = self.native.observe(seat).values
        mask = last.mask if seat == last.actor else np.zeros_like(last.mask)
        return {"observation": values, "action_mask": spaces.int8_mask(mask)}

    def legal(self) -> List[str]:
        """Returns the names of the legal actions of the agent to act."""
        return self.game_spec.legal(self.native.last.mask)

    def render(self) -> Any:
        """Returns the situation in words as the agent to act sees it, in render mode
        "ansi"."""
        return self.native.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Gives the environment up. It may be called twice."""
        if self._env is not None and not self._client.closed:
            self._env.close()
        self._env = None
        if self._owned:
            self._client.close()


def env(game: str = "jogu", **kwargs: Any) -> Env:
    """Makes an environment, as PettingZoo's own modules do."""
    return Env(game, **kwargs)
