"""What Gymnasium's env_checker and PettingZoo's api_test and seed_test demand, written
anew. They are run with and without those libraries."""

from __future__ import annotations

import copy
from typing import Any, Callable, List

import numpy as np


def equal(a: Any, b: Any) -> bool:
    """Compares observations and infos as check_env does."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and bool(np.allclose(a, b, atol=1e-5))
    return bool(a == b)


def gymnasium_env(env: Any) -> None:
    """Checks a gymnasium.Env that has a spec."""
    assert env.unwrapped is env
    assert np.isfinite(env.observation_space["observation"].low if hasattr(env.observation_space, "spaces") else env.observation_space.low).all()
    observation, info = env.reset()
    assert observation in env.observation_space and isinstance(info, dict)
    first, _ = env.reset(seed=123)
    rng = copy.deepcopy(env._np_random)
    assert rng is not None
    after_first, _ = env.reset()
    second, _ = env.reset(seed=123)
    assert equal(first, second) and env._np_random.bit_generator.state == rng.bit_generator.state
    after_second, _ = env.reset()
    assert equal(after_first, after_second), "reset() without a seed goes on differently"
    env.reset(seed=456)
    assert env._np_random.bit_generator.state != rng.bit_generator.state
    env.reset(options={})
    outcomes = []
    env.action_space.seed(123)
    env.reset(seed=123)
    action = env.action_space.sample()
    for _ in range(2):
        env.reset(seed=123)
        observation, reward, terminated, truncated, info = outcome = env.step(action)
        assert observation in env.observation_space
        assert isinstance(reward, float) and np.isfinite(reward)
        assert isinstance(terminated, bool) and isinstance(truncated, bool) and isinstance(info, dict)
        outcomes.append(outcome)
    assert all(equal(a, b) for a, b in zip(*outcomes)), "the same step gave different results"
    for mode in env.metadata["render_modes"]:
        other = env.spec.make(render_mode=mode)
        other.reset()
        assert isinstance(other.render(), str)
        other.close()
        other.close()


def _choose(env: Any, agent: str, observation: Any, done: bool) -> Any:
    return None if done else env.action_space(agent).sample(observation["action_mask"])


def _seen(env: Any, agent: str, observation: Any) -> None:
    space = env.observation_space(agent)
    assert space.contains(observation), f"{agent} sees what is not in its space"
    for name, values in observation.items():
        assert values.dtype == space[name].dtype and values.size > 0
        assert np.isfinite(values).all()
    mask = observation["action_mask"]
    assert mask.ndim == 1 and set(mask.tolist()) <= {0, 1}


def pettingzoo_env(env: Any, cycles: int = 1000) -> None:
    """Checks a pettingzoo.AECEnv."""
    env.reset(seed=0, options={})
    assert not any(env.terminations.values()) and not any(env.truncations.values())
    assert isinstance(env.num_agents, int) and env.num_agents > 0
    assert env.last(observe=False)[0] is None
    for agent in env.agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        name, _, number = agent.partition("_")
        assert name == "player" and number.isdigit()
    _play(env, cycles)
    env.reset(seed=1)
    observation, *_ = env.last()
    action = np.int32(_choose(env, env.agent_selection, observation, False))
    env.step(action)
    env.reset(seed=1)
    assert env.step(int(action)) is None
    assert type(env).render is not type(env).__mro__[1].render and type(env).close is not type(env).__mro__[1].close


def _play(env: Any, cycles: int) -> None:
    env.reset(seed=2)
    live, finished = list(env.agents), set()
    gained = {a: 0.0 for a in env.agents}
    for agent in env.agent_iter(env.num_agents * cycles):
        observation, reward, terminated, truncated, info = env.last()
        assert isinstance(info, dict) and info == env.infos[agent]
        assert type(terminated) is bool and type(truncated) is bool
        done = terminated or truncated
        if not done:
            assert observation["action_mask"].any(), "an agent to act has no legal action"
        _seen(env, agent, observation)
        assert env.step(_choose(env, agent, observation, done)) is None
        assert gained[agent] == reward, "last() does not give the accumulated reward"
        gained[agent] = 0.0
        for a, r in env.rewards.items():
            assert np.isfinite(float(r))
            gained[a] += r
        if done:
            assert agent not in finished
            live.remove(agent)
            finished.add(agent)
        assert env.agents == live and env.num_agents == len(live)
        for of_agent in (env.rewards, env.terminations, env.truncations, env.infos):
            assert list(of_agent) == live
        if not live:
            assert finished == set(env.possible_agents)
            return
    raise AssertionError(f"the episode has not ended in {cycles} cycles")


def pettingzoo_seeds(make: Callable[[], Any], cycles: int = 500) -> None:
    """Checks that two environments with the same seeds play the same."""
    traces: List[List[Any]] = []
    for env in (make(), make()):
        trace: List[Any] = []
        for seed in (42, 43, None):
            env.reset(seed=seed)
            for i, agent in enumerate(env.possible_agents):
                env.action_space(agent).seed(42 + i)
            for agent in env.agent_iter(cycles * env.num_agents):
                observation, reward, terminated, truncated, info = env.last()
                action = _choose(env, agent, observation, terminated or truncated)
                values, mask = observation["observation"].tolist(), observation["action_mask"].tolist()
                trace.append((agent, values, mask, reward, terminated, truncated, info, None if action is None else int(action)))
                env.step(action)
        env.close()
        traces.append(trace)
    assert len(traces[0]) > 10 and traces[0] == traces[1]
