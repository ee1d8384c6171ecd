"""Running the command as a user does: in a process of its own, without a terminal.

The process is a fork of the one that runs the tests, so that what a new interpreter would import (a third of a second
for most commands) is there already; what it was given, its files, environment and end are its own. It is a fork of the
command server where that one cannot be forked. Where the environment is the interpreter's (``PYTHONHASHSEED`` and the
like) it is a new one.
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import sys
import time
import traceback
import types
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NoReturn

from tests.support.command_server import server

SECONDS = 120


def run(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """``run("report", "a.f90", cwd=...)``"""
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    given = [*map(str, arguments)]
    own = {name: value for name, value in environment.items() if name.startswith("PYTHON")}
    fresh = own not in ({}, {"PYTHONIOENCODING": "utf-8"}) or not hasattr(os, "fork")
    started = _new_interpreter if fresh else _served if "highspy" in sys.modules else _forked
    return unhurried(started(given, cwd, {**clean, **environment}))


def unhurried(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    """Without what is said on stderr only because the machine is busy."""
    done.stderr = re.sub(r"^snapset: .* \(\d+ s\)\n", "", done.stderr, flags=re.MULTILINE)
    return done


def _new_interpreter(arguments: list[str], cwd: Path | None,
                     environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "snapset", *arguments], cwd=cwd, env=environment, capture_output=True,
                          text=True, timeout=SECONDS, check=False)


def _forked(arguments: list[str], cwd: Path | None,
            environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    import snapset.cli.main  # before the fork, so that the next one has it  # noqa: F401

    out, err = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(out[1], 1)
        os.dup2(err[1], 2)
        become(arguments, cwd, environment)
    for one in (out, err):
        os.close(one[1])
    with os.fdopen(out[0], "rb") as stdout, os.fdopen(err[0], "rb") as stderr:
        try:
            texts = _read(child, stdout, stderr)
        finally:
            _, status = os.waitpid(child, 0)
    return subprocess.CompletedProcess(["snapset", *arguments], os.waitstatus_to_exitcode(status), *texts)


def _served(arguments: list[str], cwd: Path | None,
            environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    by = server()
    if not by.lock.acquire(blocking=False):  # another thread's command is under way
        return _new_interpreter(arguments, cwd, environment)
    with ExitStack() as ending:
        ending.callback(by.lock.release)
        (out, to_out), (err, to_err) = os.pipe(), os.pipe()
        stdout, stderr = (ending.enter_context(os.fdopen(one, "rb")) for one in (out, err))
        child = by.start(arguments, os.fspath(cwd or os.getcwd()), environment, (to_out, to_err), {})
        os.close(to_out)
        os.close(to_err)
        try:
            texts = _read(child, stdout, stderr)
        finally:
            code = by.ended(child, SECONDS)
    assert code is not None
    return subprocess.CompletedProcess(["snapset", *arguments], code, *texts)


def become(arguments: list[str], cwd: str | Path | None, environment: Mapping[str, str]) -> NoReturn:
    """The child: as the interpreter would have begun."""
    try:
        if cwd is not None:
            os.chdir(cwd)
        os.environ.clear()
        os.environ.update(environment)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w", encoding="utf-8")
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
        sys.argv = ["snapset", *arguments]
        sys.modules["__main__"] = types.ModuleType("__main__")  # what the workers of --jobs would import
        from snapset.cli.main import run as snapset

        snapset()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    os._exit(70)


def _read(child: int, *streams: IO[bytes]) -> list[str]:
    """All that is written, until nobody can write any more."""
    found = dict.fromkeys(streams, b"")
    until = time.monotonic() + SECONDS
    with selectors.DefaultSelector() as waiting:
        for one in streams:
            waiting.register(one, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(max(0, until - time.monotonic()))
            if not ready:
                os.kill(child, 9)
                raise subprocess.TimeoutExpired("snapset", SECONDS)
            for key, _ in ready:
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    waiting.unregister(key.fileobj)
                found[key.fileobj] += piece  # type: ignore[index]
    return [found[one].decode().replace("\r\n", "\n") for one in streams]
