"""What a user writes, for the type checkers alone (TestPythonTypes), which also has to run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import powderkeg.gymnasium
from powderkeg.pettingzoo import jogu_v2


def turns() -> float:
    """The seats of a game in turn."""
    env = jogu_v2.env(first="wu")
    env.reset(seed=1)
    gained = 0.0
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        mask: npt.NDArray[np.int8] = observation["action_mask"]
        gained += reward
        env.step(None if termination or truncation else int(env.action_space(agent).sample(mask)))
    return gained + sum(env.rewards.values())


def together() -> bool:
    """All seats at once."""
    env = jogu_v2.parallel_env()
    observations, infos = env.reset(seed=1)
    actor: str = next(agent for agent, info in infos.items() if info["to_act"])
    values: npt.NDArray[np.float32] = observations[actor]["observation"]
    _, rewards, terminations, _, _ = env.step({actor: int(np.flatnonzero(observations[actor]["action_mask"])[0])})
    return len(values) > 0 and terminations[actor] and rewards[actor] > 0


def alone() -> int:
    """One seat against a bot."""
    env = powderkeg.gymnasium.Env("jogu", opponents="scripted")
    _, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    _, reward, terminated, truncated, info = env.step(action)
    played: int = info["executed_action"]
    env.close()
    return 0 if (terminated or truncated) and reward < 0 else played


def native() -> npt.NDArray[np.float32]:
    """The client itself."""
    with powderkeg.connect() as client:
        env = client.make("leduc", seed=1)
        step = env.clone().step(int(env.last.legal[0]))
        return step.observation
