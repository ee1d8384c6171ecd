"""Runs the command as strangers might: in a process of its own, with little memory, little time, and no mercy.

The process is forked from one that has imported snapset already, which takes a tenth of the time of a new one. That is
the command server where this one is no start like a user's: most of the memory in use (a thread that cannot begin for
want of it is waited for without end), or threads of HiGHS, which are not there after a fork.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from io import FileIO, TextIOWrapper
from pathlib import Path

from tests.support.command_server import server

MEMORY = 2_000_000_000  # bytes of address space, as `ulimit -v 2000000`
SECONDS = 10  # of the processor
PATIENCE = 120  # seconds by the clock, on a machine that is busy


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended. ``code`` is None where it was ended for its time; negative: the signal that killed it."""

    code: int | None
    seconds: float
    out: str
    err: str

    @property
    def failure(self) -> str:
        """What must not be, in a few words; '' if all is as it must be."""
        if self.code is None:
            return "hang"
        if self.code not in (0, 1, 2):
            return "bug" if self.code == 3 else f"killed by {-self.code}" if self.code < 0 else f"exit code {self.code}"
        if "Traceback (most recent call last)" in self.err + self.out:
            return "traceback"
        if self.code == 2 and len(_said(self.err)) != 1:
            return "not one line"
        if any(ord(one) < 32 and one not in "\n\t" for one in self.err + self.out):
            return "control characters"
        return ""


def run(arguments: Sequence[str | bytes], directory: Path) -> Ended:
    """``snapset arguments`` in ``directory``, which is also where its cache and temporary files are."""
    out, err = directory / ".out", directory / ".err"
    start, crowded = time.monotonic(), "highspy" in sys.modules or _address_space() > MEMORY // 4
    if crowded:
        code = _served(arguments, directory, out, err)
    else:
        child = os.fork()
        if child == 0:
            _become(arguments, directory, out, err)
        code = _waited(child, start)
    return Ended(code, time.monotonic() - start, _text(out), _text(err))


def _address_space() -> int:
    """Bytes that this process has reserved; 0 where the system does not say."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0


def _served(arguments: Sequence[str | bytes], directory: Path, out: Path, err: Path) -> int | None:
    by, environment = server(), {**os.environ, "SNAPSET_CACHE_DIR": str(directory / ".cache"), "TMPDIR": str(directory)}
    with by.lock, out.open("wb") as to_out, err.open("wb") as to_err:
        child = by.start([os.fsdecode(one) for one in arguments], str(directory), environment,
                         (to_out.fileno(), to_err.fileno()), {"RLIMIT_AS": MEMORY, "RLIMIT_CPU": SECONDS})
        return _in_time(by.ended(child, PATIENCE))


def _become(arguments: Sequence[str | bytes], directory: Path, out: Path, err: Path) -> None:
    """What the new process does; it never returns."""
    os.chdir(directory)
    for number, path in ((0, "/dev/null"), (1, out), (2, err)):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(path, flags, 0o600), number)
    sys.stdout = TextIOWrapper(FileIO(1, "w"), "utf-8")  # a test runner's own go elsewhere
    sys.stderr = TextIOWrapper(FileIO(2, "w"), "utf-8", "backslashreplace")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.environ.update(SNAPSET_CACHE_DIR=str(directory / ".cache"), TMPDIR=str(directory))
    code = 111
    try:
        from snapset.cli import main

        code = main.main([os.fsdecode(one) for one in arguments])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _waited(child: int, start: float) -> int | None:
    """The exit code of a process; None if it had to be ended."""
    while time.monotonic() < start + PATIENCE:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return _in_time(os.waitstatus_to_exitcode(status))
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _in_time(code: int | None) -> int | None:
    return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.exists() else ""


def _said(text: str) -> list[str]:
    """The lines of stderr but for signs of life."""
    return [line for line in text.splitlines() if line and not (line.startswith("snapset: ") and line.endswith(" s)"))]
