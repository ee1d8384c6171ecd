"""Numbers to run a head with: given ones, and random ones for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from snapset.analysis.replay.layout import SlotPlace, refuse
from snapset.analysis.replay.memory import GLOBAL, Actual, Frame, fresh
from snapset.analysis.replay.primal import Machine
from snapset.analysis.replay.runtime import Slot
from snapset.frontend import ir

DEFAULT_INTEGER = 5


@dataclass(frozen=True, slots=True)
class Inputs:
    """``given``: values by name (``n``, ``x``, ``c%p``; a module's or COMMON's variable by its own name).

    What is not given is random in (0.5, 1.5) for reals; integer scalars are 5, integer arrays hold a
    permutation of 1 to their size, logicals are true. Module variables, COMMON and SAVEd variables that the
    program initialises start from that; other SAVEd variables from zero, as compilers have it.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1


def start(machine: Machine, inputs: Inputs) -> Frame:
    """The root procedure entered, with all its arguments and the global variables set."""
    random = np.random.default_rng(inputs.seed)
    memory = machine.memory()
    code = machine.codes[machine.root]
    empty = Frame(None, memory, None)
    for key in sorted(machine.codes):
        for place in machine.codes[key].layout.slots:
            if place.variable.area.kind in GLOBAL and place.variable.value is None:
                slot = machine.slot(place, machine.codes[key], empty, {})
                if slot.a is not None:
                    _fill_global(slot, place, inputs, random)
    names = (*code.procedure.formals, *((code.procedure.result,) if code.procedure.result else ()))
    actuals: list[Actual] = [[(_argument(place, inputs), ()) for place in code.layout.places(name, code.procedure.span)]
                             for name in names]
    frame = machine.enter(machine.root, actuals, memory, None)
    for name in names:
        for place in code.layout.places(name, code.procedure.span):
            slot = frame.s[place.number]
            if slot.a is not None:
                _fill(slot, place, inputs, random)
    return frame


def _name(place: SlotPlace) -> str:
    return "%".join((place.variable.name, *place.leaf.path))


def _argument(place: SlotPlace, inputs: Inputs) -> Slot:
    """Memory for an argument of the head; an array of declared bounds is made when the procedure is entered."""
    given = inputs.given.get(_name(place))
    if not place.leaf.dims:
        slot = fresh(place.leaf.dtype, [])
        _fill(slot, place, inputs, np.random.default_rng(0))
        return slot
    if place.variable.shape.kind not in ("assumed-shape", "deferred", "assumed-size"):
        return Slot(None, None, ())
    shape = np.shape(given) if given is not None else (DEFAULT_INTEGER,) * len(place.leaf.dims)
    return fresh(place.leaf.dtype, [(1, n) for n in shape])


def _fill_global(slot: Slot, place: SlotPlace, inputs: Inputs, random: np.random.Generator) -> None:
    """Raises InputError for a SAVEd variable whose start value is not understood."""
    variable = place.variable
    if _name(place) in inputs.given or (variable.start is None and variable.area.kind != "saved"
                                        and place.leaf.type.kind == "real"):
        _fill(slot, place, inputs, random)
    elif variable.start is not None:
        start = variable.start
        items = start.items if isinstance(start, ir.ArrayConstructor) else (start,)
        values = np.array([item.value for item in items if isinstance(item, ir.Literal_)])
        slot.values[...] = values[0] if len(items) == 1 else values.reshape(slot.values.shape, order="F")
    elif variable.area.kind == "saved":
        if variable.initialised:
            raise refuse(f"the initial value of `{variable.name}`", variable.span)
        slot.values[...] = 0


def _fill(slot: Slot, place: SlotPlace, inputs: Inputs, random: np.random.Generator) -> None:
    values = slot.values
    given = inputs.given.get(_name(place))
    if given is not None:
        values[...] = given
    elif values.dtype.kind == "f":
        values[...] = random.uniform(0.5, 1.5, values.shape)
    elif place.leaf.type.kind == "logical":
        values[...] = 1
    elif values.ndim:
        values[...] = (random.permutation(values.size) + 1).reshape(values.shape)
    else:
        values[...] = DEFAULT_INTEGER
