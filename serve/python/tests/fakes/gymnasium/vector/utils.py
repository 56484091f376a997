"""batch_space for the spaces of the tests."""

from __future__ import annotations

import numpy as np

from ..spaces import Box, Discrete, MultiDiscrete, Space


def batch_space(space: Space, n: int) -> Space:
    if isinstance(space, Discrete):
        return MultiDiscrete(np.full(n, space.n))
    assert isinstance(space, Box)
    return Box(np.stack([space.low] * n), np.stack([space.high] * n), dtype=space.dtype)
