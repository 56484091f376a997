"""Client of the powderkeg reinforcement-learning environments.

>>> import powderkeg
>>> with powderkeg.connect() as client:
...     env = client.make("kuhn", seed=1)
...     step = env.step("bet")
...     print(client.spec("kuhn").legal(step.mask), env.text())
"""

from ._version import __version__
from .client import Client, connect
from .env import TERMINAL, Agent, Env, LegalAction, Position, Step
from .errors import ConnectionLost, Error, ServerError, ServerNotFound
from .spec import Field, Game, Spec
from .vec import VecEnv, VecStep, random_actions

__all__ = [
    "TERMINAL", "Agent", "Client", "ConnectionLost", "Env", "Error", "Field", "Game", "LegalAction", "Position",
    "ServerError", "ServerNotFound", "Spec", "Step", "VecEnv", "VecStep", "connect", "random_actions", "__version__",
]
