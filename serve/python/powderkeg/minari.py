"""Datasets of one seat for Minari.

    from powderkeg.minari import create_dataset
    create_dataset(powderkeg.load_dataset("games"), "powderkeg/jogu-scripted-v0", seat=0)

It needs minari, gymnasium and pyarrow: pip install powderkeg[minari].
"""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from .errors import extra

with extra("minari"):
    import gymnasium
    import minari
    from minari.data_collector import EpisodeBuffer

from .games import gymnasium_id
from .gymnasium import Env
from .transitions import Transitions


def create_dataset(data: Transitions, dataset_id: str, seat: int, **facts: Any) -> Any:
    """Writes the transitions of a seat as a Minari dataset, such as
    "powderkeg/jogu-scripted-v0", and returns it. It can bring the environment back: the
    game with the other seats' agents. ``facts`` are those of
    minari.create_dataset_from_buffers (author, algorithm_name)."""
    config = data.info["config"]
    agents = config["agents"]
    if not 0 <= seat < len(agents):
        raise ValueError(f"seat is {seat}, it must be from 0 to {len(agents) - 1}")
    name, _, options = config["game"].partition("(")
    others = [None if p == seat else agent for p, agent in enumerate(agents)]
    own = data.select(data.actors == seat)
    if not len(own):
        raise ValueError(f"seat {seat} decides nothing in this dataset")
    starts = np.flatnonzero(own.is_first)
    buffers = [_episode(own.select(np.arange(a, b))) for a, b in zip(starts, [*starts[1:], len(own)])]
    env = gymnasium.make(
        gymnasium_id(name), disable_env_checker=True, seat=seat, opponents=others, observation="dict",
        max_decisions=config.get("max_decisions", 0), position=config.get("start"), **_options(options),
    )  # fmt: skip
    assert isinstance(env.unwrapped, Env)
    with env:
        facts = {"algorithm_name": agents[seat], "description": f"{data!r}, seat {seat}", "data_format": "arrow", **facts}
        return minari.create_dataset_from_buffers(dataset_id, buffers, env=env, **facts)


def _options(text: str) -> Dict[str, Any]:
    """Returns the options behind a game's name: "first=wu)" is {"first": "wu"}."""
    words = text.rstrip(")").split(",") if text else []
    return dict((part.partition("=")[0], part.partition("=")[2]) for part in words)


def _episode(rows: Transitions) -> EpisodeBuffer:
    observations = np.concatenate([rows.observations, rows.next_observations[-1:]])
    # An environment shows 1 throughout where no action counts.
    masks = np.concatenate([rows.masks, np.ones((1, rows.masks.shape[1]), np.bool_)]).astype(np.int8)
    return EpisodeBuffer(
        id=None,
        observations={"observation": observations, "action_mask": masks},
        actions=rows.actions.astype(np.int64),
        rewards=rows.rewards,
        terminations=rows.terminated,
        truncations=rows.truncated,
        infos={},
    )
