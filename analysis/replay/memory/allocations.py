"""Allocations as memory: which slots an ALLOCATE gives memory together, copies of that, and what is lost of it.

``allocate (x%a(n))`` with a type of two components gives two slots memory; whether they have any, with which bounds, is
one location, ``x%a[]``. A copy of it holds no values. Bringing it back gives the slots the memory that they had: values
are still there only if nothing deallocated it meanwhile. Adjoints are the new memory's, and begin with zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.memory.associations import AllocationCell, Association, OwnerCell, PointerCell, owned
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.frames import Frame, undefined
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError, Slot
from snapset.frontend.base.frozen_records import frozen

Path: TypeAlias = tuple[str, ...]
State: TypeAlias = "tuple[Slot, Array | None, Array | None, tuple[int, ...]]"


@frozen
class AllocationCopy:
    """A copy of an allocation: the memory of each slot, and the elements of ``owners`` that had any by then."""

    states: tuple[State, ...]
    owners: tuple[tuple[Slot, Array], ...]
    count: int

    def restore(self, briefly: bool = False) -> None:
        """Make the allocation what it was; ``briefly``: to look, before it is what it is again."""
        known = {id(slot) for slot, *_ in self.states}
        for owner, elements in self.owners:
            if owner.a is not None and owner.a.shape == elements.shape:
                owner.a = elements  # an assignment gives it others
            for slot in owned(elements):
                if id(slot) not in known:  # made since: it had none
                    slot.free()
        for slot, a, b, lo in self.states:
            now = slot.a if slot.a is not None else slot.lost
            slot.a, slot.lo = a, lo
            if now is not a:
                slot.b = b
            if now is not a and not briefly:
                if a is not None and not isinstance(slot, TypeTag | OwnerCell):
                    undefined(a)
                if b is not None:
                    b[...] = 0



def copied(cell: AllocationCell) -> AllocationCopy:
    states = tuple((slot, slot.a, slot.b, slot.lo) for slot in cell.slots)
    return AllocationCopy(states, tuple((one, one.a) for one in cell.owners if one.a is not None), cell.count)


def lose(cell: AllocationCell) -> None:
    """Nobody kept the allocation: what is used of it from now on is an error."""
    for slot in cell.slots:
        slot.lose()


# ---------------------------------------------------------------- finding them


def allocation(frame: Frame, location: Location) -> AllocationCell:
    """The allocation that a location of the analysis stands for, where the frame's procedure is."""
    path, slots, owners, count = location.path[:-1], list[Slot](), list[Slot](), 0
    for place, depth, slot in frame.leaves(location.area):
        if depth == len(path) + 1 and place[:len(path)] == path:
            slots.append(slot)
        elif isinstance(slot, OwnerCell | PointerCell) and path[:len(place)] == place:
            inner = _behind(slot, path[len(place):])
            slots += inner.slots
            owners += inner.owners
            count += inner.count
    return AllocationCell(slots, owners, count or 1)


def _behind(cell: PointerCell, rest: Path) -> AllocationCell:
    """The allocation ``rest`` below what pointers lead to, or elements own."""
    if not rest:
        if isinstance(cell, OwnerCell) and cell.a is not None:
            return AllocationCell(owned(cell.a), (cell,), cell.a.size)
        return AllocationCell((), (), 0)
    found = [_among(one.leaves, rest) for one in cell.associations()]
    return AllocationCell((slot for one in found for slot in one.slots),
                          (owner for one in found for owner in one.owners), sum(one.count for one in found))


def _among(leaves: Mapping[Path, Slot], rest: Path) -> AllocationCell:
    slots, owners, count = list[Slot](), list[Slot](), 1
    for path, slot in leaves.items():
        if isinstance(slot, PointerCell) and rest[:len(path)] == path and (path or rest):
            inner = _behind(slot, rest[len(path):])
            slots += inner.slots
            owners += inner.owners
            count = inner.count
        elif path[:len(rest)] == rest:
            slots.append(slot)
    return AllocationCell(slots, owners, count)


# ---------------------------------------------------------------- adjoints that wait


class WaitingAdjoints:
    """The adjoints of what is allocated at the end of a part, while a second run of the part makes it anew. They are
    there even where nobody needs the allocation any more."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self.waiting: list[tuple[Slot, Array]] = []
        self.elements: list[tuple[Slot, int, Path, Array]] = []
        seen = set[int]()
        for slot in slots:
            if id(slot) in seen:
                continue
            seen.add(id(slot))
            if isinstance(slot, OwnerCell):
                self._owned(slot)
            elif slot.b is not None and slot.b.any():
                self.waiting.append((slot, slot.b.copy(order="F")))

    def _owned(self, cell: OwnerCell) -> None:
        elements = cell.a if cell.a is not None else cell.lost
        for number, one in enumerate(() if elements is None else elements.reshape(-1, order="F")):
            for path, slot in (one.leaves if isinstance(one, Association) else {}).items():
                if isinstance(slot, OwnerCell):
                    self._owned(slot)
                elif slot.b is not None and slot.b.any():
                    self.elements.append((cell, number, path, slot.b.copy(order="F")))
                    slot.b[...] = 0  # where the second run replaces the element, this one comes back with nothing

    def come_back(self) -> None:
        """The second run is through: what it made gets the adjoints, whether anybody needs its values or not.

        Raises:
            ReplayError: it has made something else than the first run.
        """
        for slot, waiting in self._slots():
            if slot.b is None or slot.b.shape != waiting.shape:
                raise ReplayError("a second run leaves something allocated otherwise than the first one did")
            slot.b[...] = waiting

    def _slots(self) -> Iterator[tuple[Slot, Array]]:
        yield from self.waiting
        for cell, number, path, waiting in self.elements:
            elements = cell.a if cell.a is not None else cell.lost
            one = None if elements is None or number >= elements.size else elements.reshape(-1, order="F")[number]
            leaves = one.leaves if isinstance(one, Association) else {}
            if path not in leaves:
                raise ReplayError("a second run leaves an element's component allocated otherwise than the first one")
            yield leaves[path], waiting
