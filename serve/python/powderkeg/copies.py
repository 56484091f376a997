"""Copies of environments of other libraries, games in progress included."""

from __future__ import annotations

import copy
from typing import Any, Dict, Optional, Tuple

from .client import Client

#: What copies share, and what does not travel to other processes.
_CLIENT = ("_client", "_given")


def deep(env: Any, memo: Dict[int, Any]) -> Any:
    """Returns a deep copy that shares the client: the game, all random numbers and what was
    seen last are its own."""
    kind: Any = type(env)
    made = memo[id(env)] = kind.__new__(kind)
    made.__dict__.update({name: v if name in _CLIENT else copy.deepcopy(v, memo) for name, v in env.__dict__.items()})
    return made


def reduced(env: Any, given: Optional[Client], arguments: Dict[str, Any], begun: bool) -> Tuple[Any, ...]:
    """Returns what __reduce__ does: how an environment is made anew, and where an episode is under
    way all that it is. A client of its own is found again by its address."""
    if given is not None:
        arguments = {**arguments, "address": given.pickled()}
    if not begun:
        return remake, (type(env), arguments)
    state = {name: v for name, v in env.__dict__.items() if name not in (*_CLIENT, "_arguments")}
    return remake, (type(env), arguments), state


def remake(kind: Any, arguments: Dict[str, Any]) -> Any:
    """Makes an environment anew that was pickled."""
    return kind(**arguments)
