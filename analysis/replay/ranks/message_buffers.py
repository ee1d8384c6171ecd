"""The memory that a call of MPI names: elements in Fortran's order, from the first one passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Array, Index, ReplayError, Slot
from snapset.analysis.replay.ranks.data_layouts import DataLayout
from snapset.frontend.base.frozen_records import frozen

Passed: TypeAlias = "tuple[Slot, Index] | int | float | None"
"""An actual argument: memory, or a value."""


@frozen
class MessageBuffer:
    """``count`` elements of a slot, as a slot and an index that choose them; adjoints are in the same place."""

    slot: Slot
    index: Index
    count: int

    @property
    def smooth(self) -> bool:
        """Has it adjoints?"""
        return self.slot.b is not None

    def read(self) -> Array:
        """A copy of the values, in one row."""
        return np.array(self.slot.values[self.index]).ravel(order="F")

    def write(self, values: Array) -> None:
        """Store as many values as there are, at most its own."""
        self._store(self.slot.values, values)

    def _store(self, memory: Array, values: Array) -> None:
        there = np.array(memory[self.index])
        row = there.ravel(order="F")
        if values.size > row.size:
            raise ReplayError(f"a message of {values.size} elements is received where {row.size} have room")
        row[:values.size] = values
        memory[self.index] = row.reshape(there.shape, order="F")

    def taken_adjoint(self, count: int | None = None) -> Array:
        """The adjoint of the first ``count`` elements, which is zero afterwards: a message may be shorter than the
        buffer, whose other elements keep their values."""
        assert self.slot.b is not None
        there = np.array(self.slot.b[self.index])
        row = there.ravel(order="F")
        found = row[:count].copy()
        row[:count] = 0
        self.slot.b[self.index] = row.reshape(there.shape, order="F")
        return found

    def add_adjoint(self, values: Array) -> None:
        """Add to the adjoint."""
        assert self.slot.b is not None
        if self.slot.b.ndim == 1 and isinstance(self.index[0], np.ndarray):  # an element may be sent twice
            np.add.at(self.slot.b, (self.index[0][:values.size],), values)
            return
        there = np.array(self.slot.b[self.index])
        row = there.ravel(order="F")
        row[:values.size] += values
        self.slot.b[self.index] = row.reshape(there.shape, order="F")


def typed_buffer(passed: Passed, count: int, layout: DataLayout) -> MessageBuffer:
    """``count`` items of a type of data from what was passed."""
    if layout.plain:
        return buffer_of(passed, _elements(passed, count * len(layout.offsets), layout))
    return scattered_buffer(passed, layout.elements(count))


def blocks_buffer(passed: Passed, counts: Sequence[int], places: Sequence[int], layout: DataLayout) -> MessageBuffer:
    """A block of items for each rank, each at its place, counted in items."""
    offsets = [place * layout.extent + one for place, count in zip(places, counts, strict=True)
               for one in layout.elements(count)]
    if offsets == list(range(len(offsets))):
        return buffer_of(passed, _elements(passed, len(offsets), layout))
    return scattered_buffer(passed, offsets)


def _elements(passed: Passed, count: int, layout: DataLayout) -> int:
    """As many elements of the memory as are meant: bytes, and halves of complex numbers, are counted so."""
    if not isinstance(passed, tuple):
        return count
    dtype = passed[0].values.dtype
    if dtype.kind == "c" and layout.unit * 2 == dtype.itemsize:
        each, rest = divmod(count, 2)
    elif dtype.kind in "fc" and layout.unit == 1:
        each, rest = divmod(count, dtype.itemsize)
    elif dtype.kind in "fc" and layout.unit != dtype.itemsize:
        raise ReplayError(f"a message of {layout.unit}-byte elements from memory of {dtype.itemsize}-byte ones")
    else:
        return count
    if rest:
        raise ReplayError(f"a message of {count} elements that ends within one of the memory's")
    return each


def scattered_buffer(passed: Passed, offsets: Sequence[int]) -> MessageBuffer:
    """Elements of memory, counted in its order from the first one passed."""
    if not isinstance(passed, tuple):
        raise ReplayError("a message of several elements, where a value is passed")
    slot, index = passed
    a = slot.values
    if a.ndim == 0:
        a = a.reshape(1)
        slot, index = Slot(a, None if slot.b is None else slot.b.reshape(1), (1,)), (0,)
    index = (*index, *(slice(None) for _ in range(a.ndim - len(index))))
    whole = [one if isinstance(one, slice) else None for one in index]
    if any(one is not None for one in whole) and not all(one is not None for one in whole):
        raise ReplayError("a message of some elements of a section")
    if all(one is not None for one in whole):
        if not a[index].flags.f_contiguous:
            raise ReplayError("a message of some elements of a section that is not contiguous")
        start = _offset(a, index)
    else:
        start = int(np.ravel_multi_index(tuple(int(one) for one in index), a.shape, order="F"))
    at = start + np.array(list(offsets), dtype=np.int64)
    if at.size and (at.min() < 0 or at.max() >= a.size):
        raise ReplayError(f"a message of elements {at.min() + 1} to {at.max() + 1}, where {a.size} are passed")
    row = _row(slot, 0, a.size)
    return MessageBuffer(row.slot, (at,), at.size)


def buffer_of(passed: Passed, count: int) -> MessageBuffer:
    """The first ``count`` elements from what was passed: from an element on in memory's order, or of a section.

    Raises ReplayError where there are not as many.
    """
    if not isinstance(passed, tuple):
        value = np.array([passed])
        return MessageBuffer(Slot(value, None, (1,)), (slice(0, count),), count)
    slot, index = passed
    a = slot.values
    if a.ndim == 0:
        _enough(1, count)
        return MessageBuffer(slot, () if count else (np.zeros(0, bool),), count) if count else _nothing(slot)
    index = (*index, *(slice(None) for _ in range(a.ndim - len(index))))
    if all(isinstance(one, slice) for one in index):
        there = np.array(a[index]).shape
        size = int(np.prod(there))
        _enough(size, count)
        if size == count:
            return MessageBuffer(slot, index, count)
        if a[index].flags.f_contiguous and a.flags.f_contiguous:
            start = _offset(a, index)
            return _row(slot, start, count)
        raise ReplayError("a message of some elements of a section that is not contiguous")
    if any(isinstance(one, slice) for one in index):
        first = tuple(one for one in index)
        there = a[first]
        size = int(there.size)
        _enough(size, count)
        if size == count:
            return MessageBuffer(slot, first, count)
        raise ReplayError("a message of some elements of a section")
    start = int(np.ravel_multi_index(tuple(int(one) for one in index), a.shape, order="F"))
    _enough(a.size - start, count)
    return _row(slot, start, count)


def _row(slot: Slot, start: int, count: int) -> MessageBuffer:
    """Consecutive elements of memory."""
    a, b = slot.values, slot.b
    if not a.flags.f_contiguous:
        raise ReplayError("a message from memory that is not contiguous")
    row = Slot(a.reshape(-1, order="F"), None if b is None else b.reshape(-1, order="F"), (1,))
    return MessageBuffer(row, (slice(start, start + count),), count)


def _nothing(slot: Slot) -> MessageBuffer:
    return MessageBuffer(Slot(slot.values.reshape(1)[:0], None, (1,)), (slice(0, 0),), 0)


def _offset(a: Array, index: Index) -> int:
    first = tuple(one.indices(n)[0] for one, n in zip(index, a.shape, strict=True))
    return int(np.ravel_multi_index(first, a.shape, order="F")) if a.size else 0


def _enough(there: int, count: int) -> None:
    if count < 0 or there < count:
        raise ReplayError(f"a message of {count} elements, where {there} are passed")


def number(passed: Passed) -> int:
    """An integer argument."""
    if isinstance(passed, tuple):
        slot, index = passed
        found: Any = np.asarray(slot.values[index])
        if found.ndim:
            found = found.ravel(order="F")[0]
        return int(found)
    assert passed is not None
    return int(passed)


def numbers(passed: Passed, count: int) -> list[int]:
    """The first integers of an array argument."""
    return [int(one) for one in buffer_of(passed, count).read()]


def store(passed: Passed, *values: int) -> None:
    """Give an integer argument values, if it is memory."""
    if isinstance(passed, tuple):
        buffer_of(passed, len(values)).write(np.array(values))
