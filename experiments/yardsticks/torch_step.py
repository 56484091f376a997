#!/usr/bin/env python3
"""The learning step of `powderkeg bench net`, in PyTorch on the processor.

The same work: a network of 512 inputs, two hidden layers of 256 with ReLU, 512 logits and 2 values;
batches of 1,024 dense observations, half of the actions legal; the clipped surrogate with masked
softmax, value loss and entropy bonus; backward; a norm clip at 0.5; Adam. With --compile the loss and
its gradient go through torch.compile, and Adam is the fused one.

    powderkeg bench net --beside 'python3 experiments/yardsticks/torch_step.py'
"""

import argparse
import os

import torch
from torch import nn

from contender import contend

INPUTS, HIDDEN, ACTIONS, SEATS = 512, (256, 256), 512, 2


class Network(nn.Module):
    """Policy and values on one torso."""

    def __init__(self):
        super().__init__()
        layers, width = [], INPUTS
        for hidden in HIDDEN:
            layers += [nn.Linear(width, hidden), nn.ReLU()]
            width = hidden
        self.torso = nn.Sequential(*layers)
        self.policy = nn.Linear(width, ACTIONS)
        self.value = nn.Linear(width, SEATS)

    def forward(self, observations):
        x = self.torso(observations)
        return self.policy(x), self.value(x)


def batch(rows):
    """Random numbers in the shapes of a rollout."""
    mask = torch.rand(rows, ACTIONS) < 0.5
    action = torch.randint(ACTIONS, (rows,))
    mask[torch.arange(rows), action] = True
    return {
        "observations": torch.randn(rows, INPUTS),
        "mask": mask,
        "action": action,
        "log_prob": torch.full((rows,), -5.0),
        "advantage": torch.randn(rows),
        "target": torch.zeros(rows, SEATS),
    }


def loss(network, b):
    """The loss of PPO."""
    logits, values = network(b["observations"])
    log_policy = torch.log_softmax(logits.masked_fill(~b["mask"], -1e9), dim=1)
    taken = log_policy.gather(1, b["action"][:, None])[:, 0]
    ratio = torch.exp(taken - b["log_prob"])
    surrogate = torch.min(ratio * b["advantage"], ratio.clamp(0.8, 1.2) * b["advantage"])
    entropy = -(log_policy.exp() * log_policy).sum(dim=1)
    value = 0.5 * (values - b["target"]).square().mean(dim=1)
    return -surrogate.mean() + 0.5 * value.mean() - 0.01 * entropy.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=1024, help="rows per step")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads of PyTorch")
    parser.add_argument("--compile", action="store_true", help="through torch.compile")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    network, rows = Network(), batch(args.batch)
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-4, eps=1e-5, fused=args.compile)
    lossy = torch.compile(loss) if args.compile else loss

    def step():
        optimiser.zero_grad()
        lossy(network, rows).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimiser.step()
        return args.batch

    contend(f"PyTorch {torch.__version__.split('+')[0]} {'compiled' if args.compile else 'eager'}", step)


if __name__ == "__main__":
    main()
