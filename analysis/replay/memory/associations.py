"""What pointers hold while a program runs: associations with memory, and procedures.

A pointer is a :class:`PointerCell`, memory as any other, whose elements are associations (None: with nothing). So what
a pointer is associated with is overwritten, taped, saved and destroyed as numbers are; its size is an address's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from snapset.analysis.replay.memory.dynamic_types import TAG, TypeTag
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import (
    LOST,
    Array,
    Index,
    NotExecutedError,
    ReplayError,
    Slot,
    about,
)
from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from snapset.analysis.replay.memory.frames import Frame

Path: TypeAlias = tuple[str, ...]
Bounds: TypeAlias = "list[tuple[int, int | None]]"


@frozen(eq=False)
class Association:
    """Memory a pointer leads to: a slot for each leaf of the type it points to, by component names.

    ``made``: those of the variable that it was associated with; ``memory``: what they were then, None of what follows
    no MOVE_ALLOC."""

    made: Mapping[Path, Slot]
    memory: Mapping[Path, Array | None] | None = None

    @property
    def leaves(self) -> Mapping[Path, Slot]:
        """Those of who has the memory now: behind ``p => a; call move_alloc(a, b)`` b's."""
        if self.memory is None or not any(slot.given for slot in self.made.values()):
            return self.made
        return {path: having(slot, self.memory[path], len(path)) for path, slot in self.made.items()}


def having(slot: Slot, memory: Array | None, depth: int) -> Slot:
    """Who has the memory that was a variable's, if MOVE_ALLOC took it; else this variable itself.

    ``depth``: how many components it is below the object that is asked about. Where less than that was moved, a
    component of the object and not the object, this is still the component: ``l => o; call move_alloc(l%w, v)``. Of
    several that have taken it, in two runs of one procedure perhaps, it is with the one whose run is taken back now.
    """
    asked = [] if memory is None else [slot]
    for one in asked:
        if one.a is memory:
            return one
        takers = [taker for was, taker, moved in reversed(one.given) if was() is memory and moved >= depth]
        asked += [taker for taker in dict.fromkeys(takers) if taker not in asked]
    return slot


@frozen
class ProcedureValue:
    """A procedure by its key, an internal one with the run of its host."""

    key: str
    host: Frame | None = None


def hosts_in(dummies: Mapping[str, ProcedureValue | None], slots: Iterable[Slot]) -> Iterator[Frame]:
    """The runs of procedures whose internal procedures are passed or have pointers to them, in what pointers lead to,
    too."""
    yield from (one.host for one in dummies.values() if one is not None and one.host is not None)
    work, seen = list(slots), set[int]()
    for slot in work:
        if slot.a is not None and slot.a.dtype.kind == "O" and id(slot.a) not in seen:
            seen.add(id(slot.a))
            for one in slot.a.flat:
                if isinstance(one, Association):
                    work += one.leaves.values()
                elif isinstance(one, ProcedureValue) and one.host is not None:
                    yield one.host


class PointerCell(Slot):
    """Memory of pointers: an array of associations."""

    __slots__ = ()

    def associations(self) -> Iterator[Association]:
        """Those there are."""
        if self.a is not None:
            yield from (one for one in self.a.reshape(-1) if isinstance(one, Association))


class OwnerCell(PointerCell):
    """Allocatable components of the elements of an array: for each element an association that never changes, made when
    it is first asked for, with memory that is allocated and deallocated."""

    __slots__ = ()


class AllocationCell(Slot):
    """An allocation, or those of an array's elements. ``slots``: what has memory by it; ``owners``: the arrays whose
    elements' allocations these are; ``count``: how many there are, ``bytes`` of each."""

    __slots__ = ("bytes", "count", "owners", "slots")

    def __init__(self, slots: Iterable[Slot], owners: Iterable[Slot] = (), count: int = 1, size: int = 0) -> None:
        super().__init__(None, None, ())
        self.slots = tuple(slots)
        self.owners = tuple(owners)
        self.count = count
        self.bytes = size


def allocation_cell(size: int, *slots: Slot) -> AllocationCell:
    """What a statement changes of one allocation."""
    return AllocationCell(slots, (), 1, size)


def allocation_cells(size: int, owner: Slot) -> AllocationCell:
    """What a statement changes of those of an array's elements."""
    count = 0 if owner.a is None else owner.a.size
    return AllocationCell(owned(owner.a), (), count, size * count)


def owned(elements: Array | None) -> Iterator[Slot]:
    """What has memory by the allocations of an array's elements: ``h(1)%u``, ``h(2)%u``, ... if u was ever asked
    for."""
    for one in () if elements is None else elements.reshape(-1, order="F"):
        if isinstance(one, Association):
            yield from one.leaves.values()


def own(slot: Slot, index: Index, path: Path, kind: str, rank: int) -> Slot:
    """The memory of one leaf of an element's allocatable component. ``kind``: how it is made that has none yet."""
    one: Any = slot.values[index]
    if one is LOST:
        raise ReplayError("a component of an element is used that nobody kept")
    if not isinstance(one, Association):
        one = Association({})
        slot.values[index] = one
    leaves = one.made
    assert isinstance(leaves, dict)
    if path not in leaves:
        leaves[path] = unallocated(kind, rank)
    found: Slot = leaves[path]
    return found


def unallocated(kind: str, rank: int) -> Slot:
    """A leaf's memory before it is allocated. What of an object is a pointer is one then, too: what is asked of it is
    asked of what it leads to."""
    if kind == TAG:
        return TypeTag(None, None, ())
    return {"=>": PointerCell, "%%": OwnerCell}.get(kind, Slot)(None, None, (1,) * rank)


def held(slot: Slot, index: Index) -> Any:
    """What one pointer holds. Raises ReplayError for one whose association was lost."""
    found: Any = slot.values[index]
    if found is LOST:
        raise about(slot, "the pointer `{}` is used, whose association nobody kept",
                    "a pointer is used whose association nobody kept")
    return found


def to(slot: Slot, index: Index, path: Path) -> Slot:
    """The memory behind a pointer. Raises ReplayError where it leads to nothing."""
    found = held(slot, index)
    if found is None:
        raise about(slot, "the pointer `{}` is used, which is not associated",
                    "a pointer is used that is not associated")
    memory: Slot | None = found.leaves.get(path)  # None: a component that the object's type does not have
    return Slot(None, None, ()) if memory is None else memory


def perhaps(slot: Slot, index: Index, path: Path) -> Slot:
    """The memory behind a pointer that is passed to an OPTIONAL dummy argument, absent where it leads to nothing."""
    return Slot(None, None, ()) if held(slot, index) is None else to(slot, index, path)


def view(slot: Slot, index: Index, rank: int, whole: bool) -> Slot:
    """A part of memory as a target of its own. ``rank``: of the reference; ``whole``: it has no subscripts and keeps
    its lower bounds.

    Raises:
        ReplayError: a vector subscript.
    """
    if any(isinstance(one, np.ndarray) for one in index):
        raise NotExecutedError("a pointer to elements chosen by a vector subscript")
    if slot.a is None or (whole and not index):
        return slot
    a, b = slot.a[(*index, Ellipsis)], None if slot.b is None else slot.b[(*index, Ellipsis)]
    return slot.like(a, b, (1,) * rank + slot.lo[len(slot.lo) - (a.ndim - rank):])


def target(leaves: Mapping[Path, Slot]) -> Association | None:
    """An association with memory; None where there is none (a variable that is not allocated)."""
    absent = (slot.a is None and (slot.absent or path == (TAG,)) for path, slot in leaves.items())
    return None if any(absent) else Association(leaves, {path: slot.a for path, slot in leaves.items()})


def bounded(association: Association | None, own: int, lower: tuple[int, ...],
            upper: tuple[int, ...]) -> Association | None:
    """``p(lower:) => ...`` or ``p(lower:upper) => ...`` with the bounds given. ``own``: the rank of what is pointed to.

    Raises:
        ReplayError: fewer elements than the bounds ask for, or elements that do not follow each other evenly.
    """
    if association is None:
        return None
    return Association({path: slot if isinstance(slot, TypeTag) else _bounded(slot, own, lower, upper)
                        for path, slot in association.leaves.items()})


def _bounded(slot: Slot, own: int, lower: tuple[int, ...], upper: tuple[int, ...]) -> Slot:
    if slot.a is None:
        return slot
    inner = slot.lo[own:]
    if not upper:
        return slot.like(slot.a, slot.b, (*lower, *inner))
    shape = tuple(max(0, high - low + 1) for low, high in zip(lower, upper, strict=True))
    return slot.like(_remapped(slot.a, own, shape), None if slot.b is None else _remapped(slot.b, own, shape),
                     (*lower, *inner))


def _remapped(array: Array, own: int, shape: tuple[int, ...]) -> Array:
    """The first elements of an array, in array element order, in another shape: the same memory."""
    count, strides = int(np.prod(array.shape[:own])), array.strides
    if int(np.prod(shape)) > count:
        raise ReplayError("a pointer is given more elements than its target has")
    for place in range(1, own):
        if array.shape[place] > 1 and strides[place] != strides[place - 1] * array.shape[place - 1]:
            raise ReplayError("a pointer is given new bounds over elements that do not follow each other evenly")
    steps = []
    step = strides[0] if own else 0
    for extent in shape:
        steps.append(step)
        step *= extent
    return np.lib.stride_tricks.as_strided(array, (*shape, *array.shape[own:]), (*steps, *strides[own:]))


def associated(one: Any, other: Any) -> bool:
    """ASSOCIATED with a target, both as what a pointer holds."""
    if one is None or other is None:
        return False
    if isinstance(one, ProcedureValue):
        return bool(one == other)
    both = {path: slot for path, slot in one.leaves.items() if path in other.leaves and (
        path[-1:] != (TAG,) or len(one.leaves) == 1)}
    return all(_same(slot, other.leaves[path]) for path, slot in both.items())


def _same(one: Slot, other: Slot) -> bool:
    if one.a is None or other.a is None:
        return one is other
    return place_of(one.a) == place_of(other.a)


def place_of(array: Array) -> object:
    """Where an array lies: the same for two views of the same elements."""
    interface = array.__array_interface__
    return interface["data"][0], array.shape, array.strides, array.dtype


def chosen(procedure: Any, ways: Mapping[str, Callable[[], Any]]) -> Any:
    """The way of the procedure that a pointer or dummy procedure is.

    Raises:
        ReplayError: it is none, or one that the analysis does not know of.
    """
    if procedure is None or procedure is LOST:
        raise ReplayError("a procedure pointer is called that is not associated" if procedure is None else
                          "a procedure pointer is called whose association nobody kept")
    if procedure.key not in ways:
        raise ReplayError(f"{procedure.key} is called, which the analysis does not expect here")
    return ways[procedure.key]()


def reachable(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Memory with all that the pointers in it lead to, each piece once."""
    found: dict[object, Slot] = {}
    work = [slot for slot in slots if slot.a is not None]
    while work:
        slot = work.pop()
        assert slot.a is not None
        place = place_of(slot.a)
        if place in found:
            continue
        found[place] = slot
        if isinstance(slot, PointerCell):
            work += [one for held in slot.associations() for one in held.leaves.values()
                     if one.a is not None and not isinstance(one, TypeTag)]
    return tuple(found.values())


def follow(slot: Slot, path: Path, pointer: bool) -> Iterator[Slot]:
    """The memory at ``path`` behind the pointers in ``slot``. At a pointer: itself (``pointer``) or all it leads to."""
    for one in slot.associations() if isinstance(slot, PointerCell) else ():
        if not path:
            yield from reachable(leaf for leaf in one.leaves.values() if not isinstance(leaf, TypeTag))
            continue
        for depth in range(len(path) + 1):
            inner = one.leaves.get(path[:depth])
            if inner is not None and depth == len(path) and (pointer or not isinstance(inner, PointerCell)):
                yield inner
            elif isinstance(inner, PointerCell):
                yield from follow(inner, path[depth:], pointer)
                break


NAMES: Mapping[str, object] = MappingProxyType({
    "to": to, "perhaps": perhaps,
    "own": own, "held": held, "view": view, "target": target, "bounded": bounded, "associated": associated,
    "chosen": chosen, "allocation_cell": allocation_cell, "allocation_cells": allocation_cells,
    "unallocated": unallocated,
})


def in_sequence(base: Array, view: Array, index: Index, shape: tuple[int, ...], own: int) -> Array:
    """Sequence association: the elements from the actual argument on, in another shape. ``own``: how many dimensions of
    that are the dummy argument's; behind them are those of a component, of which each element has all: what follows
    ``o(2)`` in memory is ``o(3)``, with its own ``v(:)``."""
    inside, shape = shape[own:], shape[:own]
    outer = base.ndim - len(inside)
    if view.ndim == len(inside) and outer:
        flat = base.reshape((-1, *inside), order="F")
        start = int(np.ravel_multi_index(index[:outer], base.shape[:outer], order="F"))
    else:
        flat, start = view.reshape((-1, *inside), order="F"), 0
    if flat.size and not np.shares_memory(flat, base):
        raise NotExecutedError("an array section is passed that would have to be copied")
    count, there = math.prod(shape[:-1]), len(flat) - start
    last = shape[-1] if shape[-1] >= 0 else there // max(1, count) if inside else -(-there // max(1, count))
    if count * last > there:
        if inside:
            raise NotExecutedError("objects are passed where more of them are expected")
        from snapset.analysis.replay.memory.partial_columns import PartialColumns  # an array of NumPy's

        return PartialColumns.of(flat[start:], (*shape[:-1], last))
    return flat[start:start + count * last].reshape((*shape[:-1], last, *inside), order="F")
