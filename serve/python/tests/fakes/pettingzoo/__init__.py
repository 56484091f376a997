"""A stand-in for pettingzoo where that is not installed: what AECEnv promises to its
subclasses. Tests only."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple


class AECEnv:
    metadata: Dict[str, Any]
    possible_agents: List[str]
    agents: List[str]
    agent_selection: str
    rewards: Dict[str, float]
    terminations: Dict[str, bool]
    truncations: Dict[str, bool]
    infos: Dict[str, Dict[str, Any]]
    _cumulative_rewards: Dict[str, float]

    def render(self) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        pass

    @property
    def unwrapped(self) -> AECEnv:
        return self

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    def agent_iter(self, max_iter: int = 1 << 63) -> Iterator[str]:
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        reward = self._cumulative_rewards[agent]
        return seen, reward, self.terminations[agent], self.truncations[agent], self.infos[agent]

    def observe(self, agent: str) -> Any:
        raise NotImplementedError

    def _accumulate_rewards(self) -> None:
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action: None) -> None:
        if action is not None:
            raise ValueError("a dead agent takes None")
        agent = self.agent_selection
        for of_agent in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del of_agent[agent]  # type: ignore[attr-defined]
        self.agents.remove(agent)
        dead = [a for a in self.agents if self.terminations[a] or self.truncations[a]]
        if dead:
            self.agent_selection = dead[0]
        for a in self.rewards:
            self.rewards[a] = 0
