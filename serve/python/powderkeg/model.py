"""A player that computes a checkpoint's network in NumPy."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import weights
from .spec import Spec

Floats = npt.NDArray[np.float32]

#: Added to variances by layer normalisation, as FORMAT.md says.
EPSILON = np.float32(1e-5)


class Model:
    """The network of a checkpoint. Called with observations, masks and a generator
    it is a policy, as the vectorised environments take them.

    ``temperature`` 1 draws actions with the network's probabilities, a smaller one
    sharpens them, and 0 takes the most probable one.
    """

    def __init__(self, checkpoint: weights.Checkpoint, spec: Optional[Spec] = None, *, temperature: float = 1.0) -> None:
        if spec is not None:
            checkpoint.check(spec)
        if checkpoint.network.advice:
            raise weights.CheckpointError(
                "the network is advised by the game's scripted player, which knows more than observations: "
                "play it as an agent of a server"
            )
        if temperature < 0:
            raise ValueError(f"temperature {temperature}; it is 0 or more")
        self.checkpoint = checkpoint
        self.temperature = temperature

    @classmethod
    def load(cls, path: weights.PathLike, spec: Optional[Spec] = None, *, temperature: float = 1.0) -> Model:
        """Reads a checkpoint; with a spec it is checked to be of that game."""
        return cls(weights.load(path), spec, temperature=temperature)

    def forward(self, observations: Floats) -> Tuple[Floats, Floats]:
        """Returns logits [n, A] and values [n, P] of observations [n, D]. Entry k of
        the values is the expected return of seat (actor + k) mod P, in units of the
        game's largest absolute return."""
        net, w = self.checkpoint.network, self.checkpoint.weights
        x = np.asarray(observations, dtype=np.float32)
        for i in range(len(net.hidden)):
            y = x @ w[f"torso.{i}.weight"].T + w[f"torso.{i}.bias"]
            if net.layer_norm:
                y = (y - y.mean(axis=1, keepdims=True)) / np.sqrt(y.var(axis=1, keepdims=True) + EPSILON)
                y = y * w[f"torso.{i}.norm.weight"] + w[f"torso.{i}.norm.bias"]
            y = np.maximum(y, 0) if net.activation == "relu" else np.tanh(y)
            x = x + y if net.residual and x.shape == y.shape else y
        values = x @ w["value.weight"].T + w["value.bias"]
        if net.bins:
            values = values.reshape(len(x), net.seats, net.bins)
            odds = np.exp(values - values.max(axis=2, keepdims=True))
            values = odds @ np.linspace(-1, 1, net.bins, dtype=np.float32) / odds.sum(axis=2)
        return x @ w["policy.weight"].T + w["policy.bias"], values

    def probabilities(self, observations: Floats, masks: npt.NDArray[np.uint8]) -> Floats:
        """Returns the probabilities [n, A] of the actions; those of illegal ones are 0.
        Every mask must have a legal action."""
        logits, _ = self.forward(observations)
        return softmax(logits if self.temperature in (0, 1) else logits / np.float32(self.temperature), masks)

    def __call__(
        self, observations: Floats, masks: npt.NDArray[np.uint8], rng: np.random.Generator
    ) -> npt.NDArray[np.int32]:
        """Returns an action for each of observations [n, D] with masks [n, A]."""
        p = self.probabilities(observations, masks)
        best: npt.NDArray[np.int32] = np.argmax(p, axis=1).astype(np.int32)
        return best if self.temperature == 0 else sample(p, rng)


def softmax(logits: Floats, masks: npt.NDArray[np.uint8]) -> Floats:
    """Returns the softmax of logits [n, A] over the legal actions of masks [n, A]."""
    z = np.where(masks == 1, logits, -np.inf)
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True), dtype=np.float32)


def sample(probabilities: Floats, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Draws an action for each row of probabilities [n, A]."""
    edges = probabilities.cumsum(axis=1, dtype=np.float64)
    # Draws stay below the sum, which rounding leaves off 1. The first edge beyond a
    # draw is never that of an action of probability 0.
    total = edges[:, -1:]
    draws = np.minimum(rng.random((len(edges), 1)) * total, np.nextafter(total, 0))
    chosen: npt.NDArray[np.int32] = np.count_nonzero(edges <= draws, axis=1).astype(np.int32)
    return chosen
