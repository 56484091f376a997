"""PPO of RLlib's new API stack on powderkeg's vectorised environment, with an RLModule that
masks.

    python ppo_rllib.py [--game tictactoe] [--opponent "scripted(slips=0.3)"] [--seat 0] [--seconds 120]

With observation="dict" the mask is part of the observation, which is all that an RLModule
gets. All environments, those of other processes too (--runners), play on one server.
"""

from __future__ import annotations

import logging
from typing import Any, Dict

import curve
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED_LIFETIME

import powderkeg
from powderkeg.gymnasium_vector import VectorEnv


def layers(inputs: int, outputs: int) -> torch.nn.Module:
    """Returns a network with two hidden layers."""
    return torch.nn.Sequential(
        torch.nn.Linear(inputs, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128), torch.nn.ReLU(), torch.nn.Linear(128, outputs)
    )


class Masked(TorchRLModule, ValueFunctionAPI):
    """A policy over the legal actions, and a value."""

    def setup(self) -> None:
        inputs = self.observation_space["observation"].shape[0]
        self.policy, self.value = layers(inputs, int(self.action_space.n)), layers(inputs, 1)

    def _forward(self, batch: Dict[str, Any], **_: Any) -> Dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"]).masked_fill(seen["action_mask"] == 0, -1e9)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch: Dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(batch[Columns.OBS]["observation"]).squeeze(-1)


def make(arguments: Dict[str, Any]) -> VectorEnv:
    """Makes the games of a runner, in this process or in another."""
    return VectorEnv(**arguments)


def logits(algorithm: Any) -> curve.Logits:
    """Returns the policy as it is measured: the learner's, which the runners follow."""
    return lambda obs: torch.no_grad()(algorithm.get_module().policy)(torch.from_numpy(obs)).numpy()


def main() -> None:
    o = curve.options(
        __doc__, "tictactoe", opponent=("scripted(slips=0.3)", "agent of the server"), seat=(0, "yours"), envs=(64, "games at once"),
        runners=(0, "processes that play, 0 for this one"), steps=(4096, "decisions per update"), rate=(1e-3, "learning rate"),
    )  # fmt: skip
    torch.set_num_threads(1)
    ray.init(num_cpus=1 + o.runners, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    with powderkeg.connect(o.address) as client:
        arguments = {
            "game": o.game, "opponents": o.opponent, "seat": o.seat, "observation": "dict", "illegal": "raise", "address": client.address
        }  # fmt: skip
        ray.tune.register_env("powderkeg", make)
        config = (
            PPOConfig()
            .environment("powderkeg", env_config=arguments)
            .api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
            .env_runners(num_env_runners=o.runners, num_envs_per_env_runner=o.envs, gym_env_vectorize_mode="vector_entry_point")
            .rl_module(rl_module_spec=RLModuleSpec(module_class=Masked))
            .training(
                train_batch_size_per_learner=o.steps, minibatch_size=512, num_epochs=4, lr=o.rate, gamma=1.0, lambda_=0.95,
                clip_param=0.2, entropy_coeff=0.01, vf_loss_coeff=0.5, use_kl_loss=False, grad_clip=0.5,
            )
            .debugging(seed=o.seed, log_level="ERROR")
        )  # fmt: skip
        algorithm = config.build_algo()
        decisions = 0
        with curve.Curve(client, o, logits(algorithm)) as learning:
            while learning.goes_on(decisions):
                result = algorithm.train()
                decisions = int(result["env_runners"][NUM_ENV_STEPS_SAMPLED_LIFETIME])
        algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
