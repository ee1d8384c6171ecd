"""A callee in split mode entered again by its backward sweep: are its arguments the same memory as before?"""

from __future__ import annotations

from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError, Slot


def taken_up(frame: Frame, again: Frame) -> None:
    """Let a run go on in its backward sweep; ``again``: what entering the callee gives now.

    What is passed by value gets the value it has now.

    Raises:
        ReplayError: an argument is another piece of memory, or an array has another shape: a subscript or a bound
            has another value than before.
    """
    for old, new in zip(frame.s, again.s, strict=True):
        if old is new or old.a is None or new.a is None:
            continue
        if old.a.shape != new.a.shape or old.lo != new.lo:
            raise ReplayError("a procedure's backward sweep finds an array in another shape")
        if _owner(old.a) is _owner(new.a):
            if old.a.__array_interface__["data"] != new.a.__array_interface__["data"]:
                raise ReplayError("a procedure's backward sweep gets another element than its forward sweep")
        elif _is_passed(frame, old):
            old.a[...] = new.a


def _is_passed(frame: Frame, slot: Slot) -> bool:
    """Is it memory of a dummy argument?"""
    formals = frame.code.procedure.formals
    return any(frame.s[place.number] is slot and place.variable.name in formals for place in frame.code.layout.slots)


def _owner(array: Array) -> object:
    """What owns the memory an array is a view of."""
    base: object = array
    while True:
        below = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
        if below is None:
            return base
        base = below
