"""A server of one's own, as a child process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import List, Optional

from . import program
from .errors import ServerNotFound

#: How long a server may take to come up, and to finish when told to, in seconds.
START_SECONDS = 30.0
STOP_SECONDS = 10.0

#: What agents it has. Those of checkpoints are among them, since whoever can reach it
#: can read the files too.
AGENTS = "random,scripted,mcts,md,network,zoo,level,checkpoint"

#: The limits are for servers that strangers share. Here all environments of a process come
#: over one connection.
LIMITS = (
    "--agents-per-connection", "16384", "--environments", str(1 << 20), "--all-environments", str(1 << 20), "--memory-bytes", str(1 << 40)
)  # fmt: skip


class Server:
    """A running server. It ends with stop(), or with the interpreter, however that
    ends."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="powderkeg-")
        try:
            self.address = _free_address(folder)
            self._log = os.path.join(folder, "log")
            command = [program.find(), "serve", "--until-eof", "--agents", AGENTS, *LIMITS, "--listen", self.address]
            with open(self._log, "wb") as log:
                # It ends when its input does, so even if this interpreter is killed. In a
                # session of its own it is not reached by a Ctrl-C that is meant for the
                # caller's loop.
                self._process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
                )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        # Runs at exit too, and once.
        self._end = weakref.finalize(self, _end, self._process, folder, os.getpid())
        try:
            self._await(command)
        except BaseException:
            self.stop()
            raise

    def _await(self, command: List[str]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(self.address):
            if self._process.poll() is not None:
                said = Path(self._log).read_text(errors="replace").strip()
                raise ServerNotFound(f"{' '.join(command)} ended with {self._process.returncode}: {said}")
            if time.monotonic() > deadline:
                raise ServerNotFound(f"{' '.join(command)} takes no connections after {START_SECONDS:.0f} s")
            time.sleep(0.01)

    def stop(self) -> None:
        """Ends the server. It may be called twice."""
        self._end()


_shared: Optional[Server] = None
_lock = threading.Lock()


def shared() -> str:
    """Returns the address of the server that the environments of this process
    share: the one that POWDERKEG_ADDRESS names, or one that is started at the
    first call and ends with the process."""
    global _shared
    address = os.environ.get("POWDERKEG_ADDRESS")
    if address:
        return address
    with _lock:
        # A server that has died is replaced; what was open on it is lost anyway.
        if _shared is None or not _answers(_shared.address):
            _shared = Server()
        return _shared.address


def _end(process: subprocess.Popen[bytes], folder: str, owner: int) -> None:
    if os.getpid() != owner:
        return  # a fork; the server belongs to the process that started it
    process.terminate()
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def _free_address(folder: str) -> str:
    path = os.path.join(folder, "socket")
    # 104 bytes is the shortest limit of the systems that have unix sockets.
    if hasattr(socket, "AF_UNIX") and sys.platform != "win32" and len(os.fsencode(path)) < 104:
        return "unix:" + path
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return f"tcp:127.0.0.1:{s.getsockname()[1]}"


def _answers(address: str) -> bool:
    network, _, rest = address.partition(":")
    family = socket.AF_UNIX if network == "unix" else socket.AF_INET
    host, _, port = rest.rpartition(":")
    with socket.socket(family) as s:
        return s.connect_ex(rest if network == "unix" else (host, int(port))) == 0
