"""Rows of the suite for methods of learning, played by Python behind a socket.

    python suite_learners.py numpy [--tasks kuhn,leduc,...] [--runs 5] [--nets nets] [--listen unix:/tmp/learners]

For each task and run it trains a network of its own, by policy_gradient_numpy.py or by
ppo_torch.py, unless there is one from before. Then it answers for them until Ctrl-C, and in
another terminal

    powderkeg suite run 'numpy {task} {run}' --name numpy --tasks reference --socket unix:/tmp/learners

plays the suite with them: `numpy` computes its networks in NumPy, `torch` in PyTorch.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

import powderkeg
from powderkeg.agent_server import Policy

#: The tasks of the reference tier, each called as its game is.
TASKS = ["kuhn", "leduc", "liars_dice", "tictactoe"]

#: How each method is trained.
METHODS: Dict[str, List[str]] = {
    "numpy": ["policy_gradient_numpy.py", "--updates", "300"],
    "torch": ["ppo_torch.py", "--opponents", "scripted,random", "--seconds", "60", "--out", "{folder}.csv"],
}


def train(address: str, method: str, task: str, run: int, folder: Path) -> None:
    """Trains the network of a task and a run, unless it is there."""
    if folder.exists():
        return
    script, *options = METHODS[method]
    print(f"training {method} {task} {run}", flush=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    options = [o.format(folder=folder) for o in options]
    command = [sys.executable, str(Path(__file__).with_name(script)), address, "--game", task, "--seed", str(run), "--save", str(folder), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def torch_policy(checkpoint: powderkeg.Checkpoint) -> Policy:
    """Returns the policy of a checkpoint as PyTorch computes it."""
    import torch
    from weights_torch import from_checkpoint

    net = from_checkpoint(checkpoint)

    def policy(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        with torch.no_grad():
            logits = net(torch.from_numpy(observations))[0].masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
        return powderkeg.model.sample(torch.softmax(logits, dim=1).numpy(), rng)

    return policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("--tasks", default=",".join(TASKS), help="tasks, commas between (%(default)s)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--nets", type=Path, default=Path("nets"), help="folder of the networks")
    parser.add_argument("--listen", default="tcp:127.0.0.1:0", help="address to answer at")
    o = parser.parse_args()
    unknown = [task for task in o.tasks.split(",") if task not in TASKS]
    if unknown:
        parser.error(f"unknown task {unknown[0]!r}; tasks: {', '.join(TASKS)}")
    with powderkeg.start() as client:
        for task in o.tasks.split(","):
            for run in range(o.runs):
                train(client.address, o.method, task, run, o.nets / f"{o.method}-{task}-{run}")

        def make(spec: powderkeg.Spec, name: str) -> Policy:
            method, task, run = name.split()
            model = powderkeg.Model.load(o.nets / f"{method}-{task}-{run}", spec)
            return torch_policy(model.checkpoint) if method == "torch" else model

        with powderkeg.AgentServer(make, o.listen, client=client) as server:
            print(f"powderkeg suite run '{o.method} {{task}} {{run}}' --name {o.method} --tasks {o.tasks} --socket {server.address}", flush=True)
            try:
                server.serve()
            except KeyboardInterrupt:
                pass


if __name__ == "__main__":
    main()
