"""Actual arguments: what a call passes, and as which memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from snapset.analysis.replay.codegen import object_types, pointer_assignments
from snapset.analysis.replay.codegen.compiled_procedure import only
from snapset.analysis.replay.codegen.derived_values import leaf_of
from snapset.analysis.replay.codegen.expression_code import ExpressionCode, cast
from snapset.analysis.replay.codegen.reached_memory import ReachedMemory
from snapset.analysis.replay.memory.associations import Association, ProcedureValue
from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.frames import fresh
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Index, ReplayError, Slot
from snapset.analysis.replay.memory.variable_slots import POINTER, Layout, SlotPlace, dtype_of, refuse
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import rank_of, type_of, walk


@frozen
class Calls:
    """Generates the argument lists of one procedure's calls. ``program``: for the callees' dummy arguments."""

    program: ir.Program
    layout: Layout
    values: ExpressionCode
    _layouts: dict[str, Layout] = field(default_factory=dict)

    def layout_of(self, key: str) -> Layout:
        """How a callee lays out what it is passed: the same at all calls."""
        if key not in self._layouts:
            self._layouts[key] = Layout(self.program.procedures[key], self.program.types)
        return self._layouts[key]

    def bound_args(self, stmt: ir.Call, key: str) -> list[tuple[str, ir.Expr | None]]:
        """The dummy arguments of a callee (its result last) with what is passed."""
        callee = self.program.procedures[key]
        try:
            actuals = bind(stmt, callee)
        except BindError as error:
            raise refuse(f"the call of {stmt.name}: {error}", stmt.span) from error
        pairs = list(zip(callee.formals, actuals, strict=True))
        if callee.result is not None:
            pairs.append((callee.result, stmt.result))
        return pairs

    def is_memory(self, expr: ir.Expr) -> bool:
        """Is it passed as the memory it is? Else a copy of its value is."""
        if not isinstance(expr, ir.Ref) or self.is_copied(expr):
            return False
        return self.layout.variable(expr.name, self.values.span).value is None

    def is_passed(self, expr: ir.Expr, key: str, name: str) -> bool:
        """:func:`is_memory`, and the elements that a vector subscript chooses where an elemental procedure may write to
        each: ``call swap(a([3, 1]), b)``, and a defined assignment to them."""
        if self.is_memory(expr):
            return True
        callee = self.program.procedures[key]
        formal = callee.variables.get(name)
        return callee.elemental and formal is not None and formal.intent != "in" and not formal.by_value and \
            isinstance(expr, ir.Ref) and self.is_copied(expr)

    def binding(self, stmt: ir.Call) -> list[str]:
        """The statements that give a call's procedure and its actual arguments."""
        if stmt.dispatch is not None:
            number = self.layout.number
            ways = (f"{number(kind)}: lambda: {self.bound(f'procedure(f, {self.values.text(key)})', stmt, key)}"
                    for kind, key in stmt.dispatch.ways)
            return [f"return picked({object_types.kind(stmt.dispatch.object, self.values)}, {{{', '.join(ways)}}})"]
        if stmt.via == "name":
            return [f"return {self.bound(f'procedure(f, {self.values.text(only(stmt))})', stmt, only(stmt))}"]
        if not stmt.targets:
            only(stmt)
        if stmt.pointer is not None:
            place = self.values.slot(stmt.pointer)
            called = f"held({pointer_assignments.at(place, stmt.pointer, self.values)})"
        else:
            called = f"f.procedure({self.values.text(stmt.name)})"
        ways = (f"{self.values.text(key)}: lambda: {self.bound('to_run', stmt, key)}" for key in stmt.targets)
        return [f"to_run = {called}", f"return chosen(to_run, {{{', '.join(ways)}}})"]

    def bound(self, to: str, stmt: ir.Call, key: str) -> str:
        """Code of a procedure (``to``) with its actual arguments; of an elemental one with arrays for each element."""
        callee, actuals = self.program.procedures[key], self.actuals(stmt, key)
        if not (callee.elemental and any(rank_of(a.value) > 0 for a in stmt.args)):
            return f"Bound({to}, {actuals})"
        ranks = tuple(0 if actual is None else rank_of(actual) for _, actual in self.bound_args(stmt, key))
        places = () if callee.result is None else self.layout_of(key).places(callee.result, stmt.span)
        extents = ("".join(f"{self.extent(dim, place, stmt)}, " for dim in place.leaf.dims) for place in places)
        results = (f"('{place.leaf.dtype}', ({found}))" for place, found in zip(places, extents, strict=True))
        return f"elementwise({to}, {actuals}, {ranks!r}, ({''.join(f'{one}, ' for one in results)}))"

    def is_copied(self, actual: ir.Ref) -> bool:
        """Elements that a vector subscript chooses are passed as a value: nothing may be written to them but by an
        elemental procedure."""
        return any(not isinstance(sub, ir.Range) and rank_of(sub) > 0
                   for part in actual.parts for sub in part.subscripts or ())

    def actuals(self, stmt: ir.Call, key: str) -> str:
        """Code of the actual arguments as one procedure takes them."""
        callee = self.program.procedures[key]
        inner = self.layout_of(key)
        items = []
        for name, actual in self.bound_args(stmt, key):
            if actual is None:
                items.append("None")
            elif name not in callee.variables:  # a procedure, or never mentioned
                items.append(self.procedure(actual) or "None")
            elif callee.variables[name].pointer:
                items.append(self.pointer(actual, callee.variables[name], stmt))
            elif isinstance(actual, ir.Ref) and self.is_passed(actual, key, name):
                items.append(self.passed(actual, inner.places(name, stmt.span), stmt))
            else:
                values = (self.leaf(actual, one, place, stmt) for one, place in
                          self.leaves(actual, inner.places(name, stmt.span), stmt))
                items.append(f"[{', '.join(f'({value}, ())' for value in values)}]")
        return f"[{', '.join(items)}]"

    def leaves(self, actual: ir.Expr, formal: tuple[SlotPlace, ...],
               stmt: ir.Call) -> list[tuple[ir.Expr | None, SlotPlace]]:
        """A value that is passed, leaf by leaf of the dummy argument; None for its type, and for what it has not."""
        if type_of(actual).kind != "derived":
            return [(actual, place) for place in formal]
        types = self.program.types
        return [(None if place.leaf.path == (TAG,) or not object_types.has(
            actual, place.leaf, 0, self.values) else
                 object_types.there(leaf_of(actual, place.leaf, 0, types, stmt.span), place.leaf, self.values), place)
                for place in formal]

    def leaf(self, actual: ir.Expr, value: ir.Expr | None, place: SlotPlace, stmt: ir.Call) -> str:
        """Code of the memory in which one leaf of a value is passed."""
        if value is None:
            return object_types.tag_for(actual, self.values) if place.leaf.path == (TAG,) else "nothing()"
        if place.leaf.is_tag and type_of(value).kind == "derived":  # of a constructor's component
            return object_types.tag_for(value, self.values)
        if place.leaf.is_tag and isinstance(value, ir.Ref):  # of a component
            return self.values.slot(value).code
        code = self.temporary(value, place, stmt)
        if place.leaf.having and isinstance(value, ir.Ref):
            return f"({code} if {self.values.slot(value).code}.a is not None else nothing())"
        return code

    def temporary(self, value: ir.Expr, place: SlotPlace, stmt: ir.Call) -> str:
        """Code of the memory in which one leaf of a value is passed."""
        leaf, inside = place.leaf, place.leaf.path
        if dtype_of(type_of(value)) is None and type_of(value).kind != "character" and not leaf.allocatable:
            raise refuse(f"the argument `{place.variable.name}` of {stmt.name}", stmt.span)
        if inside and leaf.allocatable:
            if isinstance(value, ir.Intrinsic) and value.name == "null":
                return "nothing()"
            if isinstance(value, ir.Ref) and self.is_memory(value) and all(p.subscripts is None for p in value.parts):
                return f"copied({self.values.slot(value).code})"
        code = self.values.value(value)
        code = cast(code, leaf.type if inside else type_of(value))
        if inside and rank_of(value) < len(leaf.dims) and not leaf.allocatable:
            shape = [self.extent(dim, place, stmt) for dim in leaf.dims[place.variable.shape.rank:]]
            code = f"np.broadcast_to({code}, ({', '.join(shape)},))"
        code, results = f"temporary({code})", self.results_in(value)
        if not results:
            return code
        kind = dtype_of(type_of(value)) if not rank_of(value) else None
        return f"evaluated(lambda: {code}, ({results},), {kind!r})"

    def results_in(self, value: ir.Expr) -> str:
        """Code of the memory of the function results that a value is computed from and that their calls make."""
        temporaries = dict.fromkeys(one.name for one in walk(value) if isinstance(one, ir.Ref)
                                    and self.layout.variable(one.name, self.values.span).area.kind == "temporary")
        return ", ".join(f"s[{place.number}]" for name in temporaries
                         for place in self.layout.places(name, self.values.span) if has_shape_from_call(place))

    def extent(self, dim: ir.Dim, place: SlotPlace, stmt: ir.Call) -> str:
        """A component's extent, which is a constant."""
        if not isinstance(dim.upper, ir.Literal_) or not isinstance(dim.lower, ir.Literal_ | None):
            raise refuse(f"the argument `{place.variable.name}` of {stmt.name}", stmt.span)
        low = 1 if dim.lower is None else dim.lower.value
        return f"{dim.upper.value} - {low} + 1"

    def procedure(self, actual: ir.Expr) -> str | None:
        """Code of a procedure that is passed; None for what is none."""
        if isinstance(actual, ir.ProcedureRef) or (isinstance(actual, ir.Ref) and actual.type.kind == "procedure"):
            return pointer_assignments.pointed(actual, self.values)
        return None

    def pointer(self, actual: ir.Expr, formal: ir.Variable, stmt: ir.Call) -> str:
        """What is passed for a dummy argument that is a pointer: a pointer's own memory, or one to a target."""
        place = self.values.pointer(actual) if isinstance(actual, ir.Ref) else None
        if isinstance(actual, ir.Ref) and place is not None and actual.parts[-1].subscripts is None:
            return f"[({pointer_assignments.at(place, actual, self.values)})]"
        if formal.intent != "in":
            raise refuse(f"the argument `{formal.name}` of {stmt.name}, which is a pointer", stmt.span)
        return f"[(pointing({pointer_assignments.pointed(actual, self.values)}), ())]"

    def made(self, stmt: ir.Call) -> tuple[int, ...]:
        """The slots of a function result that has its shape from the call: an array, or allocatable."""
        if stmt.result is None:
            return ()
        places = self.layout.places(stmt.result.name, stmt.span)
        return tuple(place.number for place in places if has_shape_from_call(place))

    def given(self, stmt: ir.Call) -> tuple[int, ...]:
        """The slots of a function result of which nothing is allocated, or associated."""
        if stmt.result is None:
            return ()
        places = self.layout.places(stmt.result.name, stmt.span)
        plain = all(p.leaf.has_values and not p.leaf.allocatable for p in places)
        return tuple(p.number for p in places) if plain else ()

    def passed(self, actual: ir.Ref, formal: tuple[SlotPlace, ...], stmt: ir.Call) -> str:
        """The memory of an actual argument, one slot and index for each leaf of the dummy argument."""
        own = {p.leaf.path[len(p.rest):]: p for p in self.values.below(actual)}
        whole = actual.parts[-1].subscripts is None
        if formal and formal[0].variable.optional and whole and self.values.pointer(actual):
            own = {path: replace(one, code=one.code.replace("to(", "perhaps(", 1)) for path, one in own.items()}
        opened = self.opened(own, formal)
        found = []
        for leaf in formal:
            place = own.get(leaf.leaf.path)
            if leaf.leaf.path == (TAG,):
                found.append(f"({object_types.tag_for(actual, self.values)}, ())")
                continue
            if leaf.leaf.path in opened:
                found.append(f"({opened[leaf.leaf.path]}, ())")
                continue
            inside = {path[len(leaf.leaf.path):]: one for path, one in own.items()
                      if path[:len(leaf.leaf.path)] == leaf.leaf.path} if leaf.leaf.owned and place is None else {}
            if inside:  # the dummy argument is of its own component's type, the actual one is not
                items = ", ".join(f"{self.values.text(path)}: {one.code}" for path, one in inside.items())
                found.append(f"(alone({{{items}}}), ())")
                continue
            if place is None and leaf.leaf.having:
                found.append("(nothing(), ())")  # of an extension of the actual argument's type
                continue
            if place is None:
                raise refuse(f"the argument `{actual.name}` of {stmt.name}", stmt.span)
            outer = sum(place.leaf.ranks[:len(place.parts) - 1])
            element = actual.rank == 0 and actual.parts[-1].subscripts is not None
            code = f"{place.code}, {self.values.index(actual, place)}"
            if actual.substring is not None:
                found.append(f"(substring({code}, {self.values.ends(actual.substring)}), ())")
                continue
            if element and not outer and leaf.variable.shape.kind in ("explicit", "assumed-size"):
                code = f"begun({place.code}, lambda: {self.values.index(actual, place)})"
            else:
                code = f"component({code}, {outer})" if outer and element else f"({code})"
            if place.leaf.is_tag:
                code = f"({place.code}, ())"
            elif place.leaf.having and code != f"({place.code}, ())":
                code = f"({code} if {place.code}.a is not None else ({place.code}, ()))"
            found.append(code)
        return f"[{', '.join(found)}]"

    def opened(self, own: Mapping[tuple[str, ...], ReachedMemory],
               formal: tuple[SlotPlace, ...]) -> dict[tuple[str, ...], str]:
        """Code of the leaves of an element's allocatable components, which are the dummy argument's own."""
        kept = {leaf.leaf.path for leaf in formal if leaf.leaf.owned is not None}
        return {inner.leaf.path[len(inner.rest):]: inner.code for path, place in own.items()
                if place.leaf.owned is not None and path not in kept for inner in self.values.opened(place)}


def has_shape_from_call(result: SlotPlace) -> bool:
    """Is a leaf of a function's result made by the call, as an array, a text or what is allocated?"""
    leaf = result.leaf
    return not leaf.is_pointer and bool(leaf.dims or leaf.allocatable or leaf.is_tag or leaf.dtype == "S")


def begun(slot: Slot, index: Callable[[], Index]) -> tuple[Slot, Index]:
    """The element with which an array begins that is passed. `call scale(n - k, a(1, k + 1))` has none for the last k,
    and passes no elements. Raises ReplayError for a subscript that cannot be evaluated."""
    try:
        return slot, index()
    except ReplayError as error:
        if error.slot is not slot or slot.a is None:
            raise
    none = slice(0, 0)
    a, b = slot.values.reshape(-1, order="F")[none], None if slot.b is None else slot.b.reshape(-1, order="F")[none]
    return slot.like(a, b, (1,)), ()


def evaluated(value: Callable[[], Slot], results: tuple[Slot, ...], dtype: str | None) -> Slot:
    """The memory of a value that is passed. That of `call scale(sum(half(v)), y)` is undefined where an adjoint needs
    no such value, so that the call of half, whose result is in ``results``, was not run: a scalar's of ``dtype``.
    Raises ReplayError for what else cannot be evaluated."""
    try:
        return value()
    except ReplayError as error:
        if all(error.slot is not one or one.a is not None for one in results):
            raise
    return nothing() if dtype is None else fresh(dtype, [])


def component(slot: Slot, index: Index, outer: int) -> tuple[Slot, Index]:
    """An element of an array that is a component of one element of another array (of ``outer`` dimensions): what
    follows it in memory lies in the same component."""
    a, b = slot.values[index[:outer]], None if slot.b is None else slot.b[index[:outer]]
    return slot.like(a, b, slot.lo[outer:]), index[outer:]


def pointing(value: Association | ProcedureValue | None) -> Slot:
    """Memory for what is passed to a pointer and is none."""
    slot = fresh("O" if isinstance(value, ProcedureValue) else POINTER, [])
    slot.values[()] = value
    return slot


def nothing() -> Slot:
    """An allocatable component that is not allocated."""
    return Slot(None, None, ())


def copied(slot: Slot) -> Slot:
    """A copy of an allocatable component, if it is allocated."""
    found = Slot(None, None, slot.lo) if slot.a is None else temporary(slot.a)
    found.lo = slot.lo
    return found


def temporary(value: Any) -> Slot:
    """Memory for an expression that is passed."""
    a = np.array(value, order="F")
    kind = a.dtype.kind
    if kind == "b":
        a = a.astype(np.int32)
    return Slot(a, np.zeros(a.shape, a.dtype, order="F") if kind in "fc" else None, (1,) * a.ndim)
