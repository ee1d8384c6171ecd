"""Forks of a test session: each runs some of its tests, says what it does through a pipe, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest

CRASHED = 70
SLACK = 2.0  # seconds that any test may take


@dataclass(frozen=True)
class Started:
    """A running child, in a group of its own, and where it is heard."""

    child: int
    reader: int

    def answer(self) -> str:
        """All that it said; after its end, and that of all it has started."""
        self.kill()
        with open(self.reader, closefd=False) as heard:
            return heard.read()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.child, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        with suppress(ChildProcessError):
            os.waitpid(self.child, 0)
        os.close(self.reader)


def forked(work: Callable[[int], int]) -> Started:
    """A child does ``work`` with the pipe it speaks to, and ends with what that gives."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        with suppress(ProcessLookupError, PermissionError):
            os.setpgid(child, child)  # the child does so, too: whoever is first
        return Started(child, reader)
    code = CRASHED  # whatever happens: the parent's stack is not the child's to go back to
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(reader)
        code = work(writer)
    except BaseException:
        os.write(writer, traceback.format_exc().encode())
    finally:
        os._exit(code)


def run_tests(session: pytest.Session, numbers: Sequence[int], took: Mapping[int, float],
              before: Callable[[int], object]) -> Iterator[tuple[int, bool, float]]:
    """Run tests: number, whether it passed, seconds. Where one takes much longer than it ``took`` the process ends."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    for number, following in zip(numbers, [*numbers[1:], None], strict=True):
        before(number)
        failed, start = session.testsfailed, spent()
        item = session.items[number]
        if number in took:
            limit = limit_of(took[number])
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_REAL, 20*limit + 60)  # waits for what will not come
        item.config.hook.pytest_runtest_protocol(
            item=item, nextitem=None if following is None else session.items[following])
        yield number, session.testsfailed == failed, spent() - start


def limit_of(took: float) -> float:
    """Seconds of the processor, for a test that took so many."""
    return 4*took + SLACK


def spent() -> float:
    """Seconds of the processor, children's too."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
