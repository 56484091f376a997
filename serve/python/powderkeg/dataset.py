"""Datasets: episodes that agents of the server play among themselves, as columns."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import wire
from .spec import Spec
from .transitions import Transitions


class Ragged(NamedTuple):
    """A list of numbers in each row."""

    values: npt.NDArray[Any]
    #: [n+1]; row i has values from offsets[i] up to offsets[i+1].
    offsets: npt.NDArray[np.int32]

    def row(self, i: int) -> npt.NDArray[Any]:
        """Returns the numbers of row i."""
        return self.values[self.offsets[i] : self.offsets[i + 1]]


class Rows(NamedTuple):
    """Decisions in the order in which they were played, one per row. The arrays are
    yours to keep and to write.

    n is the number of rows, D the size of an observation, A the number of actions,
    P that of seats.
    """

    observations: npt.NDArray[np.float32]  # [n, D], of the actor, before its action
    masks: npt.NDArray[np.uint8]  # [n, A], its legal actions
    actions: npt.NDArray[np.int32]  # [n], what it did
    rewards: npt.NDArray[np.float32]  # [n, P], gained up to the next row or the end
    returns: npt.NDArray[np.float32]  # [n, P], those of the whole episode
    actors: npt.NDArray[np.int8]  # [n], seat that decides
    episodes: npt.NDArray[np.int64]  # [n], number of the episode, from 0
    steps: npt.NDArray[np.int32]  # [n], number of the decision in it, from 0
    terminated: npt.NDArray[np.bool_]  # [n], in the last row of an episode
    truncated: npt.NDArray[np.bool_]  # [n], in the last row of an episode
    seeds: npt.NDArray[np.uint64]  # [n], of the episode: reset with it plays it again
    #: Outcomes of chance before the first row of an episode, by their numbers in
    #: Spec.outcomes.
    opening: Ragged
    #: Outcomes of chance behind the row's action.
    chance: Ragged
    #: What the actor sees at the end of the episode [D], in its last row of the episode;
    #: empty in other rows.
    finals: Ragged
    #: [n, A], logarithms of the probabilities by which the actor drew, -inf for illegal
    #: actions, NaN in rows of agents that are not learned. [0, A] unless asked for.
    logits: npt.NDArray[np.float32]
    has_logits: npt.NDArray[np.bool_]  # [n]; [0] unless asked for
    #: The situation in words, as the actor sees it; empty unless asked for.
    text: List[str]


class Dataset:
    """Rows to come. Made by Client.dataset; iterate over it, once."""

    def __init__(self, client: wire.Caller, spec: Spec, made: Dict[str, Any], agents: Sequence[str], rows: int) -> None:
        self._client = client
        self._agents = [agents[0]] * spec.seats if len(agents) == 1 else list(agents)
        self._rows = rows
        self.spec = spec
        self.handle: int = made["dataset"]
        #: The seed given, or the one that the server has drawn.
        self.seed: int = made["seed"]

    def __iter__(self) -> Iterator[Rows]:
        """Yields batches of rows up to the last. An episode may go on in the next."""
        while self.handle:
            result = self._client.call("dataset.next", {"dataset": self.handle, "rows": self._rows})
            if result["done"]:
                self.close()
                return
            yield self._unpack(result)

    def _unpack(self, result: Dict[str, Any]) -> Rows:
        n, d, a, p = result["rows"], self.spec.observation_size, len(self.spec.actions), self.spec.seats

        def ragged(name: str, kind: str = "<i4") -> Ragged:
            part = result[name]
            return Ragged(wire.unpack(part["values"], kind), wire.unpack(part["offsets"], "<i4"))

        return Rows(
            wire.unpack(result["observations"], "<f4", n, d),
            wire.unpack(result["masks"], "u1", n, a),
            wire.unpack(result["actions"], "<i4", n),
            wire.unpack(result["rewards"], "<f4", n, p),
            wire.unpack(result["returns"], "<f4", n, p),
            wire.unpack(result["actors"], "i1", n),
            wire.unpack(result["episodes"], "<i8", n),
            wire.unpack(result["steps"], "<i4", n),
            wire.unpack(result["terminated"], "?", n),
            wire.unpack(result["truncated"], "?", n),
            wire.unpack(result["seeds"], "<u8", n),
            ragged("opening"),
            ragged("chance"),
            ragged("finals", "<f4"),
            wire.unpack(result["logits"], "<f4", -1, a),
            wire.unpack(result["has_logits"], "?"),
            result["text"],
        )

    def transitions(self) -> Transitions:
        """Reads all rows, and returns them as load_dataset returns those of files."""
        parts = list(self)
        columns = {
            "episode": "episodes", "step": "steps", "actor": "actors", "mask": "masks", "action": "actions",
            "rewards": "rewards", "returns": "returns", "terminated": "terminated", "truncated": "truncated",
        }  # fmt: skip
        whole = {name: np.concatenate([getattr(p, field) for p in parts]) for name, field in columns.items()}
        finals = [p.finals.values.reshape(-1, self.spec.observation_size) for p in parts]
        table = np.concatenate([p.observations for p in parts] + finals)
        info = {"config": {"game": self.spec.game, "agents": self._agents, "seed": self.seed}, "actions": list(self.spec.actions)}
        return Transitions(table, whole, info, self.spec.fields)

    def close(self) -> None:
        """Gives up the rows to come. It may be called twice."""
        if self.handle:
            wire.give_up(self._client, "dataset.close", {"dataset": self.handle})
            self.handle = 0

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
