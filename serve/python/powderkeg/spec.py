"""Facts of a configured game: actions by name, observations by field."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt


class Field(NamedTuple):
    """One named run of numbers in an observation."""

    name: str
    offset: int
    size: int
    shape: Tuple[int, ...]
    min: float
    max: float
    meaning: str
    #: Names of the entries along the last axis, empty where they have none.
    labels: Tuple[str, ...]

    @property
    def slice(self) -> slice:
        """Where the field is in an observation."""
        return slice(self.offset, self.offset + self.size)


def fields_of(layout: Dict[str, Any]) -> Tuple[Field, ...]:
    """Returns the fields of a layout as it is on the wire and in datasets."""
    return tuple(
        Field(f["name"], f["offset"], f["size"], tuple(f["shape"]), f["min"], f["max"], f["meaning"], tuple(f.get("labels") or ()))
        for f in layout["fields"]
    )


class Spec:
    """Facts of a configured game. The attributes are those of PROTOCOL.md."""

    def __init__(self, facts: Dict[str, Any]) -> None:
        self.game: str = facts["game"]
        self.name: str = facts["name"]
        self.title: str = facts["title"]
        self.version: int = facts["version"]
        self.seats: int = facts["seats"]
        self.actions: Tuple[str, ...] = tuple(facts["actions"])
        self.outcomes: Tuple[str, ...] = tuple(facts["outcomes"])
        self.max_decisions: int = facts["max_decisions"]
        self.max_moves: int = facts["max_moves"]
        self.min_return: float = facts["min_return"]
        self.max_return: float = facts["max_return"]
        self.payoff: str = facts["payoff"]
        self.layout_version: int = facts["layout"]["version"]
        self.layout_hash: str = facts["layout_hash"]
        self.vocabulary_hash: str = facts["vocabulary_hash"]
        self.observation_size: int = facts["layout"]["size"]
        self.fields = fields_of(facts["layout"])
        self._fields = {f.name: f for f in self.fields}
        self._actions = {name: i for i, name in enumerate(self.actions)}

    def action(self, name: str) -> int:
        """Returns the number of an action."""
        try:
            return self._actions[name]
        except KeyError:
            raise KeyError(f"{self.game} has no action {name!r}") from None

    def field(self, name: str) -> Field:
        """Returns a field of the observation."""
        try:
            return self._fields[name]
        except KeyError:
            raise KeyError(f"{self.game} has no field {name!r}; fields: {', '.join(self._fields)}") from None

    def view(self, observations: npt.NDArray[np.float32], name: str) -> npt.NDArray[np.float32]:
        """Returns a field of observations [..., D] in the field's shape [..., *shape], without copying."""
        f = self.field(name)
        return observations[..., f.slice].reshape(observations.shape[:-1] + f.shape)

    def decode(self, observation: npt.NDArray[np.float32]) -> Dict[str, npt.NDArray[np.float32]]:
        """Returns every field of observations [..., D] by name."""
        return {f.name: self.view(observation, f.name) for f in self.fields}

    def observation(self, values: npt.NDArray[np.float32]) -> Observation:
        """Wraps an observation [D], or a batch [..., D], so that it is read by field."""
        return Observation(self, values)

    def legal(self, mask: npt.NDArray[np.uint8]) -> List[str]:
        """Returns the names of the legal actions of one mask [A]."""
        return [self.actions[i] for i in np.flatnonzero(mask)]

    def __repr__(self) -> str:
        return f"Spec({self.game!r}, seats={self.seats}, actions={len(self.actions)}, observation_size={self.observation_size})"


class Observation:
    """Observations [..., D] that are read by field name."""

    def __init__(self, spec: Spec, values: npt.NDArray[np.float32]) -> None:
        if values.shape[-1:] != (spec.observation_size,):
            raise ValueError(f"an observation of shape {values.shape}; those of {spec.game} have {spec.observation_size} numbers")
        self.spec = spec
        self.values = values

    def field(self, name: str) -> npt.NDArray[np.float32]:
        """Returns a field in its shape [..., *shape], without copying."""
        return self.spec.view(self.values, name)

    def named(self, name: str) -> Dict[str, float]:
        """Returns a field of one observation by the labels of its entries."""
        f = self.spec.field(name)
        if len(f.labels) != f.size or self.values.ndim != 1:
            raise ValueError(f"field {name} has shape {f.shape} and {len(f.labels)} labels; use field() for it, and for batches")
        return dict(zip(f.labels, self.field(name).ravel().tolist()))

    def __repr__(self) -> str:
        return f"Observation({self.spec.game!r}, shape={self.values.shape})"


class Game(NamedTuple):
    """A game with its default options."""

    name: str
    title: str
    players: int
    #: Name, kind, default, help and, by kind, choices or min and max of each option.
    options: Tuple[Dict[str, Any], ...]
    actions: int
    observation_size: int
    max_decisions: int


def game(facts: Dict[str, Any]) -> Game:
    """Returns a game from its facts on the wire."""
    options: Optional[List[Dict[str, Any]]] = facts["options"]
    return Game(
        facts["name"], facts["title"], facts["players"], tuple(options or ()),
        facts["actions"], facts["observation_size"], facts["max_decisions"],
    )
