"""Recursion over the program, however deep that is: every few levels it goes on on a stack of its own.

Procedures call procedures, blocks stand in blocks, constants are made of constants. What follows them down is written
as plain recursion, and marked::

    @deep
    def block(self, block: ir.Block) -> None: ...

Python allows a thread some thousand calls, whoever made them. A marked function counts how far down it is, and every
:data:`LEVELS` levels another thread goes on, while this one waits for it: only memory ends that, not a limit of the
interpreter (as rustc's ``ensure_sufficient_stack`` does). There is never more than one at work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LEVELS: Final = 25
"""Marked calls within each other on one stack. With two dozen calls between each and the next they would still fit."""

STACK: Final = 1 << 22  # bytes of each of these stacks; what Python itself needs for a thousand calls is less

_level: Final = ContextVar("level", default=0)  # a new thread begins with 0


def deep(function: Callable[P, T]) -> Callable[P, T]:
    """``function``, which may call itself, by whatever way, as often as the program is deep.

    Raises what ``function`` raises; RuntimeError where no thread is to be had.
    """

    @wraps(function)
    def goes_on(*args: P.args, **kwargs: P.kwargs) -> T:
        level = _level.get()
        if level >= LEVELS:
            return _elsewhere(lambda: function(*args, **kwargs))
        token = _level.set(level + 1)
        try:
            return function(*args, **kwargs)
        finally:
            _level.reset(token)

    return goes_on


def _elsewhere(work: Callable[[], T]) -> T:
    """The result of ``work`` on another stack."""
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    before = threading.stack_size(STACK)
    try:
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if failed:
        raise failed[0]
    return found[0]
