"""Datasets as transitions: what the seat to act saw, did, gained, and saw next."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .errors import Error
from .spec import Field

Columns = Dict[str, npt.NDArray[Any]]

#: Arrays of Transitions with a number in each.
_PER_ROW = ("actions", "rewards", "returns", "is_first", "terminated", "truncated", "actors", "episodes", "steps")


class DatasetError(Error):
    """A dataset is damaged, unfinished, or of another format."""


class Transitions:
    """Decisions as the seats that made them lived them, n of them in the order of play.

    A seat's next transition in its episode begins with ``next_observations``; after its
    last one that is what the seat sees at the end of the episode. What other seats and
    chance do in between is part of the step, so that every seat's transitions are those of
    a single-agent environment. D is the size of an observation, A the number of actions.
    """

    actions: npt.NDArray[np.int32]  # [n]
    #: [n], what the actor gains up to its next decision, or the end. (What a seat gains
    #: before its first decision of an episode is nobody's doing, and in no transition.)
    rewards: npt.NDArray[np.float32]
    #: [n], what the actor has at the end of the episode.
    returns: npt.NDArray[np.float32]
    is_first: npt.NDArray[np.bool_]  # [n], the actor's first decision of the episode
    #: [n], the actor decides no more, since the rules have ended the game.
    terminated: npt.NDArray[np.bool_]
    #: [n], the actor decides no more, since the game was cut off.
    truncated: npt.NDArray[np.bool_]
    actors: npt.NDArray[np.int8]  # [n], the seat
    episodes: npt.NDArray[np.int64]  # [n], number of the episode
    steps: npt.NDArray[np.int32]  # [n], number of the decision in the episode, of all seats'
    #: What the files say of themselves: "config" (game, agents, seed), names of "actions".
    info: Dict[str, Any]

    def __init__(
        self, table: npt.NDArray[np.float32], columns: Mapping[str, npt.NDArray[Any]], info: Dict[str, Any], fields: Sequence[Field]
    ) -> None:
        """The table [n + m, D] has the observations of n rows, and behind them the m final ones in the
        order of the rows that they belong to."""
        self.info = info
        self.fields: Dict[str, Field] = {f.name: f for f in fields}
        n, seats = columns["rewards"].shape
        self._table = table  # one index names rows and ends
        self._masks: npt.NDArray[np.bool_] = columns["mask"].astype(np.bool_, copy=False)
        self._rows = np.arange(n)
        self.actions, self.actors = columns["action"], columns["actor"]
        self.episodes, self.steps = columns["episode"], columns["step"]
        seat = self.actors.astype(np.intp)
        self.returns = columns["returns"][self._rows, seat]
        # Rows of a seat in an episode, one after another.
        order = np.lexsort((self._rows, seat, self.episodes))
        same = np.zeros(n, np.bool_)
        same[1:] = (self.episodes[order][1:] == self.episodes[order][:-1]) & (seat[order][1:] == seat[order][:-1])
        self.is_first = np.empty(n, np.bool_)
        self.is_first[order] = ~same
        following = np.full(n, -1)
        following[order[:-1]] = np.where(same[1:], order[1:], -1)
        last = following < 0
        if np.count_nonzero(last) != len(table) - n:
            raise DatasetError(f"{np.count_nonzero(last)} last rows of seats and {len(table) - n} final observations")
        self._next = following
        self._next[last] = n + np.arange(np.count_nonzero(last))
        ends = np.append(np.flatnonzero(np.diff(self.episodes)), n - 1)  # rows of an episode are together
        end = np.repeat(ends, np.diff(ends, prepend=-1))
        until = np.where(last, end, following - 1)
        gained = np.concatenate([np.zeros((1, seats)), np.cumsum(columns["rewards"], axis=0, dtype=np.float64)])
        self.rewards = (gained[until + 1, seat] - gained[self._rows, seat]).astype(np.float32)
        self.terminated = last & columns["terminated"][end]
        self.truncated = last & columns["truncated"][end]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """[n, D], of the actor, before its action."""
        rows: npt.NDArray[np.float32] = self._table[self._rows]
        return rows

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """[n, A], the legal actions."""
        rows: npt.NDArray[np.bool_] = self._masks[self._rows]
        return rows

    @property
    def next_observations(self) -> npt.NDArray[np.float32]:
        """[n, D], of the same seat at its next decision, or at the end."""
        rows: npt.NDArray[np.float32] = self._table[self._next]
        return rows

    @property
    def next_masks(self) -> npt.NDArray[np.bool_]:
        """[n, A], the legal actions at the seat's next decision; none at the end."""
        return self._masks_of(self._next)

    def _masks_of(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        masks: npt.NDArray[np.bool_] = self._masks[np.minimum(rows, len(self._masks) - 1)]
        masks[rows >= len(self._masks)] = False
        return masks

    def field(self, name: str) -> npt.NDArray[np.float32]:
        """Returns a field of the observations [n, *shape]."""
        if name not in self.fields:
            raise KeyError(f"{self.info['config']['game']} has no field {name!r}; fields: {', '.join(self.fields)}")
        f = self.fields[name]
        return self._table[self._rows, f.slice].reshape(-1, *f.shape)

    def select(self, which: npt.NDArray[Any]) -> Transitions:
        """Returns some of the transitions, by numbers or by a mask [n]; observations are
        shared. ``data.select(data.actors == 0)`` are those of seat 0."""
        part = object.__new__(Transitions)
        part.info, part.fields, part._table, part._masks = self.info, self.fields, self._table, self._masks
        for name in ("_rows", "_next", *_PER_ROW):
            setattr(part, name, getattr(self, name)[which])
        return part

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[Transitions]:
        """Yields all transitions once, in batches of a size and random order."""
        order = rng.permutation(len(self))
        for start in range(0, len(order), size):
            yield self.select(order[start : start + size])

    def _scalars(self) -> Dict[str, npt.NDArray[Any]]:
        return {
            "episode": self.episodes, "step": self.steps, "actor": self.actors, "action": self.actions, "reward": self.rewards,
            "return": self.returns, "is_first": self.is_first, "terminated": self.terminated, "truncated": self.truncated,
        }  # fmt: skip

    def _arrays(self) -> Dict[str, npt.NDArray[Any]]:
        return {
            "observation": self.observations, "mask": self.masks,
            "next_observation": self.next_observations, "next_mask": self.next_masks,
        }  # fmt: skip

    def pandas(self) -> Any:
        """Returns a pandas.DataFrame with a row per transition; observations and masks are
        arrays in it, actions have their names."""
        import pandas

        frame = pandas.DataFrame(self._scalars())
        frame["action"] = pandas.Categorical.from_codes(self.actions, categories=self.info["actions"])
        for name, values in self._arrays().items():
            frame[name] = list(values)
        return frame

    def polars(self) -> Any:
        """Returns a polars.DataFrame with a row per transition; observations and masks are
        Arrays in it, actions have their names."""
        import polars

        names = polars.Series("action", self.info["actions"], dtype=polars.String)
        columns = [polars.Series(name, values) for name, values in (self._scalars() | self._arrays()).items()]
        return polars.DataFrame(columns).with_columns(action=names.gather(self.actions))

    def torch(self) -> Any:
        """Returns a torch.utils.data.Dataset of maps from names to tensors, for a
        DataLoader: observation, mask, action, reward, next_observation, next_mask,
        terminated, truncated, and return."""
        from torch.utils.data import default_collate

        return _TorchDataset(self, default_collate)

    def __repr__(self) -> str:
        config = self.info["config"]
        games = len(np.unique(self.episodes))
        return f"Transitions({len(self)} of {games} games of {config['game']} by {', '.join(config['agents'])})"


def join(parts: Sequence[Transitions]) -> Transitions:
    """Returns transitions one after another, with observations and masks of their own."""
    whole = object.__new__(Transitions)
    n = sum(map(len, parts))
    whole.info, whole.fields = parts[0].info, parts[0].fields
    whole._table = np.concatenate([p.observations for p in parts] + [p.next_observations for p in parts])
    whole._masks = np.concatenate([p.masks for p in parts] + [p.next_masks for p in parts])
    whole._rows, whole._next = np.arange(n), np.arange(n, 2 * n)
    for name in _PER_ROW:
        setattr(whole, name, np.concatenate([getattr(p, name) for p in parts]))
    return whole


class _TorchDataset:
    """A dataset in the sense of torch.utils.data, by its protocol alone."""

    def __init__(self, data: Transitions, collate: Any) -> None:
        self._data = data
        self._collate = collate

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, i: int) -> Dict[str, Any]:
        return self.__getitems__([i])[0]

    def __getitems__(self, rows: List[int]) -> List[Dict[str, Any]]:
        import torch

        part = self._data.select(np.asarray(rows))
        columns = {name: torch.from_numpy(values) for name, values in part._arrays().items()}
        for name in ("action", "reward", "return", "terminated", "truncated"):
            columns[name] = torch.from_numpy(part._scalars()[name])
        columns["action"] = columns["action"].long()
        return [{name: values[i] for name, values in columns.items()} for i in range(len(rows))]
