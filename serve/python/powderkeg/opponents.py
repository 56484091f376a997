"""Players of the other seats of vectorised environments."""

from __future__ import annotations

from typing import Callable, Union

import numpy as np
import numpy.typing as npt

from .client import Client
from .errors import Error
from .vec import random_actions

#: A policy chooses an action [n] for each of observations [n, D] with masks [n, A].
#: Model is one.
Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.uint8], np.random.Generator], npt.NDArray[np.int32]]


class Served:
    """An agent of the server as a policy. Its play follows from the seed."""

    def __init__(self, client: Client, game: str, agent: str) -> None:
        self._client, self._game, self._name = client, game, agent
        self._agent = client.load_agent(game, agent)
        if not self._agent.batch:
            self._agent.close()
            raise Error(
                f"agent {agent!r} does not play from observations; have random, zoo:NAME, checkpoint:PATH or a function"
            )

    def restart(self, seed: int) -> None:
        """Begins anew with the choices that follow from the seed."""
        self._agent.close()
        self._agent = self._client.load_agent(self._game, self._name, seed=seed)

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.uint8], rng: np.random.Generator
    ) -> npt.NDArray[np.int32]:
        return self._agent.act_batch(observations, masks)


def uniform(
    observations: npt.NDArray[np.float32], masks: npt.NDArray[np.uint8], rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """The policy that draws each legal action with the same probability."""
    return random_actions(masks, rng)


def policy(client: Client, game: str, agent: Union[str, Policy]) -> Policy:
    """Returns the policy that an agent string names, or the one given."""
    if not isinstance(agent, str):
        return agent
    if agent == "random":
        return uniform
    return Served(client, game, agent)
