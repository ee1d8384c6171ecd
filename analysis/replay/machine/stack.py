"""What an adjoint keeps to go back: overwritten values, and a stack whose bytes are counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from snapset.analysis.replay.machine.stack_profile import HeightRecorder
from snapset.analysis.replay.memory import element_copies
from snapset.analysis.replay.memory.associations import AllocationCell, OwnerCell, owned
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.frames import Frame, undefined
from snapset.analysis.replay.memory.runtime_support import LOST, Array, Index, NotExecutedError, ReplayError, Slot
from snapset.analysis.replay.statements.named_memory import named
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of

# What a program can do to the machine: leave its bounds, divide by zero, make an integer of a NaN.
FAILURES = (ReplayError, ArithmeticError, LookupError, ValueError, TypeError, MemoryError)


_SHAPES = pattern_of(r"\(\d+(?:,\d+)*,?\)")


def stopped(error: Exception, span: Span, frame: Frame | None = None) -> ReplayError:
    """A failure with the place where the program was, unless it has one already, and the name that memory has in
    ``frame``."""
    if not isinstance(error, ReplayError):
        shapes = _SHAPES.findall(str(error)) if isinstance(error, ValueError) and "broadcast" in str(error) else []
        what = f"arrays of the shapes {' and '.join(dict.fromkeys(shapes))} meet that should be alike (was one given " \
            "another shape in a part? see SN104)" if shapes else f"an element that is not there is used: {error}" \
            if isinstance(error, IndexError) else f"arithmetic went wrong: {error}"
        error = ReplayError(what)
    if error.span is None:
        error.span = span
        if frame is not None:
            named(error, frame)
    return error


def program_stopped(error: Exception, span: Span, at: str = "") -> InputError:
    """The program itself failed, ``at`` a rank perhaps: other inputs are a way out, unless the machine does not execute
    what it does."""
    failure = stopped(error, span)
    what, hint = ("replay stops", "") if isinstance(error, NotExecutedError) else \
        ("the program stopped on these inputs", "; choose others with --set")
    return InputError(f"{what}: {at}{failure}{hint}", failure.span)


def destroy_piece(slot: Slot, index: Index) -> None:
    """Poison a piece of memory, if it holds reals, complex numbers or pointers."""
    if slot.a is not None and slot.a.dtype.kind in "fcO":
        slot.a[(*index, Ellipsis)] = {"f": float("nan"), "c": complex("nan+nanj"), "O": LOST}[slot.a.dtype.kind]


def lost(slot: Slot, a: Array) -> None:
    """Nobody kept what was in memory: types and the memory of elements' components are part of the allocation."""
    if not isinstance(slot, TypeTag | OwnerCell):
        undefined(a)


@dataclass(slots=True)
class Undo:
    """What a node overwrote. ``values`` come back before its derivative runs, ``states`` after it. ``associations``:
    which memory a call's result was; ``allocations``: which memory variables were that a call without a derivative has
    allocated anew. ``forgotten``: the slots whose allocation nobody kept; ``unkept``: whose elements' values."""

    values: list[tuple[Slot, Index, Any]] = field(default_factory=list)
    states: list[tuple[Slot, Array | None, Array | None, tuple[int, ...], Array | None]] = field(default_factory=list)
    associations: list[tuple[Slot, Array | None, Array | None, tuple[int, ...]]] = field(default_factory=list)
    allocations: list[tuple[Slot, Array | None, Array | None, tuple[int, ...]]] = field(default_factory=list)

    forgotten: list[Slot] = field(default_factory=list)
    unkept: list[Slot] = field(default_factory=list)

    def save(self, slot: Slot, index: Index | None, wanted: bool = True) -> int:
        """Remember what a write is about to overwrite; the bytes of it.

        ``index`` None: the whole allocatable with its allocation, which is remembered even if its values
        are not ``wanted``.
        """
        if isinstance(slot, AllocationCell):
            self.forgotten += () if wanted else slot.slots
            return slot.bytes if wanted else 0
        if index is None:
            return self._save_whole(slot, wanted)
        if not wanted:
            return 0
        if slot.values.dtype.kind == "O":
            index = (*index, Ellipsis)
        old = slot.values[index]
        old = old.copy()
        self.values.append((slot, index, old))
        return int(old.nbytes)

    def _save_whole(self, slot: Slot, wanted: bool) -> int:
        """An assignment gives an array other elements, and those it had are out of reach; MOVE_ALLOC gives the same
        elements to somebody else, who may change what they own."""
        if isinstance(slot, OwnerCell):
            self.states.append((slot, slot.a, slot.b, slot.lo, None))
            self.unkept += () if wanted else (slot,)
            return sum(self._save_whole(one, wanted) for one in owned(slot.a))
        wanted = wanted and not isinstance(slot, TypeTag)  # which never changes in place
        old = slot.a.copy(order="F") if slot.a is not None and wanted else None
        self.states.append((slot, slot.a, slot.b, slot.lo, old))
        return 0 if old is None else int(old.nbytes)

    def associate(self, slots: Iterable[Slot]) -> None:
        """Remember which memory variables are."""
        self.associations += [(slot, slot.a, slot.b, slot.lo) for slot in slots]

    def restore_associations(self, of_results: bool = False) -> None:
        """``of_results``: of nothing else."""
        for slot, a, b, lo in reversed(self.associations):
            slot.a, slot.b, slot.lo = a, b, lo
        if of_results:
            return
        for slot, a, b, lo in self.allocations:
            slot.a, slot.b, slot.lo = a, b, lo
            if a is not None:
                lost(slot, a)
            if b is not None:
                b[...] = 0
            if self.is_forgotten(slot):
                slot.lose()

    def is_forgotten(self, slot: Slot) -> bool:
        """Did nobody keep which memory it has?"""
        return any(one is slot for one in self.forgotten)

    def restore_values(self) -> None:
        for slot, index, old in reversed(self.values):
            slot.values[index] = old
        for slot, a, _, _, old in self.states:
            if a is not None and slot.a is a and old is not None:
                a[...] = old

    def restore_states(self) -> None:
        """Bring the allocations back, once: adjoints that come behind that stay. So do those of memory that was the
        same all the time (an ALLOCATE that failed), also where nobody kept that it was."""
        states, self.states = self.states, []
        for slot, a, b, lo, old in reversed(states):
            if a is slot.a:
                continue
            if any(one is slot for one in self.unkept):
                element_copies.forget(a, slot.a)
            before, now = slot.like(a, b, lo), slot.a if slot.a is not None else slot.lost
            same = a is slot.lost if not before.is_lost else before.lost is now  # lost in the forward sweep
            slot.a, slot.lo = a, lo
            if a is not None and old is not None:
                a[...] = old
            elif a is not None:
                lost(slot, a)
            if not same:
                slot.b = b
                if b is not None:
                    b[...] = 0
            if self.is_forgotten(slot):
                slot.lose()


def to_keep(slot: Slot, index: Index | None) -> int:
    """The bytes of what :meth:`Undo.save` would remember."""
    if isinstance(slot, AllocationCell):
        return slot.bytes
    if index is not None:
        return int(slot.values[(*index, Ellipsis)].nbytes)
    if isinstance(slot, OwnerCell):
        return element_copies.size(slot.a)
    return 0 if slot.a is None or isinstance(slot, TypeTag) else int(slot.a.nbytes)


class Stack:
    """Bytes on the adjoint's stack, counted by row of what is saved (see :class:`tables.Row`).

    ``steps``: the machine's clock, statements run so far in both sweeps and first runs.
    ``heights``: hears of every change, if there is one. ``sizes``: by row the bytes of an allocation.
    """

    __slots__ = ("bytes", "height", "heights", "peak", "pushed", "sizes", "steps")

    def __init__(self, rows: int = 1, heights: HeightRecorder | None = None, sizes: Sequence[int] = ()) -> None:
        self.sizes = sizes
        self.height = 0
        self.peak = 0
        self.steps = 0
        self.bytes = [0] * rows
        self.pushed = [0] * rows
        self.heights = heights

    @property
    def traffic(self) -> int:
        """Bytes ever pushed."""
        return sum(self.bytes)

    @property
    def pushes(self) -> int:
        """How many values were pushed: variables, arrays, elements, counts."""
        return sum(self.pushed)

    def size_of(self, row: int) -> int:
        """The bytes of an allocation that is saved in a row."""
        return self.sizes[row] if row < len(self.sizes) else 0

    def push(self, count: int, row: int = 0) -> None:
        if count:
            self.height += count
            if self.height > self.peak:
                self.peak = self.height
            self.bytes[row] += count
            self.pushed[row] += 1
            if self.heights is not None:
                self.heights.note(self.steps, self.height)

    def pop(self, count: int) -> None:
        self.height -= count
        if count and self.heights is not None:
            self.heights.note(self.steps, self.height)
