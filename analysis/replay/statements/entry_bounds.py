"""The bounds of a procedure's arrays, and its constants, as functions that run when it is entered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from graphlib import CycleError, TopologicalSorter

from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure, GeneratedCode
from snapset.analysis.replay.codegen.derived_values import NOTHING, leaf_of
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.memory import frames
from snapset.analysis.replay.memory.variable_slots import Layout, SlotPlace
from snapset.frontend import ir


def entry_bounds(code: CompiledProcedure, layout: Layout, values: ExpressionCode, source: GeneratedCode,
                 trying: Callable[[], AbstractContextManager[None]]) -> None:
    """Generate the bounds of every slot; asking for one may add others to the layout. ``trying``: around what may be
    refused."""
    done = 0
    named: dict[int, frozenset[int]] = {}
    while done < len(layout.slots):
        place = layout.slots[done]
        done += 1
        if not place.leaf.dims and is_plain(place):
            code.fixed.add(place.number)
            code.bounds[place.number] = _no_bounds
            continue
        with trying():
            define_bounds(place, code, values, source)
        if place.variable.value is not None:
            named[place.number] = frozenset(values.touched)
    first = _in_order(named)
    code.entry = tuple(sorted(layout.slots, key=lambda p: (
        first.get(p.number, len(first)), _phase(p, code.procedure), p.number)))
    for place in code.entry:
        if place.variable.area.kind not in frames.GLOBAL and place.variable.value is None:
            code.placed.setdefault((place.variable.area, place.leaf.path), place.number)
    code.dummies = tuple(place.number for place in code.entry if place.variable.area.kind == "formal"
                         and place.variable.area.owner == code.procedure.key and not place.variable.by_value
                         and place.leaf.has_values)


def is_plain(place: SlotPlace) -> bool:
    """Is nothing evaluated for a slot but the bounds of its dimensions?"""
    return place.variable.value is None and (place.variable.length is None or bool(place.leaf.path))


def _in_order(named: Mapping[int, frozenset[int]]) -> dict[int, int]:
    """The places of constants in an order in which each comes behind those that its value names."""
    try:
        before = {one: others & named.keys() - {one} for one, others in named.items()}
        order = (*TopologicalSorter(before).static_order(),)
    except CycleError:  # no compiler takes that
        order = (*named,)
    return {one: place for place, one in enumerate(order)}


def initialising(procedure: ir.Procedure) -> Iterator[ir.Variable]:
    """SAVEd variables that give others, whose storage they share by EQUIVALENCE, what these hold to begin with; perhaps
    no statement names them."""
    own = [one for one in procedure.variables.values() if one.area.kind == "saved" and one.area.owner == procedure.key]
    shared = {one.area for one in own if one.area.name != one.name}
    yield from (one for one in own if one.area in shared and one.initialised)


def define_bounds(place: SlotPlace, code: CompiledProcedure, values: ExpressionCode, source: GeneratedCode) -> None:
    """Of one slot; a constant's value with them."""
    values.at(place.variable.span)
    values.touched.clear()
    dims = ", ".join(_dim(dim, values) for dim in place.leaf.dims)
    if place.variable.length is not None and not place.leaf.path:
        source.define(code.lengths, place.number, f"l{place.number}", "s",
                      [f"return max(0, int({values.value(place.variable.length)}))"])
    elif not values.touched:
        code.fixed.add(place.number)
    if place.variable.value is not None:
        given = leaf_of(place.variable.value, place.leaf, 0, values.layout.types, place.variable.span)
        value = "None" if given == NOTHING else values.value(given)
        source.define(code.constants, place.number, f"v{place.number}", "s", [f"return {value}"])
    if place.leaf.dims:
        source.define(code.bounds, place.number, f"d{place.number}", "s", [f"return [{dims}]"])
    else:
        code.bounds[place.number] = _no_bounds


def _dim(dim: ir.Dim, values: ExpressionCode) -> str:
    low = "1" if dim.lower is None else f"int({values.value(dim.lower)})"
    high = "None" if dim.upper is None else f"int({values.value(dim.upper)})"
    return f"({low}, {high})"


def _no_bounds(s: object) -> list[object]:
    return []


def _phase(place: SlotPlace, procedure: ir.Procedure) -> int:
    """Scalars and globals come first, then dummy arrays, then the procedure's own arrays."""
    if place.variable.area.kind in frames.GLOBAL or not (place.leaf.dims or place.variable.length is not None):
        return 0
    return 1 if place.variable.area.kind == "formal" else 2
