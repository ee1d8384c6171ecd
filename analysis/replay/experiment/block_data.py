"""Start values that BLOCK DATA gives: no procedure has these views of a COMMON block, and yet they count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.frames import Bounds, Memory
from snapset.analysis.replay.memory.runtime_support import Slot
from snapset.analysis.replay.memory.variable_slots import LeafPlace, RefusedError, SlotPlace, leaves_of
from snapset.analysis.replay.statements.procedure_entry import overlaid_place
from snapset.frontend import ir
from snapset.frontend.ir.constant_folding import value_of


def started(machine: Machine) -> Iterator[SlotPlace]:
    """The variables of COMMON blocks that some program unit gives start values and no procedure of the run has so."""
    known = {(place.variable.area, place.variable.offset, place.variable.start)
             for code in machine.codes.values() for place in code.layout.slots if place.variable.initialised}
    reached = {place.variable.area for code in machine.codes.values() for place in code.layout.slots}
    for variables in machine.program.commons.values():
        for variable in variables:
            if variable.initialised and variable.area in reached and (
                    variable.area, variable.offset, variable.start) not in known:
                yield from (SlotPlace(-1, variable, leaf) for leaf in _leaves(machine, variable) if leaf.has_values)


def _leaves(machine: Machine, variable: ir.Variable) -> tuple[LeafPlace, ...]:
    try:
        return leaves_of(variable, machine.program.types, variable.span)
    except RefusedError:  # whoever uses it is refused
        return ()


def slot_in(place: SlotPlace, memory: Memory, machine: Machine) -> Slot:
    """The memory of such a variable; none where its bounds are no constants."""
    area, bounds = place.variable.area, constant_bounds(place.leaf.dims)
    if area not in memory.shared:
        return memory.slots.get((area, place.leaf.path)) or Slot(None, None, ())
    if bounds is None:
        return Slot(None, None, ())
    return memory.buffer(area).slot(place.leaf.dtype, bounds, *overlaid_place(place, machine.program.types))


def constant_bounds(dims: Sequence[ir.Dim]) -> Bounds | None:
    """The bounds of an array; None where they are no constants."""
    found: Bounds = []
    for dim in dims:
        low, high = 1 if dim.lower is None else value_of(dim.lower), None if dim.upper is None else value_of(dim.upper)
        if low is None or high is None:
            return None
        found.append((low, high))
    return found
