"""MaskablePPO of sb3-contrib on powderkeg's vectorised environment.

    python ppo_sb3.py [--game tictactoe] [--opponent "scripted(slips=0.3)"] [--seat 0] [--seconds 120]

Stable-Baselines3 has a vector interface of its own; Games is the bridge. A few games do
without it: MaskablePPO takes powderkeg.gymnasium.Env as it is, which has action_masks().
"""

from __future__ import annotations

from typing import Any, List

import curve
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

import powderkeg
from powderkeg.gymnasium_vector import VectorEnv


class Games(VecEnv):
    """A powderkeg VectorEnv as Stable-Baselines3 wants it."""

    def __init__(self, envs: VectorEnv) -> None:
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        observations, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        observations, rewards, terminated, truncated, shown = self.envs.step(self._actions)
        infos = [{"TimeLimit.truncated": bool(t)} for t in truncated & ~terminated]
        done = terminated | truncated
        for slot in np.flatnonzero(done):
            infos[slot]["terminal_observation"] = shown["final_obs"][slot]
        return observations, rewards.astype(np.float32), done, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> List[Any]:
        """Serves get_action_masks, which asks vector environments for them in this way."""
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return list(self.envs.action_masks())

    def get_attr(self, attr_name: str, indices: Any = None) -> List[Any]:
        return [getattr(self.envs, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.envs, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> List[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.envs.close()


class Measure(BaseCallback):
    """Stops MaskablePPO when its time is over."""

    def __init__(self, learning: curve.Curve) -> None:
        super().__init__()
        self.learning = learning
        self.goes_on = True

    def _on_rollout_start(self) -> None:
        self.goes_on = self.learning.goes_on(self.num_timesteps)

    def _on_step(self) -> bool:
        return self.goes_on


def logits(policy: Any) -> curve.Logits:
    """Returns the policy as it is measured."""
    return lambda obs: torch.no_grad()(policy.get_distribution)(torch.from_numpy(obs)).distribution.logits.numpy()


def main() -> None:
    o = curve.options(
        __doc__, "tictactoe", opponent=("scripted(slips=0.3)", "agent of the server"), seat=(0, "yours"), envs=(64, "games at once"),
    )  # fmt: skip
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:
        envs = VectorEnv(
            o.game, o.envs, opponents=o.opponent, seat=o.seat, autoreset_mode="SameStep", illegal="raise", client=client
        )  # fmt: skip
        model = MaskablePPO(
            "MlpPolicy", VecMonitor(Games(envs)), seed=o.seed, device="cpu", n_steps=32, batch_size=512, n_epochs=4,
            learning_rate=1e-3, gamma=1.0, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]},
        )  # fmt: skip
        with curve.Curve(client, o, logits(model.policy)) as learning:
            model.learn(1 << 60, callback=Measure(learning))
        envs.close()


if __name__ == "__main__":
    main()
