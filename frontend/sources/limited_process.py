"""Another program, run on text that a stranger may have written: under limits of memory, time and output."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO

from snapset.frontend.base.frozen_records import frozen

MEMORY = 2**30
"""Bytes of address space that the program may take."""
PROCESSOR = 5
"""Seconds of processor time."""
WALL = 60
"""Seconds by the clock, on a machine that does much else; or where the program waits for ever."""
OUTPUT = 16 * 2**20
"""Bytes that it may write."""

_BLOCK = 512
_SHELL = "/bin/sh"
_LIMITS = f"ulimit -v {MEMORY // 1024}; ulimit -t {PROCESSOR}; ulimit -f {OUTPUT // _BLOCK}; ulimit -c 0"
_SCRIPT = f'{{ {_LIMITS}; }} 2>/dev/null; exec "$0" "$@"'
# What would make a compiler read or write files that nobody asked for.
_UNSET = frozenset({"CPATH", "C_INCLUDE_PATH", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COLORS",
                    "GCC_COMPARE_DEBUG", "PYTHONPATH", "PYTHONSTARTUP"})  # fmt: skip


@frozen
class ProcessResult:
    """What came of it. ``exceeded``: the limit that was too small, in words, or None."""

    code: int
    out: bytes
    err: bytes
    exceeded: str | None = None


def run(command: Sequence[str], text: bytes, directory: str | None = None) -> ProcessResult:
    """Run a command on ``text`` as its standard input. Raises OSError where it cannot be run.

    The shell sets the limits in the new process, which every process that it starts has too; no part of the command
    is read by the shell.
    """
    limited = [_SHELL, "-c", _SCRIPT, *command] if os.path.exists(_SHELL) else list(command)
    kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(text)
        given.seek(0)
        process = subprocess.Popen(limited, stdin=given, stdout=out, stderr=err, cwd=directory,
                                   env={**kept, "LC_ALL": "C"}, start_new_session=True)  # fmt: skip
        try:
            code = process.wait(WALL)
        except subprocess.TimeoutExpired:
            return ProcessResult(-1, b"", b"", f"{WALL} s")
        finally:
            _end(process)
        done = ProcessResult(code, _read(out), _read(err))
    return ProcessResult(done.code, done.out, done.err, _exceeded(done))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Nothing of it stays behind: also not what it has started, which is in its session."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (AttributeError, OSError):
            process.kill()
        process.wait()


def _read(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read(OUTPUT + 1)


def _exceeded(done: ProcessResult) -> str | None:
    if len(done.out) >= OUTPUT or len(done.err) >= OUTPUT:
        return f"{OUTPUT // 2**20} MB of text"
    if done.code == 0:
        return None
    if b"out of memory" in done.err or b"annot allocate memory" in done.err or b"MemoryError" in done.err:
        return f"{MEMORY // 2**20} MB of memory"
    killed = {-signal.SIGKILL, -signal.SIGXCPU}
    if done.code in killed or b"signal terminated program" in done.err or b"CPU time limit" in done.err:
        return f"{PROCESSOR} s of processor time"
    return None
