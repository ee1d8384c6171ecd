"""Time in tests: never how fast, only how it grows with the input, and that what could run for ever ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

FOR_EVER = 120  # seconds; what is guarded takes a fraction of one
SHORT = 0.05  # seconds below which a clock tells nothing
TRIES = 5


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


def grows_linearly(work: Callable[[int], object], large: int) -> bool:
    """Does four times the input take about four times the processor's time, and not sixteen times?

    Disturbed measurements are repeated: what is quadratic stays so.
    """
    with ends():
        return any(_seconds(work, large) < max(8 * _seconds(work, large // 4), SHORT) for _ in range(TRIES))


def _seconds(work: Callable[[int], object], size: int) -> float:
    start = time.process_time()
    work(size)
    return time.process_time() - start
