"""The wrappers of PettingZoo around a game of all its seats, and the short way past them."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from pettingzoo.utils.wrappers.order_enforcing import AECOrderEnforcingIterable, AECOrderEnforcingIterator

from . import spaces


class Turns(OrderEnforcingWrapper):  # type: ignore[misc]
    """Env in the three wrappers of PettingZoo's own games, of which this is the outermost.

    These ask each other for every attribute and observe a second time, which takes several times
    as long as a step. So what they would let through goes straight to the game, and all else
    through them, which then say and do what they do around any game.
    """

    def __init__(self, raw: Any, illegal_reward: float) -> None:
        self._raw = raw  # of pettingzoo.Env
        self._illegal = TerminateIllegalWrapper(raw, illegal_reward=illegal_reward)
        super().__init__(AssertOutOfBoundsWrapper(self._illegal))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not self._has_reset:
            return super().__getattr__(name)
        return getattr(self._raw, name)

    def __str__(self) -> str:
        return str(self.env)

    def observation_space(self, agent: str) -> Any:
        return self._raw.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        return self._raw.action_space(agent)

    def agent_iter(self, max_iter: int = 2**63) -> AECOrderEnforcingIterable:
        return super().agent_iter(max_iter) if not self._has_reset else _Iterable(self, max_iter)

    def last(self, observe: bool = True) -> Tuple[Optional[spaces.MaskedObservation], float, bool, bool, Dict[str, Any]]:
        shown: Any = self._raw.last(observe) if self._has_reset else super().last(observe)
        return shown  # type: ignore[no-any-return]

    def observe(self, agent: str) -> Optional[spaces.MaskedObservation]:
        shown: Any = self._raw.observe(agent) if self._has_reset else super().observe(agent)
        return shown  # type: ignore[no-any-return]

    def step(self, action: Any) -> None:
        if self._has_reset and self._raw.takes(action):
            self._has_updated = True
            self._illegal._prev_obs = None  # as after any step
            self._raw.step(action)
        else:
            super().step(action)


class _Iterable(AECOrderEnforcingIterable):  # type: ignore[misc]
    def __iter__(self) -> AECOrderEnforcingIterator:
        return _Iterator(self.env, self.max_iter)


class _Iterator(AECOrderEnforcingIterator):  # type: ignore[misc]
    def __next__(self) -> str:
        env = self.env
        raw = env._raw
        if not env._has_updated or not raw.agents or self.iters_til_term <= 0:
            ended: str = super().__next__()  # which says so
            return ended
        self.iters_til_term -= 1
        env._has_updated = False
        agent: str = raw.agent_selection
        return agent
