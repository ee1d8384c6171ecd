"""How work grows with the input, in operations, and that what could run for ever ends. Nothing here reads a clock.

What is quadratic inside C is not seen: a text that is copied in each turn of a loop is one operation here, however
long it is.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

FOR_EVER = 120  # seconds; what is guarded takes a fraction of one
SMALLER = 16  # a count needs no large input


@contextmanager
def ends() -> Iterator[None]:
    """What is inside does not run for ever: it is interrupted, and that is a failure."""

    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"still running after {FOR_EVER} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(FOR_EVER)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def operations(work: Callable[[], object]) -> int:
    """The lines of Python that run, and the calls of functions written in C: the same on every machine."""
    count = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.setprofile(call)
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return count


def grows_linearly(work: Callable[[int], object], large: int) -> bool:
    """Does four times the input take at most five times the operations, and not sixteen times?

    Inputs are a sixteenth of ``large`` and a fourth; what is set up once is done before.
    """
    small = large // SMALLER
    work(small)
    return operations(lambda: work(4*small)) <= 5*operations(lambda: work(small))
