"""What a head runs with, as it is told to people: its arguments, and what was given besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

from snapset.analysis.replay.experiment.head_arguments import behind, is_pointer, parts
from snapset.analysis.replay.experiment.inputs import (
    Inputs,
    global_slot,
    global_views,
    is_open,
    is_partial,
    name_of,
    start,
)
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.dynamic_types import TAG, kind_of
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.analysis.replay.memory.variable_slots import SlotPlace
from snapset.analysis.replay.statements.procedure_entry import start_of
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen


@frozen
class InputUsed:
    """One input as it was: a scalar's value, or an array's extents and None. ``given``: it was asked for.

    ``elements``: an array's, in array element order. ``unknown``: the program gives it a start value that is not
    understood, so that it has random ones."""

    name: str
    shape: tuple[int, ...]
    value: float | int | bool | str | None
    given: bool
    elements: tuple[float | int | bool | str, ...] = field(default=(), compare=False)
    unknown: bool = False


def check_inputs(machine: Machine, inputs: Inputs) -> tuple[InputUsed, ...]:
    """What the head runs with: its arguments, and what was given besides.

    Raises:
        InputError: a name that is no input, with those there are; what :func:`start` raises.
    """
    own = {name_of(place): place for place in _argument_places(machine)
           if place.leaf.has_values or place.leaf.path == (TAG,)}
    outer = {name_of(place) for _, place in global_views(machine)}
    for name in (*inputs.given, *inputs.sizes):
        if name not in own and name not in outer:
            raise InputError(f"'{name}' is no input of {machine.codes[machine.root].procedure.name}"
                             + _known(name, [*own, *sorted(outer - own.keys())]))
    for name in inputs.sizes:
        if name not in own or not is_open(own[name]):
            raise InputError(f"size({name}) cannot be set: its declaration gives it")
        if len(inputs.sizes[name]) != len(own[name].leaf.dims):
            raise InputError(f"size({name}) needs {len(own[name].leaf.dims)} numbers, one for each dimension")
    frame = start(machine, inputs)
    types = sorted(machine.program.types)
    used: list[InputUsed] = []
    held = {name_of(one): slot for place in _argument_places(machine, False)
            for one, slot in parts(place, machine, frame, entered=True)}
    for name, place in own.items():
        slot, given = held.get(name, Slot(None, None, ())), name in inputs.given or name in inputs.sizes
        if place.variable.intent == "out" and name not in inputs.given:
            continue
        if place.leaf.is_tag:
            used.append(_type_used(name, slot, types, given))
        elif slot.a is None and place.leaf.having:
            if given:
                raise InputError(f"{place.variable.name} is of a type that has no '{name.partition('%')[2]}'; choose "
                                 f"another one: {place.variable.name}=type(...)")
        else:
            used += _used(name, slot, place, given)
    seen = set(own)
    empty = Frame(None, frame.memory, None)
    for key, place in global_views(machine):
        name = name_of(place)
        if name in inputs.given and name not in seen:
            seen.add(name)
            used += _used(name, global_slot(machine, key, place, empty), place, True)
        elif place.variable.initialised and name not in seen and (
                start_of(place) is None or (is_partial(place) and place.variable.area.kind != "saved")):
            seen.add(name)
            slot = global_slot(machine, key, place, empty)
            used += (replace(one, unknown=True) for one in _used(name, slot, place, False))
    return tuple(used)


def _argument_places(machine: Machine, followed: bool = True) -> Iterator[SlotPlace]:
    """The leaves of the head's arguments; ``followed``: of pointers what they lead to."""
    code = machine.codes[machine.root]
    for name in code.procedure.formals:
        for place in code.layout.places(name, code.procedure.span):
            yield from behind(place, machine) if followed and is_pointer(place) else (place,)


def _known(name: str, names: list[str]) -> str:
    below = [one for one in names if one.startswith(name + "%")]
    if below:
        return f"; it is of derived type, set its components: {', '.join(below)}"
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"; there are {', '.join(names[:12])}{more}" if names else "; it has none"


def _type_used(name: str, tag: Slot, types: list[str], given: bool) -> InputUsed:
    """The type of a CLASS object."""
    return InputUsed(name, (), None if tag.a is None else types[kind_of(tag)].rpartition("::")[2], given)


def _used(name: str, slot: Slot, place: SlotPlace, given: bool) -> Iterator[InputUsed]:
    if slot.a is None:
        yield InputUsed(name, (), None, given)
    elif slot.a.ndim:
        yield InputUsed(name, tuple(slot.a.shape), None, given, _elements(slot.a, place))
    elif place.leaf.type.kind == "complex":
        yield InputUsed(f"{name}%re", (), float(slot.a.real), given)
        yield InputUsed(f"{name}%im", (), float(slot.a.imag), given)
    else:
        value = _shown(slot.a[()].item())
        yield InputUsed(name, (), bool(value) if place.leaf.type.kind == "logical" else value, given)


def _shown(value: Any) -> Any:
    """Characters as text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _elements(array: Array, place: SlotPlace) -> tuple[float | int | bool | str, ...]:
    if array.dtype.kind == "S":
        return tuple(map(_shown, array.ravel(order="F").tolist()))
    if array.dtype.kind not in "biufc":
        return ()
    return elements((array != 0) if place.leaf.type.kind == "logical" else array)


def elements(array: Array) -> tuple[float | int | bool, ...]:
    """All of an array's in array element order, of complex ones the real and the imaginary parts in turn."""
    values = array.ravel(order="F")
    return tuple((values.view(values.real.dtype) if values.dtype.kind == "c" else values).tolist())


