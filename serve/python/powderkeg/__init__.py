"""Client of the powderkeg reinforcement-learning environments.

>>> import powderkeg
>>> with powderkeg.connect() as client:
...     env = client.make("kuhn", seed=1)
...     step = env.step("bet")
...     print(env.spec.legal(step.mask), env.text())
"""

from ._version import __version__
from .agent_server import AgentServer
from .client import Client, connect, start
from .dataset import Dataset, Rows
from .dataset_files import DatasetFiles, load_dataset, open_dataset
from .drawing import Drawing
from .env import TERMINAL, Agent, Env, LegalAction, Position, Question, Step
from .errors import ConnectionLost, Error, ServerError, ServerNotFound
from .model import Model
from .spec import Field, Game, Observation, Spec
from .transitions import DatasetError, Transitions
from .vec import VecEnv, VecStep, random_actions
from .weights import Checkpoint, CheckpointError

__all__ = [
    "TERMINAL", "Agent", "AgentServer", "Checkpoint", "CheckpointError", "Client", "ConnectionLost", "Dataset", "DatasetError",
    "DatasetFiles", "Drawing", "Env", "Error", "Field", "Game", "LegalAction", "Model", "Observation", "Position", "Question", "Rows", "ServerError",
    "ServerNotFound", "Spec", "Step", "Transitions", "VecEnv", "VecStep", "connect", "load_dataset", "open_dataset",
    "random_actions", "start", "__version__",
]
