"""Wall time and peak memory of a command, its children included."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.02  # seconds between two looks at the memory


@dataclass(frozen=True)
class Run:
    """``seconds`` of wall time; ``bytes``: the highest sum of resident memory of the command and its children, and
    no less than the highest that a single one of them had."""

    seconds: float
    bytes: int
    code: int
    out: str
    errors: str


def run(command: Sequence[str], folder: Path | None = None) -> Run:
    """Run a command to its end, in a session of its own so that all its children can be told.

    None of them is left behind, also where the run is interrupted or ends with children still at work.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors, cwd=folder, start_new_session=True)
        watch = _Watch(process.pid)
        try:
            watch.start()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begun
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            _end(process)
            watch.end()
        out.seek(0)
        errors.seek(0)
        return Run(seconds, max(watch.highest, usage.ru_maxrss * 1024), process.returncode, out.read(), errors.read())


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a process and of its children."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.returncode is None:
        process.wait()


def end_with_children() -> None:
    """Let SIGTERM (of ``timeout``, say) be an interruption, after which nothing is left behind."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


class _Watch(threading.Thread):
    """Looks at the memory of a session's processes until told to end. Sees nothing where there is no /proc."""

    def __init__(self, session: int) -> None:
        super().__init__(daemon=True)
        self.session = session
        self.highest = 0
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(INTERVAL):
            self.highest = max(self.highest, resident(self.session))

    def end(self) -> None:
        self._done.set()
        self.join()


def resident(session: int) -> int:
    """Bytes of resident memory of all processes of a session."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                total += int(fields[21]) * page
        except (OSError, IndexError, ValueError):
            continue
    return total
