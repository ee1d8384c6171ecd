"""The memory that a call of MPI names: elements in Fortran's order, from the first one passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, TypeAlias

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Array, Index, NotExecutedError, ReplayError, Slot
from snapset.analysis.replay.ranks.data_layouts import DataLayout
from snapset.frontend.base.frozen_records import frozen


@frozen
class PassedMemory:
    """An actual argument that is memory. ``outer``: of an element of a component that is no pointer, ``h(k)%b(2)``,
    how many dimensions choose the object (1): what follows it lies in the same component. Else None. ``name``: as the
    call has it."""

    slot: Slot
    index: Index
    outer: int | None = None
    name: str = ""


Passed: TypeAlias = PassedMemory | int | float | None
"""An actual argument: memory, or a value."""


@frozen
class MessageBuffer:
    """``count`` elements of a slot, as a slot and an index that choose them; adjoints are in the same place. ``name``:
    as the call has it, for whoever reads of a deadlock."""

    slot: Slot
    index: Index
    count: int
    name: str = ""

    def told(self, verb: str, peer: str) -> str:
        """``receives u(n) from 1``; without a name where it has none."""
        return f"{verb} {self.name} {peer}" if self.name else f"{verb} {peer}"

    @property
    def adjoint_name(self) -> str:
        """What its adjoint is called: ``~u(n)``."""
        return f"~{self.name}" if self.name else "an adjoint"

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
        if any(isinstance(one, np.ndarray) for one in self.index):  # an element may be sent twice
            if self.slot.b.ndim == 1:
                np.add.at(self.slot.b, (self.index[0][:values.size],), values)
                return
            shape = self.slot.b.shape
            numbers = np.arange(prod(shape)).reshape(shape, order="F")[self.index].ravel(order="F")[:values.size]
            np.add.at(self.slot.b, np.unravel_index(numbers, shape, order="F"), values)
            return
        there = np.array(self.slot.b[self.index])
        row = there.ravel(order="F")
        row[:values.size] += values
        self.slot.b[self.index] = row.reshape(there.shape, order="F")


def typed_buffer(passed: Passed, count: int, layout: DataLayout) -> MessageBuffer:
    """``count`` items of a type of data from what was passed."""
    if layout.plain:
        return _named(buffer_of(passed, _elements(passed, count * len(layout.offsets), layout)), passed)
    return _named(scattered_buffer(passed, layout.elements(count)), passed)


def _named(buffer: MessageBuffer, passed: Passed) -> MessageBuffer:
    return replace(buffer, name=passed.name) if isinstance(passed, PassedMemory) else buffer


def blocks_buffer(passed: Passed, counts: Sequence[int], places: Sequence[int], layout: DataLayout) -> MessageBuffer:
    """A block of items for each rank, each at its place, counted in items."""
    offsets = [place * layout.extent + one for place, count in zip(places, counts, strict=True)
               for one in layout.elements(count)]
    if offsets == list(range(len(offsets))):
        return buffer_of(passed, _elements(passed, len(offsets), layout))
    return scattered_buffer(passed, offsets)


def _elements(passed: Passed, count: int, layout: DataLayout) -> int:
    """As many elements of the memory as are meant: bytes, and halves of complex numbers, are counted so."""
    if not isinstance(passed, PassedMemory):
        return count
    dtype = passed.slot.values.dtype
    if dtype.kind == "c" and layout.unit * 2 == dtype.itemsize:
        each, rest = divmod(count, 2)
    elif dtype.kind in "fc" and layout.unit == 1:
        each, rest = divmod(count, dtype.itemsize)
    elif dtype.kind in "fc" and layout.unit != dtype.itemsize:
        raise NotExecutedError(f"a message of {layout.unit}-byte elements from memory of {dtype.itemsize}-byte ones")
    else:
        return count
    if rest:
        raise NotExecutedError(f"a message of {count} elements that ends within one of the memory's")
    return each


def scattered_buffer(passed: Passed, offsets: Sequence[int]) -> MessageBuffer:
    """Elements of memory, counted in its order from the first one passed; of a section that is not contiguous those of
    the copy that is passed."""
    if not isinstance(passed, PassedMemory):
        raise ReplayError("a message of several elements, where a value is passed")
    follows = _following(passed)
    at = follows.numbers(np.array(list(offsets), dtype=np.int64))
    if at.size and (at.min() < 0 or at.max() >= follows.there):
        raise ReplayError(f"a message of elements {at.min() + 1} to {at.max() + 1}, where {follows.there} are passed")
    return follows.chosen(at)


def buffer_of(passed: Passed, count: int) -> MessageBuffer:
    """The first ``count`` elements from what was passed: from an element on in memory's order, or of a section.

    Raises ReplayError where there are not as many.
    """
    if not isinstance(passed, PassedMemory):
        value = np.array([passed])
        return MessageBuffer(Slot(value, None, (1,)), (slice(0, count),), count)
    slot, index = passed.slot, passed.index
    a = slot.values
    if a.ndim == 0:
        _enough(1, count)
        return MessageBuffer(slot, () if count else (np.zeros(0, bool),), count) if count else _nothing(slot)
    index = _full(index, a)
    if not _is_element(index):
        size = int(np.array(a[index]).size)
        _enough(size, count)
        if size == count:
            return MessageBuffer(slot, index, count)
    follows = _following(passed)
    _enough(follows.there - follows.start, count)
    return follows.row(count) if follows.sequel is None else follows.chosen(follows.numbers(np.arange(count)))


@frozen
class _Following:
    """The elements from the first one passed on, by their numbers in memory: ``start`` is the first one's, ``there``
    are as many. ``sequel``: the array's elements as indices, by number, where they do not lie in a row; of a section
    that would be copied these are its own."""

    slot: Slot
    start: int
    there: int
    sequel: Index | None = None

    def numbers(self, offsets: Array) -> Array:
        """Those of elements that are counted from the first."""
        return self.start + offsets

    def row(self, count: int) -> MessageBuffer:
        """Consecutive ones."""
        return MessageBuffer(_in_a_row(self.slot), (slice(self.start, self.start + count),), count)

    def chosen(self, numbers: Array) -> MessageBuffer:
        """Any of them."""
        if self.sequel is None:
            return MessageBuffer(_in_a_row(self.slot), (numbers,), numbers.size)
        index = tuple(one[numbers] if isinstance(one, np.ndarray) else one for one in self.sequel)
        return MessageBuffer(self.slot, index, numbers.size)


def _following(passed: PassedMemory) -> _Following:
    slot, index, outer = passed.slot, passed.index, passed.outer
    a = slot.values
    if a.ndim == 0:
        return _Following(Slot(a.reshape(1), None if slot.b is None else slot.b.reshape(1), (1,)), 0, 1)
    index = _full(index, a)
    in_a_row = bool(a.flags.f_contiguous)
    if not _is_element(index):
        view = a[index]
        if in_a_row and view.flags.f_contiguous and np.shares_memory(view, a):
            return _Following(slot, _offset(a, index), a.size)
        numbers = np.arange(prod(a.shape)).reshape(a.shape, order="F")[index].ravel(order="F")
        return _Following(slot, 0, numbers.size, np.unravel_index(numbers, a.shape, order="F"))
    if outer is not None and (outer or not in_a_row):
        own = a.shape[outer:]
        start = int(np.ravel_multi_index(tuple(int(one) for one in index[outer:]), own, order="F"))
        inner = np.unravel_index(np.arange(prod(own)), own, order="F")
        return _Following(slot, start, prod(own), (*index[:outer], *inner))
    start = int(np.ravel_multi_index(tuple(int(one) for one in index), a.shape, order="F"))
    if not in_a_row:  # of a section: what follows its element in memory is not known here
        return _Following(slot, 0, 1, tuple(np.array([int(one)]) for one in index))
    return _Following(slot, start, a.size)


def _full(index: Index, a: Array) -> Index:
    return (*index, *(slice(None) for _ in range(a.ndim - len(index))))


def _is_element(index: Index) -> bool:
    return not any(isinstance(one, slice | np.ndarray) for one in index)


def _in_a_row(slot: Slot) -> Slot:
    """All of an array's memory."""
    a, b = slot.values, slot.b
    return Slot(a.reshape(-1, order="F"), None if b is None else b.reshape(-1, order="F"), (1,))


def _nothing(slot: Slot) -> MessageBuffer:
    return MessageBuffer(Slot(slot.values.reshape(1)[:0], None, (1,)), (slice(0, 0),), 0)


def _offset(a: Array, index: Index) -> int:
    first = tuple(one.indices(n)[0] if isinstance(one, slice) else int(one)
                  for one, n in zip(index, a.shape, strict=True))
    return int(np.ravel_multi_index(first, a.shape, order="F")) if a.size else 0


def _enough(there: int, count: int) -> None:
    if count < 0 or there < count:
        raise ReplayError(f"a message of {count} elements, where {there} are passed")


def number(passed: Passed) -> int:
    """An integer argument."""
    if isinstance(passed, PassedMemory):
        found: Any = np.asarray(passed.slot.values[passed.index])
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
    if isinstance(passed, PassedMemory):
        buffer_of(passed, len(values)).write(np.array(values))
