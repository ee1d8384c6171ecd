"""Numbers to run a head with: given ones, and random ones for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np
from snapset.analysis.replay.codegen.derived_values import leaf_of
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.associations import ProcedureValue
from snapset.analysis.replay.memory.dynamic_types import TAG, Types, first_of, kind_of, number_of, typed, untyped
from snapset.analysis.replay.memory.frames import GLOBAL, Actual, Frame, Unmade, fresh
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.analysis.replay.memory.variable_slots import SlotPlace, refuse
from snapset.analysis.replay.statements.procedure_entry import check_start, start_of
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk

DEFAULT_INTEGER = 5


@frozen
class Uniform:
    """Random reals between ``low`` and ``high``."""

    low: float = 0.5
    high: float = 1.5


@frozen
class Inputs:
    """``given``: values by name (``n``, ``x``, ``c%p``; a module's or COMMON's variable by its own name): a number or
    text for a scalar or for every element, a sequence in array element order, or :class:`Uniform`. ``sizes``: extents
    of arrays whose declaration leaves them open.

    What is not given is random in (0.5, 1.5) for reals; integer scalars are 5, integer arrays hold a
    permutation of 1 to their size, logicals are true, characters blank, open extents are 5. Module variables,
    COMMON and SAVEd variables that the program initialises start from that; other SAVEd variables from zero, as
    compilers have it.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


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


def start(machine: Machine, inputs: Inputs) -> Frame:
    """The root procedure entered, with all its arguments and the global variables set.

    Raises:
        InputError: a value that does not fit its variable, a start value in the program that is not understood.
    """
    random = np.random.default_rng(inputs.seed)
    memory = machine.memory()
    code = machine.codes[machine.root]
    names = (*code.procedure.formals, *((code.procedure.result,) if code.procedure.result else ()))
    outside = replace(inputs, given={n: v for n, v in inputs.given.items() if n.partition("%")[0] not in names})
    _fill_globals(machine, Frame(None, memory, None), outside, random)
    _point(machine, Frame(None, memory, None))
    actuals: list[Actual] = [[(_argument(place, inputs, machine.program.types), ())
                              for place in code.layout.places(name, code.procedure.span)] for name in names]
    frame = machine.enter(machine.root, actuals, memory, None)
    for name in names:
        for place in code.layout.places(name, code.procedure.span):
            slot = frame.s[place.number]
            if slot.a is not None and place.leaf.has_values:
                _fill(slot, place, inputs, random)
    return frame


def check_inputs(machine: Machine, inputs: Inputs) -> tuple[InputUsed, ...]:
    """What the head runs with: its arguments, and what was given besides.

    Raises:
        InputError: a name that is no input, with those there are; what :func:`start` raises.
    """
    own = {_name(place): place for name in machine.codes[machine.root].procedure.formals
           for place in machine.codes[machine.root].layout.places(name, machine.codes[machine.root].procedure.span)
           if place.leaf.has_values or place.leaf.path == (TAG,)}
    outer = {_name(place) for _, place in _globals(machine)}
    for name in (*inputs.given, *inputs.sizes):
        if name not in own and name not in outer:
            raise InputError(f"'{name}' is no input of {machine.codes[machine.root].procedure.name}"
                             + _known(name, [*own, *sorted(outer - own.keys())]))
    for name in inputs.sizes:
        if name not in own or not _open(own[name]):
            raise InputError(f"size({name}) cannot be set: its declaration gives it")
        if len(inputs.sizes[name]) != len(own[name].leaf.dims):
            raise InputError(f"size({name}) needs {len(own[name].leaf.dims)} numbers, one for each dimension")
    frame = start(machine, inputs)
    types = sorted(machine.program.types)
    used: list[InputUsed] = []
    for name, place in own.items():
        slot, given = frame.s[place.number], name in inputs.given or name in inputs.sizes
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
    for key, place in _globals(machine):
        name = _name(place)
        if name in inputs.given and name not in seen:
            seen.add(name)
            used += _used(name, machine.slot(place, machine.codes[key], empty), place, True)
        elif place.variable.initialised and name not in seen and (
                start_of(place) is None or (is_partial(place) and place.variable.area.kind != "saved")):
            seen.add(name)
            slot = machine.slot(place, machine.codes[key], empty)
            used += (replace(one, unknown=True) for one in _used(name, slot, place, False))
    return tuple(used)


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


def _globals(machine: Machine) -> Iterator[tuple[str, SlotPlace]]:
    """Every view of a variable that is no procedure's own, with the procedure that has the view."""
    for key in sorted(machine.codes):
        for place in machine.codes[key].layout.slots:
            if place.variable.area.kind in GLOBAL and place.variable.value is None and place.leaf.has_values:
                yield key, place


def _point(machine: Machine, frame: Frame) -> None:
    """Let the pointers that the program initialises be what it says; others are associated with nothing."""
    for key in sorted(machine.codes):
        for place in machine.codes[key].layout.slots:
            start, kind = place.variable.start, place.variable.area.kind
            if kind in GLOBAL and place.leaf.is_pointer and not place.leaf.path and start is not None:
                if not isinstance(start, ir.ProcedureRef) or start.key is None:
                    raise refuse(f"the initial association of `{place.variable.name}`", place.variable.span)
                machine.slot(place, machine.codes[key], frame).values[()] = ProcedureValue(start.key)


def _name(place: SlotPlace) -> str:
    return "%".join((place.variable.name, *(part for part in place.leaf.path if part != TAG)))


def _open(place: SlotPlace) -> bool:
    return bool(place.leaf.dims) and place.variable.shape.kind in ("assumed-shape", "deferred", "assumed-size")


def _argument(place: SlotPlace, inputs: Inputs, types: Types) -> Slot:
    """Memory for an argument of the head; an array of declared bounds is made when the procedure is entered. A CLASS
    object is of the type that is given by name, or of the first that has objects.

    Raises:
        InputError: a pointer, of which nobody knows what it leads to.
    """
    if place.leaf.is_tag and len(place.leaf.path) == 1:
        return typed(number_of(_type_of(place.variable, inputs, types), types))
    if place.leaf.is_tag:
        return untyped()
    if place.leaf.having and not place.leaf.is_in(0, _type_of(place.variable, inputs, types)):
        return Slot(None, None, ())
    if place.leaf.is_pointer and not place.leaf.path:
        raise refuse(f"the head's argument `{place.variable.name}`, a pointer", place.variable.span)
    if place.leaf.is_pointer and not place.leaf.dims:
        return fresh(place.leaf.dtype, [])
    if not place.leaf.dims:
        slot = fresh(place.leaf.dtype, [])
        _fill(slot, place, inputs, np.random.default_rng(0))
        return slot
    if not _open(place):
        return Slot(None, None, ())
    shape = inputs.sizes.get(_name(place))
    if shape is None and place.variable.shape.kind == "assumed-size":
        given, made = np.size(inputs.given.get(_name(place), 0)), Unmade(None, None, ())
        made.last, made.count = DEFAULT_INTEGER, given if given > 1 else 0
        return made
    if shape is None:
        given = np.shape(inputs.given.get(_name(place), 0))
        shape = given if len(given) == len(place.leaf.dims) else (DEFAULT_INTEGER,) * len(place.leaf.dims)
    return fresh(place.leaf.dtype, [(1, n) for n in shape])


def _type_of(variable: ir.Variable, inputs: Inputs, types: Types) -> str:
    """The type of a CLASS argument of the head. Raises InputError for one that it cannot be of."""
    wanted = inputs.given.get(variable.name)
    found = first_of(variable.type.derived or "", types, wanted)
    if found is None and isinstance(wanted, str):
        raise InputError(f"'{wanted}' is no type that `{variable.name}` can be of")
    if found is None:
        raise refuse(f"the head's argument `{variable.name}`, of a type that has no objects", variable.span)
    return found


def _fill_globals(machine: Machine, empty: Frame, inputs: Inputs, random: np.random.Generator) -> None:
    """Integers first: where reals share their storage the reals count; what the program initialises counts before them,
    what is given before all."""
    def moment(place: SlotPlace) -> int:
        if _name(place) in inputs.given:
            return 3
        return 2 if place.variable.initialised else int(place.leaf.type.kind in ("real", "complex"))

    views = list(_globals(machine))
    for now in range(4):
        for key, place in views:
            if moment(place) == now:
                slot = machine.slot(place, machine.codes[key], empty)
                if slot.a is not None:
                    _fill_global(slot, place, inputs, random, machine.codes[key].layout.types)


def _fill_global(slot: Slot, place: SlotPlace, inputs: Inputs, random: np.random.Generator, types: Types) -> None:
    """Raises InputError for a start value that is not understood."""
    start, area = start_of(place), place.variable.area
    if _name(place) in inputs.given:
        _fill(slot, place, inputs, random)
        return
    check_start(place)
    if start is not None and any(isinstance(one, ir.Structure) for one in walk(start)):
        _fill_objects(slot, place, start, types)
    elif start is not None:
        items = start.items if isinstance(start, ir.ArrayConstructor) else (start,)
        if is_partial(place):
            _fill_some(slot, place, items, inputs, random)
            return
        values = np.array([_text(item.value, slot) if isinstance(item.value, str) else item.value
                           for item in items if isinstance(item, ir.Literal_)])
        if len(items) == values.size == slot.values.size > 1:
            values = values.reshape(slot.values.shape, order="F")
        slot.values[...] = values[0] if len(items) == 1 else values  # of a component, what each object has
    elif area.kind == "saved":
        slot.values[...] = 0
    else:
        _fill(slot, place, inputs, random)


def is_partial(place: SlotPlace) -> bool:
    """Does DATA give values to some elements only?"""
    start = place.variable.start
    return place.variable.initialised and isinstance(start, ir.ArrayConstructor) and any(
        isinstance(item, ir.Literal_) and item.value is None for item in start.items)


def _fill_some(slot: Slot, place: SlotPlace, items: tuple[ir.Expr, ...], inputs: Inputs,
               random: np.random.Generator) -> None:
    """Give the elements their values that DATA sets; the others are as if it set none."""
    if place.variable.area.kind == "saved":
        slot.values[...] = 0
    else:
        _fill(slot, place, inputs, random)
    shape = slot.values.shape
    for at, item in enumerate(items[:slot.values.size]):
        if isinstance(item, ir.Literal_) and item.value is not None:
            slot.values[np.unravel_index(at, shape, order="F")] = (
                _text(item.value, slot) if isinstance(item.value, str) else item.value)


def _fill_objects(slot: Slot, place: SlotPlace, start: ir.Expr, types: Types) -> None:
    """Give a component what constructors of objects around it say: one of all of them, or each one's."""
    at = 0 if place.variable.initialised else place.leaf.given
    objects: tuple[ir.Expr, ...] = start.items if isinstance(start, ir.ArrayConstructor) else (start,)
    outer: tuple[Any, ...] = (slice(None),)*sum(place.leaf.ranks[:at])
    for number, one in enumerate(objects):
        value = leaf_of(one, place.leaf, at, types, place.variable.span)
        items = value.items if isinstance(value, ir.ArrayConstructor) else (value,)
        known = [item.value for item in items if isinstance(item, ir.Literal_) and item.value is not None]
        if len(known) < len(items):
            raise refuse(f"the initial value of `{_name(place)}`", place.variable.span)
        values = np.array([_text(one, slot) if isinstance(one, str) else one for one in known])
        index: tuple[Any, ...] = (*outer, number) if isinstance(start, ir.ArrayConstructor) else ()
        slot.values[(*index, ...)] = values if isinstance(value, ir.ArrayConstructor) else values[0]


def _text(value: str, slot: Slot) -> bytes:
    length = slot.values.dtype.itemsize
    return value.encode().ljust(length)[:length]


def _texts(given: Any, slot: Slot, name: str) -> Any:
    """Blanks, one text for all elements, or one for each. Raises InputError for what is no text."""
    texts = [""] if given is None else [given] if isinstance(given, str) else list(np.ravel(given))
    if not all(isinstance(one, str) for one in texts):
        raise InputError(f"{name} is of type character: give it a text in quotes, such as {name}='U'")
    if len(texts) not in (1, slot.values.size):
        raise InputError(f"{name} has {slot.values.size} elements; {len(texts)} texts are given")
    found = np.array([_text(one, slot) for one in texts], slot.values.dtype)
    return found[0] if len(texts) == 1 else found.reshape(slot.values.shape, order="F")


def _fill(slot: Slot, place: SlotPlace, inputs: Inputs, random: np.random.Generator) -> None:
    values = slot.values
    given = inputs.given.get(_name(place))
    kind = values.dtype.kind
    if kind == "S":
        values[...] = _texts(given, slot, _name(place))
        return
    if given is None and kind in "fc":
        given = Uniform()
    if isinstance(given, Uniform) and kind in "fc":
        values[...] = random.uniform(given.low, given.high, values.shape)
        if kind == "c":
            values[...] += 1j * random.uniform(given.low, given.high, values.shape)
    elif given is not None:
        values[...] = fitting(given, values, place)
    elif place.leaf.type.kind == "logical":
        values[...] = 1
    elif values.ndim:
        values[...] = (random.permutation(values.size) + 1).reshape(values.shape)
    else:
        values[...] = DEFAULT_INTEGER


def fitting(given: Any, values: Array, place: SlotPlace) -> Array:
    """What was given, in the shape of the variable's memory.

    Raises:
        InputError: another number of values, a random or broken number for an integer, a number that is too large.
    """
    name, kind = _name(place), place.leaf.type.kind
    if isinstance(given, Uniform):
        raise InputError(f"{name} is of type {kind}: give it a value, it is not random")
    if isinstance(given, str):
        raise InputError(f"{name} is of type {kind}, neither CHARACTER nor of a derived type; give it a number")
    array = np.asarray(given)
    if (kind == "logical") != (array.dtype == np.bool_):
        raise InputError(f"{name} is of type {kind}" + ("; give it true or false" if kind == "logical" else
                                                        "; give it a number"))
    if kind == "integer" and (np.any(array != np.trunc(array)) or np.any(np.abs(array) > np.iinfo(values.dtype).max)):
        raise InputError(f"{name} is an integer of {values.dtype.itemsize} bytes; {given} is none")
    if array.size != 1 and array.shape != values.shape:
        if array.size != values.size:
            raise InputError(f"{name} has {values.size} elements; {array.size} values are given")
        array = array.reshape(values.shape, order="F")
    return array if array.size != 1 else array.reshape(())
