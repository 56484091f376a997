#!/usr/bin/env python3
"""The learning step of `powderkeg bench net`, in PyTorch on the processor.

The same work: a network of 512 inputs, two hidden layers of 256 with ReLU, 512
logits and 2 values; batches of 1024 dense observations, half of the actions
legal; the clipped surrogate with masked softmax, value loss and entropy bonus;
backward; a norm clip at 0.5; Adam. It prints rows learned from a second, the
median of five runs with the least and the most, as one line or as JSON.

    python3 experiments/yardsticks/torch_step.py
    powderkeg bench net

Needs PyTorch (Debian: python3-torch).
"""

import argparse
import json
import os
import statistics
import time

import torch
from torch import nn

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


def step(network, optimiser, b):
    """Forward, loss, backward, norm clip, Adam."""
    logits, values = network(b["observations"])
    log_policy = torch.log_softmax(logits.masked_fill(~b["mask"], -1e9), dim=1)
    taken = log_policy.gather(1, b["action"][:, None])[:, 0]
    ratio = torch.exp(taken - b["log_prob"])
    surrogate = torch.min(ratio * b["advantage"], ratio.clamp(0.8, 1.2) * b["advantage"])
    entropy = -(log_policy.exp() * log_policy).sum(dim=1)
    value = 0.5 * (values - b["target"]).square().mean(dim=1)
    loss = -surrogate.mean() + 0.5 * value.mean() - 0.01 * entropy.mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimiser.step()


def measure(rows, seconds):
    """Rows per second over at least the given time."""
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-4, eps=1e-5)
    b = batch(rows)
    for _ in range(3):
        step(network, optimiser, b)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        step(network, optimiser, b)
        steps += 1
    return rows * steps / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=1024, help="rows per step")
    parser.add_argument("--seconds", type=float, default=5, help="time to measure for, over five runs")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads of PyTorch")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    rates = sorted(measure(args.batch, args.seconds / 5) for _ in range(5))
    result = {
        "torch": torch.__version__,
        "threads": args.threads,
        "batch": args.batch,
        "samples_per_second": statistics.median(rates),
        "samples_per_second_min": rates[0],
        "samples_per_second_max": rates[-1],
    }
    if args.json:
        print(json.dumps(result, indent=2))
    else:
        print(
            f"{result['samples_per_second']:.0f} samples/s ({rates[0]:.0f} to {rates[-1]:.0f} in 5 runs) "
            f"on {args.threads} threads, PyTorch {torch.__version__}, batch {args.batch}"
        )


if __name__ == "__main__":
    main()
