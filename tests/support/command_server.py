"""A process that forks itself for each command: for tests in a process that cannot be forked.

That is one that has imported HiGHS, whose threads would be missing, as most have that run tests for a while. A new
interpreter takes a third of a second of the processor until it has imported what a command needs; here it is there.
"""

from __future__ import annotations

import array
import atexit
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

from tests.support.paths import ROOT

WARM = "corpus/burgers_region.f90", "--head", "burgers(u)>(cost)", "--no-cache"


class Server:
    """Of the process of this id; another one, forked from it, gets its own."""

    def __init__(self) -> None:
        here, there = socket.socketpair()
        self.asked = here
        self.lock = Lock()
        with there:
            self.process = subprocess.Popen([sys.executable, "-m", "tests.support.command_server", str(there.fileno())],
                                            cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[there.fileno()],
                                            start_new_session=True)
        atexit.register(self.close)

    def close(self) -> None:
        self.asked.close()
        self.process.wait()

    def start(self, arguments: Sequence[str], cwd: str, environment: Mapping[str, str], outputs: tuple[int, int],
              limits: Mapping[str, int]) -> int:
        """The command's process, which writes to ``outputs``. To be followed by :meth:`ended`, one at a time."""
        given = {"arguments": [*arguments], "cwd": cwd, "environment": dict(environment), "limits": dict(limits)}
        self.asked.sendmsg([json.dumps(given).encode() + b"\n"],
                           [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", outputs))])
        return int(self._line())

    def ended(self, process: int, seconds: float) -> int | None:
        """Its exit code, negative for a signal; None where it did not end in time, and was ended."""
        until = time.monotonic() + seconds
        in_time = bool(select.select([self.asked], [], [], max(0, until - time.monotonic()))[0])
        if not in_time:
            os.kill(process, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(int(self._line()))
        return code if in_time else None

    def _line(self) -> bytes:
        found = b""
        while not found.endswith(b"\n"):
            more = self.asked.recv(1)
            if not more:
                raise EOFError("the process that starts commands has ended")
            found += more
        return found


@cache
def _server_of(process: int) -> Server:
    return Server()


def server() -> Server:
    return _server_of(os.getpid())


def serve(asked: socket.socket) -> None:
    """Until nobody is there any more who asks."""
    from snapset.cli.main import main

    from tests.support.command import become

    silent = os.open(os.devnull, os.O_WRONLY)
    said = os.dup(1)
    os.dup2(silent, 1)
    for command in ("report", "replay"):
        main([command, *WARM])
    sys.stdout.flush()
    os.dup2(said, 1)
    import networkx  # noqa: F401  # of ``dag``

    assert "highspy" not in sys.modules
    while (found := _request(asked)) is not None:
        given, outputs = found
        child = os.fork()
        if child == 0:
            asked.close()
            for target, output in enumerate(outputs, 1):
                os.dup2(output, target)
            for name, limit in given["limits"].items():
                resource.setrlimit(getattr(resource, name), (limit, limit))
            become(given["arguments"], given["cwd"], given["environment"])
        for output in outputs:
            os.close(output)
        asked.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        asked.sendall(f"{status}\n".encode())


def _request(asked: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    text, outputs, _, _ = socket.recv_fds(asked, 1 << 16, 2)
    while text and not text.endswith(b"\n"):
        text += asked.recv(1 << 16)
    return (json.loads(text), outputs) if text else None


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as _asked:
        serve(_asked)
