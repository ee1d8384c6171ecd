"""Memory while a program runs: global variables, frames, argument association."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeAlias

from snapset.analysis.memory.locations import Band, Location
from snapset.analysis.replay.memory.associations import (
    Association,
    OwnerCell,
    PointerCell,
    ProcedureValue,
    follow,
    hosts_in,
    in_sequence,
    place_of,
)
from snapset.analysis.replay.memory.dynamic_types import TypeTag
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.random_and_clock import RandomAndClock
from snapset.analysis.replay.memory.runtime_support import (
    LOST,
    Array,
    Index,
    NotExecutedError,
    ReplayError,
    Slot,
    about,
    shortened,
)
from snapset.analysis.replay.memory.variable_slots import NOTHING_PASSED, OWNER, POINTER, PassedVariables
from snapset.frontend import ir

Path: TypeAlias = tuple[str, ...]
Actual: TypeAlias = "list[tuple[Slot, Index]] | ProcedureValue | None"
Bounds: TypeAlias = "list[tuple[int, int | None]]"
GLOBAL = frozenset(("module", "common", "saved"))
UNDEFINED = 0xFF  # as bytes: NaN for reals, -1 for integers
_POISON: Final = {"f": math.nan, "c": complex(math.nan, math.nan), "O": LOST}
_CELLS: Final = {POINTER: PointerCell, OWNER: OwnerCell, "O": Slot}


def undefined(array: Array) -> None:
    """Poison: NaN, an integer no program means, a pointer that may not be followed."""
    kind = array.dtype.kind
    if kind == "S":
        array[...] = bytes((UNDEFINED,)) * array.dtype.itemsize
    elif kind == "i":
        array.fill(-(1 << 8*array.dtype.itemsize - 2))
    elif array.dtype == np.uint8:
        array.fill(UNDEFINED)
    else:
        array.fill(_POISON[kind])


def fresh(dtype: str, bounds: Bounds) -> Slot:
    """New undefined memory with the given bounds; pointers are associated with nothing."""
    shape = tuple([max(0, (lo if up is None else up) - lo + 1) for lo, up in bounds])
    lows = tuple([lo for lo, _ in bounds])
    if dtype in _CELLS:
        return _CELLS[dtype](np.full(shape, None, "O", "F"), None, lows)
    of = element(dtype)
    a: Array = np.empty(shape, of, "F") if of.itemsize else np.ndarray(shape, of, order="F")  # np.empty makes S1 of S0
    undefined(a)
    return Slot(a, np.zeros(shape, of, "F") if of.kind in "fc" else None, lows)


class Unmade(Slot):
    """Memory of an assumed-size argument of the head, made when its other extents are known: ``last`` is the open one,
    but where ``count`` elements are given."""

    __slots__ = ("count", "last")
    count: int
    last: int

    def closed(self, bounds: Bounds) -> Bounds:
        """The bounds with the open one."""
        known = math.prod(max(0, up - lo + 1) for lo, up in bounds if up is not None)
        last = -(-self.count // known) if self.count and known else self.last
        return [(lo, lo + last - 1 if up is None else up) for lo, up in bounds]


@cache
def element(dtype: str) -> np.dtype[Any]:
    """NumPy's type of an element."""
    return np.dtype("O" if dtype in _CELLS else dtype)


class Buffer:
    """Storage that several variables overlay (COMMON, EQUIVALENCE): bytes of values and of adjoints."""

    __slots__ = ("a", "b")

    def __init__(self, size: int) -> None:
        self.a: Array = np.full(size, UNDEFINED, np.uint8)
        self.b: Array = np.zeros(size, np.uint8)

    def slot(self, dtype: str, bounds: Bounds, offset: int, sizes: Sequence[int]) -> Slot:
        """``sizes``: of each dimension the bytes of what it counts, an element, an object that holds the component."""
        shape = tuple(max(0, (lo if up is None else up) - lo + 1) for lo, up in bounds)
        lo = tuple(low for low, _ in bounds)
        steps = stepping(shape, sizes)
        a: Array = np.ndarray(shape, dtype, self.a.data, offset, steps)
        b: Array = np.ndarray(shape, dtype, self.b.data, offset, steps)
        return Slot(a, b if a.dtype.kind in "fc" else None, lo)


def stepping(shape: Sequence[int], sizes: Sequence[int]) -> tuple[int, ...]:
    """By dimension, how many bytes apart two neighbours are; ``sizes``: the bytes of what each of them counts."""
    return tuple(size * math.prod(n for n, other in zip(shape[:at], sizes[:at], strict=True) if other == size)
                 for at, size in enumerate(sizes))


@dataclass(slots=True)
class Memory:
    """Global variables. ``shared``: the size in bytes of every area that views overlay. ``hosts``: those of internal
    procedures. ``world``: random numbers. ``ranked``: the rank that runs, and its way to the others. ``depths``: with
    how many parts of a reference a slot is allocated, where it can be. ``targets``: what the head's arguments that are
    pointers led to on entry. ``passed``: which memory may be a dummy argument's and have another name, too."""

    shared: Mapping[ir.Area, int]
    hosts: Mapping[str, str]
    slots: dict[tuple[ir.Area, Path], Slot] = field(default_factory=dict)
    buffers: dict[ir.Area, Buffer] = field(default_factory=dict)
    world: RandomAndClock = field(default_factory=RandomAndClock)
    ranked: Any = None
    depths: dict[tuple[ir.Area, Path], int] = field(default_factory=dict)
    targets: dict[str, Association] = field(default_factory=dict)
    passed: PassedVariables = NOTHING_PASSED

    def buffer(self, area: ir.Area) -> Buffer:
        if area not in self.buffers:
            self.buffers[area] = Buffer(self.shared[area])
        return self.buffers[area]


class Frame:
    """One run of a procedure, ``caller`` that of the one which calls it. ``loops``: [iterations left, step] by loop;
    ``masks``: WHERE masks by node.

    ``pending``: what a FORALL assigns when it is done. ``sides``: what the statement whose adjoint runs recorded.
    ``procedures``: what the dummy procedures are.
    """

    __slots__ = ("alternate", "buffers", "caller", "code", "host", "loops", "masks", "memory", "pending", "procedures",
                 "s", "sides")

    def __init__(self, code: Any, memory: Memory, host: Frame | None) -> None:
        self.code = code
        self.memory = memory
        self.host = host
        self.caller: Frame | None = None
        self.s: list[Slot] = []
        self.buffers: dict[ir.Area, Buffer] = {}
        self.loops: dict[int, list[int]] = {}
        self.masks: dict[int, Array] = {}
        self.alternate = 0
        self.pending: list[tuple[Slot, Index, Any]] = []
        self.sides: tuple[Any, ...] = ()
        self.procedures: dict[str, ProcedureValue | None] = {}

    def procedure(self, name: str) -> ProcedureValue | None:
        """What a dummy procedure of this procedure or its hosts is."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.procedures:
                return frame.procedures[name]
            frame = frame.host
        return None

    def running(self, key: str) -> Frame | None:
        """The run of a procedure that this frame is in: its own, its host's."""
        frame: Frame | None = self
        while frame is not None and (frame.code is None or frame.code.procedure.key != key):
            frame = frame.host
        return frame

    def slot_of(self, area: ir.Area, path: Path) -> Slot | None:
        """The memory of a leaf as this frame sees it; None where the program never touches it."""
        key = area, path
        if area.kind in GLOBAL:
            return self.memory.slots.get(key)
        for frame in self.within_reach():
            number: int | None = frame.code.placed.get(key)
            if number is not None:
                return frame.s[number]
        return None

    def leaves(self, area: ir.Area) -> Iterator[tuple[Path, int, Slot]]:
        """The memory of a variable as this frame sees it: the path of each leaf, with how many parts of a reference it
        is allocated (0: with none), its slot."""
        if area.kind in GLOBAL:
            yield from ((path, self.memory.depths.get((owner, path), 0), slot)
                        for (owner, path), slot in self.memory.slots.items() if owner == area)
            return
        for frame in self.within_reach():
            found = [(path, number) for (owner, path), number in frame.code.placed.items() if owner == area]
            if found:
                yield from ((path, frame.code.layout.slots[number].leaf.depth, frame.s[number])
                            for path, number in found)
                return

    def pieces(self, location: Location) -> tuple[Slot, ...]:
        """The memory of a location of the analysis (bytes, where it is a piece of overlaid storage): none, one piece,
        or several behind pointers."""
        if location.band is not None:
            cut = self.cells(location)
            return () if cut is None else (cut,)
        path, pointer = location.path, location.is_association
        if location.is_allocation:  # no memory itself
            return ()
        path = path[:-1] if pointer else path
        for depth in range(len(path), -1, -1):
            slot = None if location.area in self.memory.shared else self.slot_of(location.area, path[:depth])
            if slot is not None and (depth < len(path) or (isinstance(slot, PointerCell) and not pointer)):
                return tuple({place_of(one.a): one for one in follow(slot, path[depth:], pointer)
                              if one.a is not None}.values())
            if slot is not None:
                return (slot,)
        slot = self.cells(location)
        return self.below(location) if slot is None else (slot,)

    def below(self, location: Location) -> tuple[Slot, ...]:
        """The memory of the components of what is one location for there being too many of them."""
        area, path = location.area, location.path
        if area.kind in GLOBAL:
            named: Iterable[tuple[ir.Area, Path]] = self.memory.slots.keys()
        else:
            owner = next((frame for frame in self.within_reach() if any(key[0] == area for key in frame.code.placed)),
                         None)
            named = () if owner is None else owner.code.placed.keys()
        leaves = [key[1] for key in named if key[0] == area and key[1][:len(path)] == path]
        slots = [slot for leaf in leaves if (slot := self.slot_of(area, leaf)) is not None]
        return tuple(slot for slot in slots if not isinstance(slot, PointerCell | OwnerCell | TypeTag))

    def within_reach(self) -> Iterator[Frame]:
        """This frame, those of the procedures that it stands in, and those of internal procedures that it is passed or
        has pointers to, in globals then: ``call apply(touch)`` lets apply's call of touch change what is touch's
        host's. At last those of its callers, which such pointers led to before: what is saved of a caller's variable
        is saved here even if the procedure that changes it is another one this time."""
        seen: set[Frame] = set()
        yield from _reached([self], seen)
        yield from _reached(list(hosts_in({}, self.memory.slots.values())), seen)
        caller = self.caller
        while caller is not None:
            yield from _reached([caller], seen)
            caller = caller.caller

    def cells(self, location: Location) -> Slot | None:
        """The memory of a location that no pointer leads to."""
        if location.area not in self.memory.shared:
            slot = self.slot_of(location.area, location.path)
            return slot if location.band is None or slot is None else _within(slot, location.band)
        key, local = location.area.owner, location.area.kind not in GLOBAL
        owner = next((frame for frame in self.within_reach() if frame.code and frame.code.procedure.key == key),
                     None) if local else None
        buffer = owner.buffers.get(location.area) if owner is not None else None
        if buffer is None:
            buffer = self.memory.buffer(location.area)
        low, high = location.segment or (0, buffer.a.size)
        return Slot(buffer.a[low:high], buffer.b[low:high], (0,))


def _reached(work: list[Frame], seen: set[Frame]) -> Iterator[Frame]:
    for first in work:
        frame: Frame | None = first
        while frame is not None and frame not in seen:
            yield frame
            seen.add(frame)
            work += hosts_in(frame.procedures, frame.s)
            frame = frame.host


def _within(slot: Slot, band: Band) -> Slot:
    """A band of an array, as a view of it."""
    if slot.a is None:
        return slot
    index = tuple(slice(max(0, low - lo), max(0, high - lo + 1)) for (low, high), lo in zip(band, slot.lo, strict=True))
    return slot.like(slot.a[index], None if slot.b is None else slot.b[index],
                     tuple(max(low, lo) for (low, _), lo in zip(band, slot.lo, strict=True)))


def adapt(slot: Slot, index: Index, variable: ir.Variable, dtype: str, own: int, bounds: Bounds) -> Slot:
    """A dummy argument's memory: a view of the actual argument's.

    ``own``: how many of the dimensions are the dummy argument's own (the rest are its components').

    Raises:
        ReplayError: a section that would have to be copied in and out.
    """
    if variable.allocatable:
        return slot
    if slot.a is None:
        if isinstance(slot, Unmade):
            bounds = slot.closed(bounds)
        elif variable.optional or not bounds:
            return Slot(None, None, (), absent=True)
        made = fresh(dtype, bounds)
        slot.a, slot.b, slot.lo = made.a, made.b, made.lo
        return slot
    have, want = slot.a.dtype, element(dtype)
    if have.kind == want.kind == "S":
        slot, index = _of_length(slot, index, want.itemsize or have.itemsize), ()
    elif have != want:
        raise ReplayError(f"an argument of `{variable.name}` has another type")
    kind = variable.shape.kind
    a, b = slot.values[(*index, Ellipsis)], None if slot.b is None else slot.b[(*index, Ellipsis)]
    if any(isinstance(i, np.ndarray) for i in index):
        raise NotExecutedError("an argument with a vector subscript")
    if kind in ("scalar", "assumed-shape", "deferred"):
        extra = slot.lo[len(slot.lo) - (a.ndim - own):] if a.ndim > own else ()
        return slot.like(a, b, (*(lo for lo, _ in bounds[:own]), *extra))
    shape = tuple(-1 if up is None else max(0, up - lo + 1) for lo, up in bounds)
    lows = tuple(lo for lo, _ in bounds)
    if a.shape == shape:
        return slot.like(a, b, lows)
    return slot.like(in_sequence(slot.values, a, index, shape, own), None if b is None or slot.b is None
                     else in_sequence(slot.b, b, index, shape, own), lows)


def _of_length(slot: Slot, index: Index, length: int) -> Slot:
    """Characters passed, as elements of another length: the first ones of a longer one, or all of them."""
    a = slot.values[(*index, Ellipsis)]
    if length == a.dtype.itemsize:
        return Slot(a, None, slot.lo if not index else (1,) * a.ndim)
    if a.ndim or length > a.dtype.itemsize:
        raise ReplayError("characters are passed for characters of another length")
    return Slot(shortened(a, 0, length), None, ())


def result_memory(slot: Slot, dtype: str, bounds: Bounds) -> Slot:
    """A function result's memory: the caller's, which is made anew where this call's result has another shape.

    What the caller's temporary held before is another object then: who goes back to it brings its memory back.
    """
    if not bounds or any(up is None for _, up in bounds):
        slot.a = None
        return slot
    made = fresh(dtype, bounds)
    if slot.a is None or slot.a.shape != made.values.shape:
        slot.a, slot.b, slot.lo = made.a, made.b, (1,) * len(bounds)
    return Slot(slot.a, slot.b, made.lo)


def allocate(slot: Slot, dtype: str, bounds: Bounds) -> None:
    """ALLOCATE. Raises ReplayError where the variable already is.

    An adjoint that is there already is that of the same object, which a second run makes anew.
    """
    if slot.is_there():
        raise about(slot, "ALLOCATE of `{}`, which is allocated", "ALLOCATE of what is allocated")
    made = fresh(dtype, bounds)
    waiting = slot.b is not None and slot.b.shape == made.values.shape
    slot.a, slot.b, slot.lo = made.a, slot.b if waiting else made.b, made.lo


def deallocate(slot: Slot, certain: bool) -> None:
    """DEALLOCATE, or (not ``certain``) what becomes of an allocatable variable that may be allocated. Its adjoint waits
    for the object to be made anew. Raises ReplayError where there is nothing to deallocate."""
    if certain and not slot.is_there():
        raise about(slot, "DEALLOCATE of `{}`, which is not allocated", "DEALLOCATE of what is not allocated")
    slot.free()


class Bound(list["Actual"]):
    """The actual arguments of a call, and the procedure that it runs."""

    __slots__ = ("to",)

    def __init__(self, to: ProcedureValue, actuals: Iterable[Actual]) -> None:
        super().__init__(actuals)
        self.to = to


def procedure(frame: Frame, key: str) -> ProcedureValue:
    """A procedure by its name where ``frame`` runs; an internal one belongs to this run of its host."""
    host = frame.memory.hosts.get(key)
    return ProcedureValue(key, None if host is None else frame.running(host))


def gone(slot: Slot) -> None:
    """Nothing is left of memory that is given back."""
    if isinstance(slot, OwnerCell):
        for one in slot.associations():
            for inner in one.leaves.values():
                gone(inner)
    elif slot.a is not None and not isinstance(slot, TypeTag):
        undefined(slot.a)
        if slot.b is not None:
            slot.b[...] = 0


Maker = Callable[[Frame], Slot]
