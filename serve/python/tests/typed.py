"""What a user writes, for the type checkers alone (TestPythonTypes), which also has to run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import powderkeg.gymnasium
import powderkeg.gymnasium_vector
from powderkeg.pettingzoo import jogu_v2
from powderkeg.spaces import MaskedObservation
from typing_extensions import assert_type


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
    observation, info = env.reset(seed=1)
    assert_type(observation, npt.NDArray[np.float32])
    action = env.action_space.sample(info["action_mask"])
    _, reward, terminated, truncated, info = env.step(action)
    played: int = info["executed_action"]
    env.close()
    return 0 if (terminated or truncated) and reward < 0 else played


def masked(env: powderkeg.gymnasium.Env[MaskedObservation]) -> int:
    """The same where the observation has the mask."""
    observation, _ = env.reset(seed=1)
    assert_type(observation["observation"], npt.NDArray[np.float32])
    assert_type(observation["action_mask"], npt.NDArray[np.int8])
    observation, *_ = env.step(int(observation["action_mask"].argmax()))
    return len(observation["action_mask"])


def plain(env: powderkeg.gymnasium.Env) -> int:
    """What has not been told otherwise is a box."""
    return len(assert_type(env.reset(seed=1)[0], npt.NDArray[np.float32]))


def told(observation: str) -> int:
    """One of which nobody knows before it runs."""
    env = powderkeg.gymnasium.Env("jogu", observation=observation)
    return masked(env) + plain(powderkeg.gymnasium.Env("jogu")) + masked(powderkeg.gymnasium.Env("jogu", observation="dict"))


def many() -> float:
    """Many games at once."""
    envs = powderkeg.gymnasium_vector.VectorEnv("jogu", 3, opponents="scripted")
    observations, infos = envs.reset(seed=1)
    assert_type(observations, npt.NDArray[np.float32])
    mask: npt.NDArray[np.int8] = infos["action_mask"]
    _, rewards, terminated, _, infos = envs.step(mask.argmax(axis=1))
    assert_type(rewards, npt.NDArray[np.float64])
    assert_type(infos["executed_action"], npt.NDArray[np.int64])
    beside = powderkeg.gymnasium_vector.VectorEnv("jogu", 3, observation="dict")
    both, _ = beside.reset(seed=1)
    assert_type(both["observation"], npt.NDArray[np.float32])
    envs.close()
    beside.close()
    return float(rewards.sum()) + float(terminated.sum())


def native() -> npt.NDArray[np.float32]:
    """The client itself."""
    with powderkeg.connect() as client:
        env = client.make("leduc", seed=1)
        step = env.clone().step(int(env.last.legal[0]))
        return step.observation
