"""MPI's types of data: which elements of memory one item is made of.

``MPI_TYPE_VECTOR(2, 1, 3, MPI_DOUBLE_PRECISION)`` of a 3 by 2 array is a row of it::

    DataLayout((0, 3), extent=4)        elements 0 and 3 from the first; a second item would begin 4 further

All counts are in elements of the predefined type that a type is made of. Pairs (MPI_2DOUBLE_PRECISION) are two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from snapset.analysis.replay.memory.runtime_support import NotExecutedError, ReplayError
from snapset.frontend.base.frozen_records import frozen

_PAIRS: Final = frozenset((1275070496, 1275070497, 1275072547))  # MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION
_PREDEFINED: Final = 0x4C
ORDER_C: Final = 56
FIRST_HANDLE: Final = 0x0C000000 + 16


@frozen
class DataLayout:
    """One item. ``unit``: the bytes of an element."""

    offsets: tuple[int, ...]
    extent: int
    unit: int

    @property
    def plain(self) -> bool:
        """Are items consecutive elements?"""
        return self.extent == len(self.offsets) and self.offsets == tuple(range(self.extent))

    def elements(self, count: int) -> list[int]:
        """Those of several items, from the first element on."""
        return [item * self.extent + one for item in range(count) for one in self.offsets]

    def made_of(self, places: Sequence[int], extent: int | None = None) -> DataLayout:
        """A type with an item of this one at each of these places, in items."""
        offsets = tuple(place * self.extent + one for place in places for one in self.offsets)
        low = min((place * self.extent for place in places), default=0)
        high = max(((place + 1) * self.extent for place in places), default=0)
        return DataLayout(offsets, high - low if extent is None else extent, self.unit)


def predefined(handle: int) -> DataLayout | None:
    """A type of the standard's: MPICH's handles hold their sizes."""
    if handle >> 24 != _PREDEFINED:
        return None
    size = (handle >> 8) & 0xFF
    return DataLayout((0, 1), 2, size // 2) if handle in _PAIRS else DataLayout((0,), 1, size)


@dataclass(slots=True)
class DataLayouts:
    """The types of one rank, by handle. One that is freed stays: a second run may need it."""

    made: dict[int, DataLayout] = field(default_factory=dict)

    def find(self, handle: int) -> DataLayout:
        """What a handle means. Raises ReplayError where it means nothing."""
        found = predefined(handle) or self.made.get(handle)
        if found is None:
            raise ReplayError(f"{handle} is no type of data of MPI's, or one that is not executed here")
        return found

    def add(self, layout: DataLayout) -> int:
        """The handle of a new one."""
        handle = FIRST_HANDLE + len(self.made)
        self.made[handle] = layout
        return handle


def vector(old: DataLayout, count: int, length: int, stride: int) -> DataLayout:
    """Blocks at equal distances."""
    return old.made_of([block * stride + one for block in range(count) for one in range(length)])


def byte_vector(old: DataLayout, count: int, length: int, stride: int) -> DataLayout:
    """Blocks at equal distances in bytes."""
    step, rest = divmod(stride, old.unit)
    if rest:
        raise NotExecutedError("a type of data whose blocks are not at whole elements")
    starts = [block * step + one * old.extent for block in range(count) for one in range(length)]
    offsets = tuple(start + one for start in starts for one in old.offsets)
    return DataLayout(offsets, max(starts, default=0) + old.extent - min(starts, default=0) if starts else 0, old.unit)


def indexed(old: DataLayout, lengths: Sequence[int], displacements: Sequence[int]) -> DataLayout:
    """Blocks anywhere."""
    return old.made_of([start + one for start, length in zip(displacements, lengths, strict=True)
                        for one in range(length)])


def subarray(old: DataLayout, sizes: Sequence[int], subsizes: Sequence[int], starts: Sequence[int],
             order: int) -> DataLayout:
    """A box of an array, whose extent is the array's; starts count from 0."""
    boxes = list(zip(sizes, subsizes, starts, strict=True))
    if order == ORDER_C:
        boxes.reverse()
    places, whole = [], 1
    strides = []
    for size, _, _ in boxes:
        strides.append(whole)
        whole *= size
    for at in product(*(range(start, start + length) for _, length, start in reversed(boxes))):
        places.append(sum(k * stride for k, stride in zip(reversed(at), strides, strict=True)))
    return old.made_of(places, whole * old.extent)
