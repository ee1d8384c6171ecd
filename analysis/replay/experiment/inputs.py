"""Numbers to run a head with: given ones, and random ones for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np
from snapset.analysis.replay.codegen.derived_values import leaf_of
from snapset.analysis.replay.experiment import block_data
from snapset.analysis.replay.experiment.head_arguments import behind, is_pointer, parts, target_of
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.associations import Association, ProcedureValue
from snapset.analysis.replay.memory.dynamic_types import TAG, Types, first_of, number_of, typed, untyped
from snapset.analysis.replay.memory.frames import GLOBAL, Actual, Frame, Unmade, fresh
from snapset.analysis.replay.memory.runtime_support import Array, Slot
from snapset.analysis.replay.memory.variable_slots import SlotPlace, refuse
from snapset.analysis.replay.statements.procedure_entry import check_start, start_of
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.real_folding import folded_real

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
    every = [place for name in names for place in code.layout.places(name, code.procedure.span)]
    made = {place.number: _argument(place, inputs, machine) for place in every}
    memory.targets.update({place.variable.name: target for place in every
                           if is_pointer(place) and (target := target_of(made[place.number])) is not None})
    actuals: list[Actual] = [[(made[place.number], ()) for place in code.layout.places(name, code.procedure.span)]
                             for name in names]
    frame = machine.enter(machine.root, actuals, memory, None)
    for place in every:
        for one, slot in parts(place, machine, frame, entered=True):
            if slot.a is not None and one.leaf.has_values:
                _fill(slot, one, inputs, random)
    return frame


def global_views(machine: Machine) -> Iterator[tuple[str, SlotPlace]]:
    """Every view of a variable that is no procedure's own, with the procedure that has the view; '' for BLOCK DATA."""
    for key in sorted(machine.codes):
        for place in machine.codes[key].layout.slots:
            if place.variable.area.kind in GLOBAL and place.variable.value is None and place.leaf.has_values:
                yield key, place
    yield from (("", place) for place in block_data.started(machine))


def global_slot(machine: Machine, key: str, place: SlotPlace, frame: Frame) -> Slot:
    """The memory that a view is of."""
    return machine.slot(place, machine.codes[key], frame) if key else block_data.slot_in(place, frame.memory, machine)


def _point(machine: Machine, frame: Frame) -> None:
    """Let the pointers that the program initialises be what it says; others are associated with nothing."""
    for key in sorted(machine.codes):
        for place in machine.codes[key].layout.slots:
            start, kind = place.variable.start, place.variable.area.kind
            if kind in GLOBAL and place.leaf.is_pointer and not place.leaf.path and start is not None:
                if not isinstance(start, ir.ProcedureRef) or start.key is None:
                    raise refuse(f"the initial association of `{place.variable.name}`", place.variable.span)
                machine.slot(place, machine.codes[key], frame).values[()] = ProcedureValue(start.key)


def name_of(place: SlotPlace) -> str:
    return "%".join((place.variable.name, *(part for part in place.leaf.path if part != TAG)))


def is_open(place: SlotPlace) -> bool:
    return bool(place.leaf.dims) and place.variable.shape.kind in ("assumed-shape", "deferred", "assumed-size")


def _argument(place: SlotPlace, inputs: Inputs, machine: Machine) -> Slot:
    """Memory for an argument of the head; an array of declared bounds is made when the procedure is entered. A CLASS
    object is of the type that is given by name, or of the first that has objects. A pointer leads to memory of its own;
    with INTENT(OUT), and where that holds pointers, to nothing.
    """
    types = machine.program.types
    if place.leaf.is_tag and len(place.leaf.path) == 1:
        return typed(number_of(_type_of(place.variable, inputs, types), types))
    if place.leaf.is_tag:
        return untyped()
    if place.leaf.having and not place.leaf.is_in(0, _type_of(place.variable, inputs, types)):
        return Slot(None, None, ())
    if is_pointer(place) and place.variable.intent != "out":
        cell = fresh(place.leaf.dtype, [])
        cell.values[()] = Association({one.leaf.path: _target(one, inputs, machine) for one in behind(place, machine)})
        return cell
    if place.leaf.is_pointer and not place.leaf.dims:
        return fresh(place.leaf.dtype, [])
    if not place.leaf.dims:
        slot = fresh(place.leaf.dtype, [])
        _fill(slot, place, inputs, np.random.default_rng(0))
        return slot
    if not is_open(place):
        return Slot(None, None, ())
    shape = inputs.sizes.get(name_of(place))
    if shape is None and place.variable.shape.kind == "assumed-size":
        given, made = np.size(inputs.given.get(name_of(place), 0)), Unmade(None, None, ())
        made.last, made.count = DEFAULT_INTEGER, given if given > 1 else 0
        return made
    if shape is None:
        given = np.shape(inputs.given.get(name_of(place), 0))
        shape = given if len(given) == len(place.leaf.dims) else (DEFAULT_INTEGER,) * len(place.leaf.dims)
    return fresh(place.leaf.dtype, [(1, n) for n in shape])


def _target(place: SlotPlace, inputs: Inputs, machine: Machine) -> Slot:
    """Memory for what a pointer leads to: a component's extents are its own."""
    leaf, own = place.leaf, place.leaf.ranks[0]
    if not leaf.dims or leaf.is_tag or leaf.depth or (
            leaf.having and not leaf.is_in(0, _type_of(place.variable, inputs, machine.program.types))):
        return _argument(place, inputs, machine)
    inner = block_data.constant_bounds(leaf.dims[own:])
    if inner is None:
        raise refuse(f"the head's argument `{place.variable.name}`, a pointer", place.variable.span)
    sizes = (size[:own] for name, size in inputs.sizes.items() if name.partition("%")[0] == place.variable.name)
    given = next(sizes, np.shape(inputs.given.get(name_of(place), 0))[:own])  # all components have the object's
    shape = given if len(given) == own else (DEFAULT_INTEGER,)*own
    return fresh(leaf.dtype, [*((1, n) for n in shape), *inner])


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
        if name_of(place) in inputs.given:
            return 3
        return 2 if place.variable.initialised else int(place.leaf.type.kind in ("real", "complex"))

    views = list(global_views(machine))
    for now in range(4):
        for key, place in views:
            if moment(place) == now:
                slot = global_slot(machine, key, place, empty)
                if slot.a is not None:
                    _fill_global(slot, place, inputs, random, machine.program.types)


def _fill_global(slot: Slot, place: SlotPlace, inputs: Inputs, random: np.random.Generator, types: Types) -> None:
    """Raises InputError for a start value that is not understood."""
    start, area = start_of(place), place.variable.area
    if name_of(place) in inputs.given:
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
        items = tuple(folded_real(item, place.leaf.type) if place.leaf.type.kind == "real" else item for item in items)
        known = [item.value for item in items if isinstance(item, ir.Literal_) and item.value is not None]
        if len(known) < len(items):
            raise refuse(f"the initial value of `{name_of(place)}`", place.variable.span)
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
    given = inputs.given.get(name_of(place))
    kind = values.dtype.kind
    if kind == "S":
        values[...] = _texts(given, slot, name_of(place))
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
    name, kind = name_of(place), place.leaf.type.kind
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
