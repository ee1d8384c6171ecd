"""Which memory a capsule holds: whole blocks, and of others some elements, where arrays or parts of them are live.

A section is told by its runs in memory, each by where it begins and how long it is: 16 bytes, which count. Elements
between two runs that would take no more than that are held with them, and all of an array whose runs take more than
its dead elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.frontend.base.frozen_records import frozen

RUN = 16
Held: TypeAlias = tuple[Array, "Array | None"]
"""An array in memory, and which of its elements are held (None: all)."""
LiveElements: TypeAlias = Mapping[tuple[int, Location], Array]
"""By active procedure and location, which elements are live, where not all are."""
ALL: LiveElements = {}


@frozen
class HeldBlock:
    """``which``: a mask over the block, by elements of ``unit`` bytes (None: all of it); ``told``: the bytes of the
    runs."""

    owner: Array
    which: Array | None = None
    unit: int = 1
    told: int = 0

    @property
    def bytes(self) -> int:
        """Of the values, and of what tells where they are."""
        return self.owner.nbytes if self.which is None else int(np.count_nonzero(self.which))*self.unit + self.told


def held_blocks(arrays: Iterable[Held]) -> Iterator[HeldBlock]:
    """By block what is held of it, in the order in which blocks are met."""
    parts: dict[int, tuple[Array, list[Held]]] = {}
    for array, mask in arrays:
        owner = owner_of(array)
        parts.setdefault(id(owner), (owner, []))[1].append((array, mask))
    for owner, every in parts.values():
        yield _held(owner, every)


def _held(owner: Array, every: list[Held]) -> HeldBlock:
    if any(mask is None and array.size*array.itemsize == owner.nbytes for array, mask in every):
        return HeldBlock(owner)
    unit = unit_of(owner, every)
    sections = any(mask is not None for _, mask in every)
    if not sections and len(every) == 1:
        return HeldBlock(owner, marked(owner, every, unit, False), unit)
    whole = marked(owner, every, unit, False)
    if not sections:
        return HeldBlock(owner, whole, unit)
    which = marked(owner, every, unit, True)
    which, told = _in_runs(which, unit)
    if int(np.count_nonzero(which))*unit + told < int(np.count_nonzero(whole))*unit:
        return HeldBlock(owner, which, unit, told)
    return HeldBlock(owner) if whole.all() else HeldBlock(owner, whole, unit)


def unit_of(owner: Array, every: Iterable[Held]) -> int:
    """The bytes of an element, where all arrays in a block have elements of one size, one behind the other; else 1."""
    units = {array.itemsize for array, _ in every}
    unit = units.pop() if len(units) == 1 else 1
    base = address(owner)
    alike = unit > 0 and not owner.nbytes % unit and all(
        not (address(array) - base) % unit and not any(one % unit for one in array.strides) for array, _ in every)
    return unit if alike else 1


def marked(owner: Array, every: Iterable[Held], unit: int, sections: bool) -> Array:
    """A mask over a block, by elements of ``unit`` bytes: those of some arrays; ``sections``: of these their masks."""
    which = np.zeros(owner.nbytes//unit, bool)
    for array, mask in every:
        there = seen(which, owner, array, unit)
        if mask is None or not sections:
            there[...] = True
        elif array.itemsize == unit:
            there |= mask
        else:
            there |= mask[..., None]
    return which


def seen(which: Array, owner: Array, array: Array, unit: int) -> Array:
    """A mask over a block as an array in it is laid out; where units are bytes, with these as a last dimension."""
    shape = (array.size,) if isinstance(array, PartialColumns) and array.extents is not None else array.shape
    offset = (0 if array is owner else address(array) - address(owner))//unit
    if array.itemsize == unit:
        return np.ndarray(shape, bool, which, offset, tuple(one//unit for one in array.strides))
    return np.ndarray((*shape, array.itemsize), bool, which, offset, (*array.strides, 1))


def _in_runs(which: Array, unit: int) -> tuple[Array, int]:
    """The elements with the gaps that are no longer than what tells of a run, and the bytes that tell of all runs."""
    begins, ends = runs_of(which)
    if not begins.size:
        return which, 0
    short = (begins[1:] - ends[:-1])*unit <= RUN
    if short.any():
        which = which.copy()
        for low, high in zip(ends[:-1][short], begins[1:][short], strict=True):
            which[low:high] = True
    return which, RUN*int(begins.size - np.count_nonzero(short))


def runs_of(which: Array) -> tuple[Array, Array]:
    """Where the runs of a mask begin, and where they have ended. Looked for as bools: places where two neighbours
    differ are found seventy times faster than those of another type."""
    edges = np.empty(which.size + 1, bool)
    edges[1:-1] = which[1:] != which[:-1]
    edges[0], edges[-1] = which[:1].any(), which[-1:].any()
    found = np.flatnonzero(edges)
    return found[::2], found[1::2]


def owner_of(array: Array) -> Array:
    """The array whose memory a view is part of."""
    found: Any = array
    while True:
        base = found.obj if isinstance(found, memoryview) else getattr(found, "base", None)
        if base is None:
            assert isinstance(found, np.ndarray)
            return found
        found = base


def address(array: Array) -> int:
    """Where an array begins in memory."""
    return int(array.__array_interface__["data"][0])
