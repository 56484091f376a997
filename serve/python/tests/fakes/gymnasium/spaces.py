"""Box, Discrete and Dict, as far as the tests need them."""

from __future__ import annotations

from typing import Any, Dict as Map, Optional

import numpy as np


class Space:
    def __init__(self) -> None:
        self.seed(None)

    def seed(self, seed: Optional[int]) -> None:
        self._rng = np.random.default_rng(seed)

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class Box(Space):
    def __init__(self, low: Any, high: Any, shape: Any = None, dtype: Any = np.float32) -> None:
        super().__init__()
        self.shape = tuple(np.shape(low) if shape is None else shape)
        self.dtype = np.dtype(dtype)
        self.low = np.full(self.shape, low, dtype=dtype) if np.ndim(low) == 0 else low.astype(dtype)
        self.high = np.full(self.shape, high, dtype=dtype) if np.ndim(high) == 0 else high.astype(dtype)
        assert (self.low <= self.high).all()

    def contains(self, x: Any) -> bool:
        ok = isinstance(x, np.ndarray) and np.can_cast(x.dtype, self.dtype) and x.shape == self.shape
        return bool(ok and (x >= self.low).all() and (x <= self.high).all())


class Discrete(Space):
    def __init__(self, n: int) -> None:
        super().__init__()
        assert n > 0
        self.n, self.shape, self.dtype = n, (), np.dtype(np.int64)

    def contains(self, x: Any) -> bool:
        return isinstance(x, (int, np.integer)) and 0 <= x < self.n

    def sample(self, mask: Optional[np.ndarray[Any, Any]] = None) -> np.int64:
        if mask is None:
            return np.int64(self._rng.integers(self.n))
        assert isinstance(mask, np.ndarray) and mask.dtype == np.int8 and mask.shape == (self.n,)
        assert ((mask == 0) | (mask == 1)).all()
        return np.int64(self._rng.choice(np.flatnonzero(mask))) if mask.any() else np.int64(0)


class MultiDiscrete(Space):
    def __init__(self, nvec: Any) -> None:
        super().__init__()
        self.nvec = np.asarray(nvec)
        self.shape = self.nvec.shape

    def contains(self, x: Any) -> bool:
        return bool(x.shape == self.shape and ((x >= 0) & (x < self.nvec)).all())

    def sample(self) -> np.ndarray[Any, Any]:
        return self._rng.integers(self.nvec)


class Dict(Space):
    def __init__(self, spaces: Map[str, Space]) -> None:
        super().__init__()
        self.spaces = spaces

    def __getitem__(self, key: str) -> Space:
        return self.spaces[key]

    def contains(self, x: Any) -> bool:
        return isinstance(x, dict) and x.keys() == self.spaces.keys() and all(x[k] in s for k, s in self.spaces.items())
