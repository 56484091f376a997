"""Takes a checkpoint into PyTorch, compares its logits with the server's, and writes a
changed one back that the server plays.

    python weights_torch.py [ADDRESS] [--checkpoint FOLDER] [--game leduc] [--out FOLDER]

Without --checkpoint a new, untrained one is written and used. The server must offer
checkpoint agents: one that is started here does, others with --agents ...,checkpoint.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, Tuple

import numpy as np
import torch

import powderkeg
from powderkeg import weights


class Net(torch.nn.Module):
    """The network of a checkpoint. Its parameters have the names of the file."""

    def __init__(self, network: weights.Network) -> None:
        super().__init__()
        self.network = network
        self.torso = torch.nn.ModuleList()
        width = network.inputs
        for h in network.hidden:
            layer = torch.nn.Linear(width, h)
            if network.layer_norm:
                layer.norm = torch.nn.LayerNorm(h)  # eps is 1e-5, as FORMAT.md says
            self.torso.append(layer)
            width = h
        self.policy = torch.nn.Linear(width, network.actions)
        self.value = torch.nn.Linear(width, network.seats)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns logits [n, A] and values [n, P] of observations [n, D]."""
        for layer in self.torso:
            y = layer(x)
            if self.network.layer_norm:
                y = layer.norm(y)
            y = torch.relu(y) if self.network.activation == "relu" else torch.tanh(y)
            x = x + y if self.network.residual and x.shape == y.shape else y
        return self.policy(x), self.value(x)


def from_checkpoint(checkpoint: powderkeg.Checkpoint) -> Net:
    """Returns the network of a checkpoint in PyTorch."""
    net = Net(checkpoint.network)
    net.load_state_dict({name: torch.from_numpy(w.copy()) for name, w in checkpoint.weights.items()})
    return net


def to_checkpoint(net: Net, checkpoint: powderkeg.Checkpoint) -> powderkeg.Checkpoint:
    """Returns the checkpoint with the weights that the network has now."""
    return checkpoint.with_weights({name: w.detach().cpu().numpy() for name, w in net.state_dict().items()})


def difference(client: powderkeg.Client, game: str, path: str, net: Net) -> float:
    """Returns the largest difference between the server's logits and values and
    those of PyTorch, over decisions of random play."""
    agent, rng, worst = client.load_agent(game, f"checkpoint:{path}"), np.random.default_rng(0), 0.0
    with client.make_vec(game, 64) as vec, torch.no_grad():
        step = vec.reset(seed=0)
        for _ in range(20):
            theirs: Any = agent.evaluate(step.observations)
            ours = net(torch.from_numpy(step.observations.copy()))
            worst = max(worst, *(float(np.abs(a - b.numpy()).max()) for a, b in zip(theirs, ours)))
            step = vec.step(powderkeg.random_actions(step.masks, rng))
    agent.close()
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="unix:PATH or tcp:HOST:PORT; a server is started without one")
    parser.add_argument("--checkpoint", help="folder of a checkpoint")
    parser.add_argument("--game", default="leduc", help="of a new one")
    parser.add_argument("--out", help="folder of the changed checkpoint")
    o = parser.parse_args()
    with powderkeg.connect(o.address) as client, tempfile.TemporaryDirectory() as scratch:
        path = o.checkpoint or str(Path(scratch) / "new")
        if not o.checkpoint:
            weights.save(path, weights.new(client.spec(o.game), [64, 64], layer_norm=True, residual=True))
        checkpoint = weights.load(path)
        net = from_checkpoint(checkpoint)
        print(f"{checkpoint.game}: logits and values differ by {difference(client, checkpoint.game, path, net):.2g} at most")
        with torch.no_grad():
            for w in net.parameters():
                w += 0.05 * torch.randn_like(w)
        out = o.out or str(Path(scratch) / "changed")
        weights.save(out, to_checkpoint(net, checkpoint))
        print(f"written back: they differ by {difference(client, checkpoint.game, out, net):.2g} at most")
        if o.out:
            print(f"try it: powderkeg match '{checkpoint.game}' checkpoint:{out} random")


if __name__ == "__main__":
    main()
