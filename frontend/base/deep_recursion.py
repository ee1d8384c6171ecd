"""Recursion over the program, however deep that is: every few levels it goes on on a stack of its own.

Procedures call procedures, blocks stand in blocks, constants are made of constants. What follows them down is written
as plain recursion, and marked::

    @deep
    def block(self, block: ir.Block) -> None: ...

Python allows a thread some thousand calls, whoever made them. A marked function counts how far down it is, and every
:data:`LEVELS` levels another thread goes on, while this one waits for it: only memory ends that, not a limit of the
interpreter (as rustc's ``ensure_sufficient_stack`` does). There is never more than one at work.

CPython has a second stack, of the local variables, in chunks of 16 KB, and gives a chunk back to the system as soon as
the last call in it has returned: a loop whose calls cross the end of a chunk asks the system for memory each time (in a
report on 10,000 lines 65,000 times, a twelfth of its time). So what goes on here does it in one large chunk.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LEVELS: Final = 25
"""Marked calls within each other on one stack. With two dozen calls between each and the next they would still fit."""

STACK: Final = 1 << 22  # bytes of each of these stacks; what Python itself needs for a thousand calls is less

KEPT: Final = 8
"""Stacks that wait to be used again."""

ROOM: Final = 1 << 16
"""Words that the call around all others says it needs. Its chunk is the next power of two; they share what is left."""


class _Depth(threading.local):
    """Marked calls within each other on a thread's stack: a new thread begins with 0."""

    level = 0


_depth: Final = _Depth()


def deep(function: Callable[P, T]) -> Callable[P, T]:
    """``function``, which may call itself, by whatever way, as often as the program is deep.

    Raises what ``function`` raises; RuntimeError where no thread is to be had.
    """

    @wraps(function)
    def goes_on(*args: P.args, **kwargs: P.kwargs) -> T:
        level = _depth.level
        if level >= LEVELS:
            return _elsewhere(lambda: function(*args, **kwargs))
        _depth.level = level + 1
        try:
            if level == 0:
                return _with_room(lambda: function(*args, **kwargs))
            return function(*args, **kwargs)
        finally:
            _depth.level = level

    return goes_on


def _with_room(work: Callable[[], T]) -> T:
    """The result of ``work``; the calls it makes share a large chunk of memory."""
    return work()


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=ROOM)


def _elsewhere(work: Callable[[], T]) -> T:
    """The result of ``work`` on another stack: one that is free, else a new one."""
    stack = _free.pop() if _free else _Stack()
    found = stack.result(work)
    if len(_free) < KEPT:
        _free.append(stack)
    else:
        stack.end()
    return found


class _Stack:
    """A thread that works when it is told to, and waits to be told again: its memory is at hand already, which a new
    one would ask the system for, page by page."""

    def __init__(self) -> None:
        self._asked, self._answered = threading.Lock(), threading.Lock()
        self._asked.acquire()
        self._answered.acquire()
        self._work: Callable[[], Any] | None = None
        self._found: Any = None
        self._failed: BaseException | None = None
        before = threading.stack_size(STACK)
        try:
            threading.Thread(target=_with_room, args=(self._wait,), daemon=True).start()
        finally:
            threading.stack_size(before)

    def result(self, work: Callable[[], T]) -> T:
        """What ``work`` gives here, while who asks waits. Raises what it raises; then nobody asks again."""
        self._work = work
        self._asked.release()
        self._answered.acquire()
        if self._failed is not None:
            raise self._failed
        found: T = self._found
        self._found = None
        return found

    def end(self) -> None:
        """Nobody will ask again."""
        self._work = None
        self._asked.release()

    def _wait(self) -> None:
        _depth.level = 1
        while self._failed is None:
            self._asked.acquire()
            if self._work is None:
                return
            try:
                self._found = self._work()
            except BaseException as error:
                self._failed = error
            self._work = None
            self._answered.release()


_free: Final[list[_Stack]] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free.clear)  # threads stay with the parent
