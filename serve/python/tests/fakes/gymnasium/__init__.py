"""A stand-in for gymnasium where that is not installed: as much of its documented
interface as the adapters use. Tests only."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any, Dict, Generic, Optional, TypeVar

import numpy as np

from . import spaces as spaces

_O = TypeVar("_O")
_A = TypeVar("_A")


class Env(Generic[_O, _A]):
    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None
    spec: Any = None
    _np_random: Optional[np.random.Generator] = None

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Any:
        if seed is not None:
            self._np_random = np.random.Generator(np.random.PCG64(seed))

    @property
    def np_random(self) -> np.random.Generator:
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @property
    def unwrapped(self) -> Env[_O, _A]:
        return self

    def close(self) -> None:
        pass


registry: Dict[str, Any] = {}


def register(id: str, entry_point: str, vector_entry_point: str, kwargs: Dict[str, Any]) -> None:
    registry[id] = SimpleNamespace(id=id, entry_point=entry_point, vector_entry_point=vector_entry_point, kwargs=kwargs)


def _load(name: str, kwargs: Dict[str, Any]) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)(**kwargs)


def make(id: str, **kwargs: Any) -> Any:
    spec = registry[id]
    env = _load(spec.entry_point, {**spec.kwargs, **kwargs})
    env.spec = SimpleNamespace(**vars(spec), make=lambda **more: make(id, **{**kwargs, **more}))
    return env


def make_vec(id: str, num_envs: int = 1, **kwargs: Any) -> Any:
    spec = registry[id]
    return _load(spec.vector_entry_point, {"num_envs": num_envs, **spec.kwargs, **kwargs})
