"""What a plan's run holds on its stack: copies of slots, or of some of their elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.machine.plan_tables import IN_SBK, SavedLocation
from snapset.analysis.replay.machine.stack import Stack
from snapset.analysis.replay.memory.allocations import AllocationCopy, allocation, copied, lose
from snapset.analysis.replay.memory.associations import AllocationCell, place_of
from snapset.analysis.replay.memory.frames import Frame, undefined
from snapset.analysis.replay.memory.partial_columns import PartialColumns
from snapset.analysis.replay.memory.runtime_support import Array, Index, ReplayError, Slot

Old: TypeAlias = "Array | AllocationCopy | None"
Saved: TypeAlias = list[tuple[Slot, Any, Old]]  # with the index of what was copied
SlotPart: TypeAlias = tuple[Slot, Any]  # memory, and the index of some of its elements
Pieces: TypeAlias = Mapping[Location, tuple[SlotPart, ...]]
Limits: TypeAlias = Sequence[tuple[Slot, tuple[Any, ...]]]  # memory, and the only elements that can be overwritten
Finder: TypeAlias = Callable[..., tuple[tuple[Slot, Index], ...]]
WHOLE = (Ellipsis,)
NO_PIECES: Pieces = MappingProxyType({})


def restore(saved: Iterable[tuple[Slot, Any, Old]], briefly: bool = False) -> None:
    """Put the copies back, allocations first (``briefly``: as they say). Raises ReplayError where the memory has got
    another shape since."""
    saved = tuple(saved)
    for _, _, old in saved:
        if isinstance(old, AllocationCopy):
            old.restore(briefly)
    for slot, index, old in saved:
        if old is not None and not isinstance(old, AllocationCopy) and slot.a is not None:
            if slot.a[index].shape != old.shape:
                raise ReplayError(f"what was saved has the shape {_shape(old)}, its memory is {_shape(slot.a[index])} "
                                  "now: its allocation was not saved (see SN104)")
            slot.a[index] = old


def _shape(array: Array) -> str:
    return f"({', '.join(map(str, array.shape))})"


def there(frame: Frame, saved: Iterable[SavedLocation]) -> Iterator[tuple[Slot, Location, int]]:
    """The memory of saved locations, of those that have any, and their allocations."""
    for location, row in saved:
        if location.is_allocation:
            yield allocation(frame, location), location, row
            continue
        for slot in frame.pieces(location):
            if location.area.kind == "temporary" and slot.a is not None:
                slot = slot.like(slot.a, slot.b, slot.lo)  # a function result: the memory it is now
            yield slot, location, row


def copy_of(slot: Slot, index: Any = WHOLE) -> Old:
    """A copy of what is there."""
    if isinstance(slot, AllocationCell):
        return copied(slot)
    return None if slot.a is None else slot.a[index].copy(order="F")


def pushed(stack: Stack, old: Old, row: int) -> int:
    """Push a copy; its bytes."""
    if old is None or row == IN_SBK:
        return 0
    size = old.count * stack.size_of(row) if isinstance(old, AllocationCopy) else int(old.nbytes)
    stack.push(size, row)
    return size


class CopiedMemory:
    """What is copied, whatever it is called: what pointers lead to has several names, and one copy is enough.

    ``ends``: the first byte of an array without gaps that is copied whole, and the one behind it.
    """

    def __init__(self) -> None:
        self.ends: list[tuple[int, int]] = []
        self.places: set[object] = set()

    def has(self, array: Array) -> bool:
        """Is all of it in one of the copies?"""
        low, high = _ends(array)
        return place_of(array) in self.places or any(first <= low and high <= last for first, last in self.ends)

    def add(self, array: Array) -> None:
        if isinstance(array, PartialColumns):  # of which a part may be a copy
            return
        self.places.add(place_of(array))
        if array.flags.forc:
            self.ends.append(_ends(array))


def _ends(array: Array) -> tuple[int, int]:
    """The first byte of an array, and the one behind its last."""
    if isinstance(array, PartialColumns):
        array = array.row
    first = array.__array_interface__["data"][0]
    steps = [(extent - 1)*stride for extent, stride in zip(array.shape, array.strides, strict=True)]
    low, high = sum(step for step in steps if step < 0), sum(step for step in steps if step > 0)
    return first + low, first + high + array.itemsize if array.size else first


def once(wanted: Iterable[tuple[Slot, Location, int]], memory: CopiedMemory,
         pieces: Pieces) -> Iterator[tuple[Slot, Location, int]]:
    """Of slots those whose memory is not copied by another's name, the largest being copied first."""
    every, needed = list(wanted), set[int]()
    for number, (slot, location, _) in sorted(enumerate(every), key=lambda one: -_bytes(one[1][0])):
        if slot.a is None or location in pieces:
            needed.add(number)
        elif not memory.has(slot.a):
            needed.add(number)
            memory.add(slot.a)
    yield from (one for number, one in enumerate(every) if number in needed)


def _bytes(slot: Slot) -> int:
    return 0 if slot.a is None else int(slot.a.nbytes)


def save(stack: Stack, frame: Frame, saved: Iterable[SavedLocation], pieces: Pieces = NO_PIECES,
         memory: CopiedMemory | None = None) -> tuple[Saved, int]:
    """Copies of locations, pushed, and their bytes; what is not there is nothing. Of some only ``pieces``.

    ``memory``: what has been copied, where that is not copied again by another name.
    """
    found: Saved = []
    size = 0
    seen = set()
    wanted = there(frame, saved) if memory is None else once(there(frame, saved), memory, pieces)
    for cells, location, row in wanted:
        if location in seen:
            continue  # a component of each element has several memories, and the piece is in one of them
        if location in pieces:
            seen.add(location)
        for slot, index in pieces.get(location, ((cells, WHOLE),)):
            old = copy_of(slot, index)
            found.append((slot, index, old))
            size += pushed(stack, old, row)
    return found, size


def elsewhere(pieces: Iterable[SlotPart], saved: Saved) -> list[SlotPart]:
    """Of pieces of memory those of which there is no copy."""
    memory = CopiedMemory()
    for slot, _, _ in saved:
        if slot.a is not None:
            memory.add(slot.a)
    return [(slot, index) for slot, index in pieces if slot.a is None or not memory.has(_around(slot.a, index))]


def _around(array: Array, index: Any) -> Array:
    """A view of the elements that an index chooses, with those between them where it lists them."""
    listed = index[0] if len(index) == 1 else None
    if isinstance(listed, np.ndarray):
        index = (slice(int(listed.min()), int(listed.max()) + 1) if listed.size else slice(0, 0),)
    found: Array = array[(*index, ...)]
    return found


def selected(frame: Frame, finders: Mapping[Location, Finder],
             before: Pieces | None = None) -> Pieces:
    """The elements to be saved of each location that is there.

    Raises:
        ReplayError: they are not those that were selected ``before``.
    """
    found: dict[Location, tuple[SlotPart, ...]] = {}
    for location, find in finders.items():
        cells = frame.cells(location)
        memories = frame.pieces(location) if cells is None else (cells,)  # components of elements have several
        if any(one.a is not None for one in memories):
            try:
                found[location] = tuple((slot, (*index, ...)) for slot, index in find(frame.s, frame))
            except ReplayError:
                if cells is not None or (before is not None and location in before):
                    raise
                continue  # that of one element is not there, and was not when it would have been saved
            if before is not None and not (location in before and _are_same(found[location], before[location])):
                raise ReplayError(f"a snapshot of elements of `{location.area.name}` is restored to others")
    return found


def pieces_there(frame: Frame, finders: Mapping[Location, Finder]) -> Pieces:
    """The elements that a loop writes, if it runs; where they are not there it does not, and no piece is needed."""
    try:
        return selected(frame, finders)
    except (ReplayError, LookupError, ValueError):
        return NO_PIECES


def _are_same(now: Sequence[SlotPart], before: Sequence[SlotPart]) -> bool:
    """The same elements, perhaps by another view (``z%re``)."""
    return all(_same_memory(one, other) and bool(index == old)
               for (one, index), (other, old) in zip(now, before, strict=True))


def _same_memory(one: Slot, other: Slot) -> bool:
    return one is other or (one.a is not None and other.a is not None and place_of(one.a) == place_of(other.a))


def limits(frame: Frame, pieces: Pieces) -> Limits:
    """What of locations' memory can be overwritten while only ``pieces`` are: of ``z(1)%w(:)``, where each
    element of z has a w of its own, none of the others."""
    found: list[tuple[Slot, tuple[Any, ...]]] = []
    for location, elements in pieces.items():
        known: list[Slot] = []
        for slot, _ in elements:
            if not any(_same_memory(slot, one) for one in known):
                known.append(slot)
                found.append((slot, tuple(index for other, index in elements if _same_memory(slot, other))))
        found += [(other, ()) for other in frame.pieces(location) if other.a is not None
                  and not any(one.a is None or np.may_share_memory(other.a, one.a) for one in known)]
    return found


def destroyed(frame: Frame, locations: Iterable[Location], pieces: Pieces, within: Sequence[Limits]) -> None:
    """Poison locations, of some only ``pieces``.

    ``within``: of arrays, under whatever name, the only elements that the code running now can overwrite.
    """
    for location in locations:
        if location.is_allocation:
            lose(allocation(frame, location))
            continue
        memory = pieces[location] if location in pieces else [(slot, WHOLE) for slot in frame.pieces(location)]
        for slot, index in memory:
            if slot.a is not None:
                before = slot.a.copy(order="F") if location.band is not None and location in pieces else None
                held = tuple((one, ()) for one in held_by_dummies(frame, location, slot.a))
                _destroy(slot.a, index, (*within, held))
                if before is not None:
                    _only_in_band(frame, location, slot.a, before)


def _only_in_band(frame: Frame, location: Location, array: Array, before: Array) -> None:
    """Of an array that was changed in a piece, what other bands have of that is as it was."""
    band = frame.cells(location)
    assert band is not None
    assert band.a is not None
    changed = band.a.copy()
    array[...] = before
    band.a[...] = changed


def _destroy(destroyed: Array, index: Any, within: Sequence[Limits]) -> None:
    kept = [(one.a, index, one.a.copy(order="F")) for limits in within for one, index in limits
            if one.a is not None and np.may_share_memory(one.a, destroyed)]
    there = destroyed[index]
    undefined(there)
    if isinstance(destroyed, PartialColumns):  # of which a part may be a copy
        destroyed[index] = there
    for array, inside, old in kept:
        outside = np.ones_like(array, bool)
        for some in inside:
            outside[some] = False
        array[outside] = old[outside]


def forget(frame: Frame, locations: tuple[Location, ...]) -> None:
    """Adjoints of what does not vary are zero."""
    for location in locations:
        for slot in frame.pieces(location):
            if slot.b is not None:
                held = [] if slot.a is None else held_by_dummies(frame, location, slot.a)
                kept = [(one.b, one.b.copy(order="F")) for one in held if one.b is not None]
                slot.b[...] = 0
                for adjoint, old in kept:
                    adjoint[...] = old


def held_by_dummies(frame: Frame, location: Location, memory: Array) -> list[Slot]:
    """The dummy arguments, of the procedures that run, that are some of a location's ``memory`` by another name. What a
    variable has in common with one of them is not the variable's to lose.

    ``call inner(w(0))``, and inner, an internal procedure with the argument z, writes ``w(k)``: two locations, and
    rightly, for what is passed is changed by the dummy argument's name only (Fortran 2018, 15.5.2.13), so that w stands
    for all elements but a written z. Who destroys all of w, because nobody needs it, or forgets its adjoint, spares
    z. The same holds of variables in modules and COMMON, of an array that is passed with one of its elements, and
    of arguments further up: ``call outer(w(0))``, and inner, which outer calls, destroys w. What z loses goes by its
    own name. A dummy argument with all of the memory of another one was passed on as that, or is not written.
    """
    passed, area = frame.memory.passed, location.area
    own = None
    if area.kind == "formal":
        if not passed.together:
            return []
        own = frame.slot_of(area, location.path)
    elif area not in passed.areas:
        return []
    found: list[Slot] = []
    caller: Frame | None = frame
    while caller is not None:
        for number in caller.code.dummies if caller.code is not None else ():
            one = caller.s[number]
            if one.a is not None and np.may_share_memory(one.a, memory) and not _has_all(one, own):
                found.append(one)
        caller = caller.caller
    return found


def _has_all(outer: Slot, inner: Slot | None) -> bool:
    """Has a dummy argument all the memory of another one?"""
    if inner is None or inner.a is None or outer.a is None:
        return False
    (first, last), (low, high) = _ends(outer.a), _ends(inner.a)
    return first <= low and high <= last
