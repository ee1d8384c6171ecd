"""Entering a procedure: how the memory of each of its slots is found or made, decided once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure
from snapset.analysis.replay.memory.associations import unallocated
from snapset.analysis.replay.memory.dynamic_types import TypeTag, untyped
from snapset.analysis.replay.memory.frames import (
    GLOBAL,
    Actual,
    Bounds,
    Buffer,
    Frame,
    adapt,
    element,
    fresh,
    result_memory,
)
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Slot
from snapset.analysis.replay.memory.variable_slots import SlotPlace, refuse
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.symbols.storage_association import placed

Maker: TypeAlias = Callable[[Frame, Sequence[Actual]], Slot]
Shared: TypeAlias = Mapping[ir.Area, int]


@frozen
class ProcedureEntry:
    """How a procedure is entered. ``makers``: for each of its slots, in order, a function of the frame and the actual
    arguments (the result's last); ``procedures``: its arguments that are procedures, with their places."""

    makers: tuple[tuple[int, Maker], ...]
    procedures: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, code: CompiledProcedure, shared: Shared) -> ProcedureEntry:
        formals, variables = code.procedure.formals, code.procedure.variables
        return cls(tuple((place.number, maker(place, code, shared)) for place in code.entry),
                   tuple((at, name) for at, name in enumerate(formals) if name not in variables))


def maker(place: SlotPlace, code: CompiledProcedure, shared: Shared) -> Maker:
    """How the memory of one slot is found or made. ``shared``: the areas that several variables overlay."""
    variable, area, path = place.variable, place.variable.area, place.leaf.path
    if variable.value is not None:
        return _constant(place, code)
    if area in shared:
        return _overlaid(place, code, shared)
    if area.kind in GLOBAL:
        key = area, path
        return lambda frame, _: frame.memory.slots[key]
    names = (*code.procedure.formals, *((code.procedure.result,) if code.procedure.result else ()))
    if area.owner == code.procedure.key:
        return _passed(place, code, names.index(variable.name)) if variable.name in names else made(place, code)
    local = made(place, code)

    def of_the_host(frame: Frame, actuals: Sequence[Actual]) -> Slot:
        found = frame.host.slot_of(area, path) if frame.host is not None else None
        return local(frame, actuals) if found is None else found

    return of_the_host


def check_memory(place: SlotPlace, shared: Shared) -> None:
    """Raises RefusedError for memory that the machine cannot lay out."""
    if place.variable.area not in shared:
        return
    if place.variable.pointer or place.leaf.allocatable or not place.leaf.has_values:
        raise refuse(f"`{place.variable.name}`, a pointer in overlaid storage", place.variable.span)


def start_of(place: SlotPlace) -> ir.Expr | None:
    """What a variable, or a component by its type, holds when the program starts."""
    return place.variable.start if place.variable.initialised else place.leaf.default


def check_start(place: SlotPlace) -> None:
    """Raises RefusedError for a SAVEd variable whose start value is not understood, which must then be given, and for a
    global one of a type whose values are not."""
    variable, start = place.variable, start_of(place)
    if variable.area.kind == "saved" and variable.initialised and start is None:
        raise refuse(f"the initial value of `{variable.name}`", variable.span)
    if place.leaf.initialised and not variable.initialised and variable.area.kind in GLOBAL:
        items = start.items if isinstance(start, ir.ArrayConstructor) else (start,)
        if not all(isinstance(item, ir.Structure) or (isinstance(item, ir.Literal_) and item.value is not None)
                   for item in items):
            raise refuse(f"the initial value of `{'%'.join((variable.name, *place.leaf.path))}`", variable.span)


def _constant(place: SlotPlace, code: CompiledProcedure) -> Maker:
    """Memory of a PARAMETER, the same in every run."""
    kept: list[Slot] = []

    def make(frame: Frame, _: Sequence[Actual]) -> Slot:
        if not kept:
            given = code.constants[place.number](frame.s)
            if given is None:  # a pointer or allocatable component
                return made(place, code)(frame, ())
            value = np.asarray(given)
            bounds: Bounds = code.bounds[place.number](frame.s)
            if value.ndim == len(bounds):  # a scalar, or an object with vectors, is the value of every element
                bounds = [(lo, lo + n - 1 if up is None else up)
                          for (lo, up), n in zip(bounds, value.shape, strict=True)]
            slot = fresh(place.leaf.dtype, bounds)
            slot.values[...] = value.reshape(slot.values.shape, order="F") if value.size == slot.values.size else value
            slot.b = None
            kept.append(slot)
        return kept[0]

    return make


def _overlaid(place: SlotPlace, code: CompiledProcedure, shared: Shared) -> Maker:
    area, dtype, bounds = place.variable.area, place.leaf.dtype, code.bounds[place.number]
    offset, sizes = overlaid_place(place, code.layout.types)

    def make(frame: Frame, _: Sequence[Actual]) -> Slot:
        if area.kind in GLOBAL:
            return frame.memory.buffer(area).slot(dtype, bounds(frame.s), offset, sizes)
        owner = frame.running(area.owner) or frame
        return owner.buffers.setdefault(area, Buffer(shared[area])).slot(dtype, bounds(frame.s), offset, sizes)

    return make


def overlaid_place(place: SlotPlace, types: Mapping[str, ir.DerivedType]) -> tuple[int, tuple[int, ...]]:
    """The byte of its area that a leaf begins at, and of each of its dimensions the bytes of what it counts."""
    variable, offset, sizes = place.variable, place.variable.offset, list[int]()
    for name, rank in zip((*place.leaf.path, ""), place.leaf.ranks, strict=True):
        sizes += [variable.type.bytes or 1]*rank
        if name:
            inside = placed(types[variable.type.derived or ""].components)
            variable, first = next((one, at) for one, at in inside if one.name == name)
            offset += first or 0
    return offset, tuple(sizes)


def _passed(place: SlotPlace, code: CompiledProcedure, position: int) -> Maker:
    """A dummy argument: the actual argument's own slot where it has the same shape and bounds, else a view of it."""
    variable, leaf = place.variable, place.leaf
    at = [p.number for p in code.layout.places(variable.name, variable.span)].index(place.number)
    dtype, own, kind, rank = element(leaf.dtype), leaf.ranks[0], variable.shape.kind, len(leaf.dims)
    deferred, bounds_of = kind == "deferred", code.bounds[place.number]
    if leaf.is_tag:
        return _type_passed(position, at, variable.name == code.procedure.result)
    result = variable.name == code.procedure.result and not variable.pointer
    length = code.lengths.get(place.number)
    if place.leaf.dtype == "S" and result and not place.leaf.allocatable:
        return _characters_made(position, at, length, bounds_of)

    def scalar(frame: Frame, actuals: Sequence[Actual]) -> Slot:
        actual = actuals[position]
        if not isinstance(actual, list):
            return Slot(None, None, (), absent=True)
        slot, index = actual[at]
        if not index and slot.a is not None and slot.a.ndim == 0 and slot.a.dtype == dtype:
            return slot
        if slot.a is None and leaf.having:
            return slot  # of another type than the object is of
        return adapt(slot, index, variable, leaf.dtype if length is None else f"S{length(frame.s)}", own, [])

    def array(frame: Frame, actuals: Sequence[Actual]) -> Slot:
        actual = actuals[position]
        if not isinstance(actual, list):
            return Slot(None, None, (), absent=True)
        slot, index = actual[at]
        if slot.a is None and leaf.having and not result:
            return slot
        bounds: Bounds = [] if deferred else bounds_of(frame.s)
        if result and not index and (rank or leaf.allocatable):
            return result_memory(slot, leaf.dtype, [] if leaf.allocatable else bounds)
        if leaf.allocatable:
            return slot
        if kind == "explicit" and not index and slot.a is not None and slot.a.dtype == dtype \
                and rank == own and slot.lo == tuple([lo for lo, _ in bounds]) \
                and slot.a.shape == tuple([-1 if up is None else max(0, up - lo + 1) for lo, up in bounds]):
            return slot
        return adapt(slot, index, variable, leaf.dtype if length is None else f"S{length(frame.s)}", own, bounds)

    return scalar if rank == 0 and not (leaf.allocatable or variable.allocatable) else array


def _characters_made(position: int, at: int, length: Callable[..., int] | None,
                     bounds: Callable[..., Bounds]) -> Maker:
    """A function's result of characters that are as long as the call says: the caller's memory, made anew."""

    def make(frame: Frame, actuals: Sequence[Actual]) -> Slot:
        actual = actuals[position]
        if not isinstance(actual, list) or length is None:
            return Slot(None, None, (), absent=True)
        slot, _ = actual[at]
        made = fresh(f"S{length(frame.s)}", bounds(frame.s))
        slot.a, slot.lo = made.a, made.lo
        return slot

    return make


def _type_passed(position: int, at: int, result: bool) -> Maker:
    """The dynamic type of a CLASS dummy argument: the actual argument's; a result has none yet."""

    def make(frame: Frame, actuals: Sequence[Actual]) -> Slot:
        actual = actuals[position]
        if not isinstance(actual, list):
            return TypeTag(None, None, (), absent=True)
        slot, _ = actual[at]
        if result:
            slot.a = None
        return slot

    return make


def made(place: SlotPlace, code: CompiledProcedure) -> Maker:
    """Memory of the procedure's own; copied from a pattern where its bounds are always the same."""
    variable, number, dtype = place.variable, place.number, place.leaf.dtype
    if place.leaf.is_tag:
        return lambda frame, _: untyped()
    if place.leaf.allocatable or variable.allocatable or (
            variable.shape.kind == "deferred" and place.leaf.pointee is None):
        return lambda frame, _: unallocated(dtype, len(place.leaf.dims))
    bounds_of = code.bounds[number]
    if dtype == "S":
        length = code.lengths.get(number)  # without one it is a function's result: the call makes it
        return (lambda frame, _: fresh(f"S{length(frame.s)}", bounds_of(frame.s))) if length is not None else (
            lambda frame, _: Slot(None, None, ()))

    def make(frame: Frame, _: Sequence[Actual]) -> Slot:
        bounds: Bounds = bounds_of(frame.s)
        if any(up is None for _, up in bounds):
            return Slot(None, None, (1,) * len(bounds))
        return fresh(dtype, bounds)

    if number not in code.fixed:
        return make
    bounds = bounds_of([])
    if any(up is None for _, up in bounds):
        return make
    pattern = fresh(dtype, bounds)
    a, b, lo = pattern.values, pattern.b, pattern.lo
    if b is None:
        return lambda frame, _: pattern.like(a.copy(order="F"), None, lo)
    return lambda frame, _: pattern.like(a.copy(order="F"), b.copy(order="F"), lo)
