"""What the forward sweep does not record because the backward sweep can evaluate it again: conditions and DO bounds.

The machine goes back along its trace and needs no condition for that; a real adjoint does. So what is not recorded is
evaluated again where a real one would, from the values that stand there then, and must come out as it did.
"""

from __future__ import annotations

from typing import Any

from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot, SlotFinder
from snapset.frontend.base.frozen_records import frozen


@frozen
class Deciding:
    """A test that is evaluated again, or the beginning of a DO loop whose bounds are. ``reads``: what it reads;
    ``loop``: the loop's number, and what finds its variable."""

    node: int
    reads: tuple[Location, ...]
    loop: tuple[int, SlotFinder] | None = None


@frozen
class ReevaluatedBranch:
    """How it came out: the node behind a test, or a loop's first value, count and step; ``scalars``: what it read."""

    what: Deciding
    outcome: tuple[Any, ...]
    scalars: tuple[tuple[Slot, bytes], ...]


def decided(frame: Frame, what: Deciding, behind: int) -> ReevaluatedBranch:
    """Note what has just been decided. ``behind``: where control went."""
    slots = (slot for location in what.reads for slot in frame.pieces(location))
    scalars = tuple((slot, slot.a.tobytes()) for slot in slots if slot.a is not None and slot.a.ndim == 0)
    return ReevaluatedBranch(what, (behind,) if what.loop is None else _bounds(frame, *what.loop), scalars)


def decide_again(frame: Frame, before: ReevaluatedBranch) -> None:
    """Evaluate it in the backward sweep.

    Raises:
        ReplayError: it comes out otherwise, or reads something else than before.
    """
    code, what = frame.code, before.what
    found: tuple[Any, ...]
    if what.loop is None:
        found = (int(code.choose[what.node](frame.s, frame)),)
    else:
        loop, var = what.loop
        count, value = frame.loops[loop], var(frame.s).values[()]
        code.run[what.node](frame.s, frame)
        found = _bounds(frame, loop, var)
        frame.loops[loop], var(frame.s).values[()] = count, value
    if found != before.outcome or any(slot.a is None or slot.a.tobytes() != old for slot, old in before.scalars):
        raise ReplayError("what decides where control goes has another value in the backward sweep")


def _bounds(frame: Frame, loop: int, var: SlotFinder) -> tuple[Any, ...]:
    return int(var(frame.s).values[()]), *frame.loops[loop]
