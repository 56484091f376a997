"""Gymnasium spaces of a game. It needs gymnasium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, TypedDict

import gymnasium
import numpy as np
import numpy.typing as npt

from .spec import Spec

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    #: What observations are to type checkers, MaskedObservation with observation="dict".
    Obs = TypeVar("Obs", default=npt.NDArray[np.float32])
else:
    from typing import TypeVar

    Obs = TypeVar("Obs")


class MaskedObservation(TypedDict):
    """What a seat sees, with what it may do; in a VectorEnv a row for each of N slots."""

    observation: npt.NDArray[np.float32]  # [D]
    action_mask: npt.NDArray[np.int8]  # [A], 1 legal, 0 not


class Info(TypedDict):
    """What an environment of Gymnasium says beside an observation."""

    action_mask: npt.NDArray[np.int8]  # [A]
    illegal_action: bool  # whether the last action was
    executed_action: int  # which was played, -1 for none


class SlotInfos(TypedDict):
    """What a VectorEnv says beside observations, a row for each of N slots. That an array with
    an underscore is True in a slot means that there is something in the other one."""

    action_mask: npt.NDArray[np.int8]  # [N, A]
    _action_mask: npt.NDArray[np.bool_]  # [N]
    illegal_action: npt.NDArray[np.bool_]  # [N]
    _illegal_action: npt.NDArray[np.bool_]
    executed_action: npt.NDArray[np.int64]  # [N]
    _executed_action: npt.NDArray[np.bool_]


class Infos(SlotInfos, total=False):
    """The same with what is left of episodes that a SAME_STEP step has ended."""

    final_obs: npt.NDArray[np.object_]  # [N], observations or None
    _final_obs: npt.NDArray[np.bool_]
    final_info: Dict[str, npt.NDArray[Any]]
    _final_info: npt.NDArray[np.bool_]


class AgentInfo(TypedDict):
    """What the parallel interface says of an agent."""

    to_act: bool


def box(spec: Spec) -> gymnasium.spaces.Box:
    """Returns the space of observations: float32 [D] within the bounds of the fields."""
    low, high = np.empty(spec.observation_size, np.float32), np.empty(spec.observation_size, np.float32)
    for f in spec.fields:
        low[f.slice], high[f.slice] = f.min, f.max
    return gymnasium.spaces.Box(low, high, dtype=np.float32)


def with_mask(spec: Spec) -> gymnasium.spaces.Dict:
    """Returns the space of observations with their masks: "observation" as box(),
    "action_mask" int8 [A], 1 legal, 0 not."""
    mask = gymnasium.spaces.Box(0, 1, (len(spec.actions),), np.int8)
    return gymnasium.spaces.Dict({"observation": box(spec), "action_mask": mask})


def shown_mask(mask: npt.NDArray[Any], acts: bool) -> npt.NDArray[np.int8]:
    """Returns a mask [A] as Discrete.sample(mask) wants it: as it is for whoever acts, and
    1 throughout for others, of whom no action counts, since a softmax over no action is no
    number."""
    return int8_mask(mask) if acts else np.ones_like(mask, np.int8)


def int8_mask(masks: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """Returns masks as Discrete.sample(mask) wants them, without copying."""
    return masks.view(np.int8)
