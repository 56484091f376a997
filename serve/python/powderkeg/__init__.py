"""Client of the powderkeg reinforcement-learning environments.

>>> import powderkeg
>>> with powderkeg.start() as client:
...     env = client.make("kuhn", seed=1)
...     step = env.step("bet")
...     print(env.spec.legal(step.mask), env.text())
"""

from ._version import __version__
from .client import Client, connect, start
from .env import TERMINAL, Agent, Env, LegalAction, Position, Step
from .errors import ConnectionLost, Error, ServerError, ServerNotFound
from .spec import Field, Game, Spec
from .vec import VecEnv, VecStep, random_actions

__all__ = [
    "TERMINAL", "Agent", "Client", "ConnectionLost", "Env", "Error", "Field", "Game", "LegalAction", "Position",
    "ServerError", "ServerNotFound", "Spec", "Step", "VecEnv", "VecStep", "connect", "random_actions", "start",
    "__version__",
]
