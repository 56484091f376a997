"""PPO of TorchRL: GymWrapper around powderkeg's vectorised environment, and an actor that
draws from MaskedCategorical.

    python ppo_torchrl.py [--game tictactoe] [--opponent "scripted(slips=0.3)"] [--seat 0] [--seconds 120]

Games that have ended wait until TorchRL resets them ("Disabled"), which it prefers to
SAME_STEP. The masks travel as part of the observation (observation="dict").
"""

from __future__ import annotations

from typing import Any, Tuple

import curve
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import powderkeg
from powderkeg.gymnasium_vector import VectorEnv


class Masked(torch.nn.Module):
    """A network whose logits go on with the mask, as MaskedCategorical wants both."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.net = MLP(inputs, actions, num_cells=[128, 128])

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        return self.net(observation), mask.bool()


def logits(net: Any) -> curve.Logits:
    """Returns the policy as it is measured."""
    return lambda obs: torch.no_grad()(net)(torch.from_numpy(obs)).numpy()


def main() -> None:
    o = curve.options(
        __doc__, "tictactoe", opponent=("scripted(slips=0.3)", "agent of the server"), seat=(0, "yours"), envs=(128, "games at once"),
        steps=(32, "decisions of each game per update"), minibatch=(1024, "decisions per gradient"), rate=(1e-3, "learning rate"),
    )  # fmt: skip
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:
        games = VectorEnv(
            o.game, o.envs, opponents=o.opponent, seat=o.seat, observation="dict", autoreset_mode="Disabled", illegal="raise", client=client
        )  # fmt: skip
        env = GymWrapper(games, categorical_action_encoding=True)
        env.set_seed(o.seed)
        inputs, actions = games.game_spec.observation_size, len(games.game_spec.actions)
        masked = Masked(inputs, actions)
        actor = ProbabilisticActor(
            TensorDictModule(masked, ["observation", "action_mask"], ["logits", "mask"]), in_keys=["logits", "mask"],
            distribution_class=MaskedCategorical, return_log_prob=True,
        )  # fmt: skip
        critic = ValueOperator(MLP(inputs, 1, num_cells=[128, 128]), in_keys=["observation"])
        advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
        loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
        adam = torch.optim.Adam(loss.parameters(), lr=o.rate, eps=1e-5)
        collector = Collector(env, actor, frames_per_batch=o.envs * o.steps, total_frames=-1, auto_register_policy_transforms=True)
        collected, decisions = iter(collector), 0
        with curve.Curve(client, o, logits(masked.net)) as learning:
            while learning.goes_on(decisions):
                batch = next(collected)
                decisions += batch.numel()
                with torch.no_grad():
                    advantages(batch)
                rows = batch.reshape(-1)
                for _ in range(4):
                    for chosen in torch.randperm(len(rows)).split(o.minibatch):
                        parts = loss(rows[chosen])
                        total = parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]
                        adam.zero_grad()
                        total.backward()
                        torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                        adam.step()
        collector.shutdown()


if __name__ == "__main__":
    main()
