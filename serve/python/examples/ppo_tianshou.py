"""PPO of Tianshou 2 on powderkeg.gymnasium.Env, with an actor that masks its own logits.

    python ppo_tianshou.py [--game tictactoe] [--opponent "scripted(slips=0.3)"] [--seat 0] [--seconds 120]

Tianshou masks the actions of Q-learners by itself, those of policy gradients not
(https://github.com/thu-ml/tianshou/issues/334). With observation="dict" the mask is part
of the observation, so the actor can; what is stored and learnt from is then masked too.
Each of its environments has an opponent of its own on the server: one that you start wants
`powderkeg serve --agents-per-connection 64`.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import curve
import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import MLP, AbstractDiscreteActor
from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

import powderkeg
from powderkeg.gymnasium import Env


def tensor(x: Any) -> torch.Tensor:
    """Returns a part of an observation as the networks want it."""
    return torch.as_tensor(np.asarray(x), dtype=torch.float32)


class Actor(AbstractDiscreteActor):
    """Logits of the legal actions."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__(actions)
        self.net = MLP(input_dim=inputs, output_dim=actions, hidden_sizes=(128, 128))

    def get_preprocess_net(self) -> Any:
        return torch.nn.Identity()

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Tuple[torch.Tensor, Optional[Any]]:
        return self.net(tensor(obs.observation)).masked_fill(tensor(obs.action_mask) == 0, -1e9), state


class Critic(torch.nn.Module):
    """What the learner will gain."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.net = MLP(input_dim=inputs, output_dim=1, hidden_sizes=(128, 128))

    def forward(self, obs: Any) -> torch.Tensor:
        return self.net(tensor(obs.observation))


def logits(actor: Actor) -> curve.Logits:
    """Returns the policy as it is measured."""
    return lambda obs: torch.no_grad()(actor.net)(torch.from_numpy(obs)).numpy()


def main() -> None:
    o = curve.options(
        __doc__, "tictactoe", opponent=("scripted(slips=0.3)", "agent of the server"), seat=(0, "yours"), envs=(32, "games at once"),
        steps=(2048, "decisions per update"), minibatch=(512, "decisions per gradient"), rate=(1e-3, "learning rate"),
    )  # fmt: skip
    torch.manual_seed(o.seed)
    torch.set_num_threads(1)
    with powderkeg.connect(o.address) as client:

        def make() -> Env:
            return Env(o.game, opponents=o.opponent, seat=o.seat, observation="dict", illegal="raise", client=client)

        envs = DummyVectorEnv([make] * o.envs)
        envs.seed(o.seed)
        spec = client.spec(o.game)
        actor = Actor(spec.observation_size, len(spec.actions))
        policy = DiscreteActorPolicy(actor=actor, action_space=envs.action_space[0], observation_space=envs.observation_space[0])
        ppo: Any = PPO(
            policy=policy, critic=Critic(spec.observation_size), optim=AdamOptimizerFactory(lr=o.rate, eps=1e-5), gamma=1.0,
            gae_lambda=0.95, ent_coef=0.01, vf_coef=0.5, max_grad_norm=0.5, return_scaling=False,
        )  # fmt: skip
        collector = Collector(ppo, envs, VectorReplayBuffer(2 * o.steps, o.envs))
        collector.reset()
        decisions = 0
        with curve.Curve(client, o, logits(actor)) as learning:
            while learning.goes_on(decisions):
                with policy_within_training_step(policy), torch_train_mode(policy):
                    decisions += collector.collect(n_step=o.steps).n_collected_steps
                    ppo.update(buffer=collector.buffer, batch_size=o.minibatch, repeat=4)
                collector.reset_buffer(keep_statistics=True)
        envs.close()


if __name__ == "__main__":
    main()
