"""Exceptions of the client. All derive from Error."""

from __future__ import annotations

import contextlib
from typing import Iterator, Tuple, Type


class Error(Exception):
    """Base of all exceptions of this package."""


class ConnectionLost(Error):
    """The connection is closed or broken; connect again."""


def forked(after: str) -> ConnectionLost:
    """Returns the error of calls in the child of a fork."""
    return ConnectionLost(
        f"this process was forked after {after}, and its environments are the parent's; make new ones in the child "
        "(powderkeg.start() or connect(address); environments of gymnasium and pettingzoo do so by themselves), or start it by spawn"
    )


class ServerNotFound(Error):
    """No server was given, and none could be started."""


class ServerError(Error):
    """The server answered with an error.

    ``code`` is one of the stable codes of PROTOCOL.md, such as ``"illegal"``;
    ``message`` says what was wrong and what would be right.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message

    def __reduce__(self) -> Tuple[Type[ServerError], Tuple[str, str]]:
        # The default would call ServerError with the text alone, in whoever unpickles it.
        return type(self), (self.code, self.message)


@contextlib.contextmanager
def extra(name: str) -> Iterator[None]:
    """Says of a package that cannot be imported for want of it which extra brings it."""
    try:
        yield
    except ModuleNotFoundError as e:
        raise ModuleNotFoundError(f"this needs {e.name}: pip install 'powderkeg[{name}]'", name=e.name) from e
