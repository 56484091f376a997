"""VectorEnv and its autoreset modes."""

from __future__ import annotations

import enum
from typing import Any, Generic, TypeVar

from .. import Env

_O = TypeVar("_O")
_A = TypeVar("_A")
_R = TypeVar("_R")


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class VectorEnv(Env[Any, Any], Generic[_O, _A, _R]):
    num_envs: int
    closed = False

    def close(self, **kwargs: Any) -> None:
        if not self.closed:
            self.close_extras(**kwargs)
            self.closed = True

    def close_extras(self, **kwargs: Any) -> None:
        pass
