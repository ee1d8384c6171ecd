"""The memory that calls make anew: of function results, and of what a call without a derivative allocates.

A call whose result has another shape than the last one's makes the result's memory anew.

A caller's temporary is then other memory than before the call; the backward sweep brings that back. Its values are what
the sets say: what nobody saved is lost. (In split mode the callee tapes, write by write, what its result was before,
which in other memory is not there to be lost.)

A call that is only run, because no derivative passes it, may allocate anew what it is passed, in another shape or as
another type. The backward sweep undoes that as it undoes an ALLOCATE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snapset.analysis.replay.machine.saved_copies import WHOLE, Saved, copy_of
from snapset.analysis.replay.machine.stack import Undo
from snapset.analysis.replay.memory.associations import AllocationCell
from snapset.analysis.replay.memory.frames import Frame, undefined
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.frontend import ir


def results(frame: Frame, node: int) -> Undo:
    """Which memory a call's function result is before the call."""
    undo = Undo()
    undo.associate(frame.s[n] for n in frame.code.results.get(node, ()))
    return undo


def remade_results(frame: Frame, node: int, callees: Iterable[ir.Procedure]) -> Iterator[Slot]:
    """The memory of a call's function result, which the function may make more than once (``r = [r, x]``): the last
    that it makes gets the adjoint. Not so of an elemental function, which runs for one element after the other."""
    if not any(one.elemental for one in callees):
        yield from map(frame.s.__getitem__, frame.code.results.get(node, ()))


def own_result(frame: Frame, node: int) -> Saved:
    """What the caller has of a function's result while the function's adjoint runs: that has a result of its own, as
    a procedure's own variables are its own."""
    return [(slot, WHOLE, copy_of(slot)) for slot in map(frame.s.__getitem__, frame.code.given.get(node, ()))]


def unknown(callers: Saved) -> None:
    """Poison what the function's adjoint begins with as its result."""
    for slot, _, _ in callers:
        if slot.a is not None:
            undefined(slot.a)


def allocatable(frame: Frame | None) -> Iterator[Slot]:
    """The memory of every allocatable variable and component that is in sight where ``frame`` runs."""
    if frame is not None:
        yield from frame.memory.slots.values()
    while frame is not None:
        yield from (frame.s[place.number] for place in frame.code.layout.slots
                    if place.leaf.allocatable or place.leaf.owned is not None)
        frame = frame.host


def changed_by(frame: Frame, saved: Iterable[Slot]) -> Iterator[Slot]:
    """The memory of what a part may allocate: what is in sight, and what is saved."""
    yield from allocatable(frame)
    for slot in saved:
        if isinstance(slot, AllocationCell):
            yield from slot.slots


def allocated_anew(undo: Undo, before: Iterable[tuple[Slot, Array | None, Array | None, tuple[int, ...]]]) -> None:
    """Remember, after a call, which memory it took away. ``before``: what was there."""
    known: list[Slot] = []
    for one in before:
        if one[0].a is not one[1] and not any(slot is one[0] for slot in known):
            undo.allocations.append(one)
            known.append(one[0])


def left(undo: Undo, poison: bool) -> None:
    """Poison what a function result was, where it is other memory now."""
    for slot, old, _, _ in undo.associations if poison else ():
        if old is not None and slot.a is not old:
            undefined(old)
