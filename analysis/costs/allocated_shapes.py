"""Which shapes of allocatable variables are known: where one ALLOCATE of the procedure is all that gives one.

``allocate (h(n))`` makes h n elements long, for as long as nothing else can allocate it: no second ALLOCATE, no
MOVE_ALLOC, no assignment that may give it another shape, no procedure that has it as an allocatable dummy argument,
or reaches it otherwise and writes it. Only what is the procedure's own, and lives no longer than it, is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol, TypeAlias

from snapset.analysis.memory.reallocating_assignments import NOTHING, reshaped
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.atoms import Counter
from snapset.analysis.symbolic.extrema import clamp
from snapset.analysis.symbolic.polynomials import ONE, Quantity, product
from snapset.frontend import ir
from snapset.frontend.ir.argument_binding import BindError, bind

Extents: TypeAlias = tuple[Quantity, ...]
Object: TypeAlias = tuple[ir.Area, tuple[str, ...]]  # a variable, or a component of one that is no array


class IntegerValues(Protocol):
    """What integer expressions of a procedure are (:class:`snapset.analysis.costs.trip_counts.CountScope`)."""

    model: ProcedureModel

    def at(self, expr: ir.Expr, node: int) -> Quantity | None:
        """The value at a node."""

    def size(self, name: str, path: tuple[str, ...], dim: int | None) -> Quantity | None:
        """The elements of a variable."""


def find_extents(values: IntegerValues, procedures: Mapping[str, ir.Procedure], found: dict[Object, Extents]) -> None:
    """The extents that the only ALLOCATE of each object gives it, into ``found``, which ``values`` may look into."""
    for at, (node, ref) in only_allocations(values.model, procedures).items():
        lengths = [_length(values, bound, node) for bound in ref.parts[-1].subscripts or ()]
        known = [x for x in lengths if x is not None and not any(isinstance(a, Counter) for a in x.atoms())]
        if len(known) == len(lengths):
            found[at] = tuple(map(clamp, known))
    again = True
    while again:  # what is as long as something of which the length turns out not to be known is not known either
        lost = {at for at, stmt in reallocations(values.model, tuple(found))
                if not _as_long(values, stmt.value, found[at])}
        again = bool(lost)
        for at in lost:
            del found[at]


def _length(values: IntegerValues, bound: ir.Subscript, node: int) -> Quantity | None:
    """``n``, or ``0:n``"""
    low, high = (bound.lower, bound.upper) if isinstance(bound, ir.Range) else (None, bound)
    first, last = ONE if low is None else values.at(low, node), None if high is None else values.at(high, node)
    return None if first is None or last is None else last - first + ONE


def _as_long(values: IntegerValues, value: ir.Expr, extents: Extents) -> bool:
    """Has an expression, computed element by element, certainly as many elements?"""
    match value:
        case ir.Ref() if value.rank and all(p.subscripts is None for p in value.parts):
            return values.size(value.name, tuple(p.name for p in value.parts[1:]), None) == product(extents)
        case ir.Unary():
            return _as_long(values, value.operand, extents)
        case ir.Binary():
            return _as_long(values, value.left, extents) or _as_long(values, value.right, extents)
        case _:
            return False


def only_allocations(model: ProcedureModel, procedures: Mapping[str, ir.Procedure]) -> dict[Object, tuple[int, ir.Ref]]:
    """By object the node and the reference of its only ALLOCATE. Assignments that may reallocate do not count here:
    see :func:`reallocations`."""
    found: dict[Object, list[tuple[int, ir.Ref]]] = {}
    for node in model.graph.order:
        stmt = model.flow.nodes[node].stmt
        for ref in stmt.objects if isinstance(stmt, ir.Allocate) else ():
            at = object_of(model, ref)
            if at is not None:
                found.setdefault(at, []).append((node, ref))
    if not found:
        return {}
    changed = {at for node in model.calls for at in _by_call(model, node, procedures, found)}
    return {at: places[0] for at, places in found.items() if len(places) == 1 and at not in changed
            and places[0][1].parts[-1].subscripts}


def reallocations(model: ProcedureModel, wanted: Collection[Object]) -> Iterator[tuple[Object, ir.Assign]]:
    """The assignments that may give an object another shape."""
    for node in model.graph.order:
        stmt = model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign) and reshaped(stmt, model.refs) != NOTHING:
            target = object_of(model, stmt.target)
            yield from ((at, stmt) for at in wanted if target is not None and at[0] == target[0]
                        and at[1][:len(target[1])] == target[1])


def object_of(model: ProcedureModel, ref: ir.Ref) -> Object | None:
    """What a reference names, if it is the procedure's own; the last part's subscripts are bounds."""
    variable = model.procedure.variables.get(ref.name)
    if variable is None or variable.area.kind != "local" or variable.area.owner != model.procedure.key:
        return None
    if any(part.subscripts is not None for part in ref.parts[:-1]) or variable.pointer or variable.target:
        return None
    return variable.area, tuple(part.name for part in ref.parts[1:])


def _by_call(model: ProcedureModel, node: int, procedures: Mapping[str, ir.Procedure],
             wanted: Mapping[Object, object]) -> Iterator[Object]:
    """What a call may allocate anew."""
    site, written = model.calls[node], model.effects[node].out
    passed = {at for argument in site.stmt.args if isinstance(argument.value, ir.Ref)
              and (at := object_of(model, argument.value)) is not None}
    allocatable = passed if site.stmt.intrinsic or not site.targets else _to_allocatable(model, site.stmt, [
        procedures[target.key] for target in site.targets])
    for at in wanted:
        bits = model.formal(_name(model, at))
        if bits & written and (at in allocatable or not any(area == at[0] for area, _ in passed)):
            yield at


def _to_allocatable(model: ProcedureModel, call: ir.Call, callees: list[ir.Procedure]) -> set[Object]:
    """The objects that are passed to allocatable dummy arguments, or within an object of derived type."""
    found: set[Object] = set()
    for callee in callees:
        try:
            actuals = bind(call, callee)
        except BindError:
            actuals = tuple(argument.value for argument in call.args)
            found |= {at for one in actuals if isinstance(one, ir.Ref) and (at := object_of(model, one)) is not None}
            continue
        for formal, actual in zip(callee.formals, actuals, strict=True):
            at = object_of(model, actual) if isinstance(actual, ir.Ref) else None
            declared = callee.variables.get(formal)
            if at is None or declared is None:
                continue
            if declared.allocatable or declared.type.kind in ("derived", "unknown"):
                found |= {at, *((at[0], leaf.location.path) for leaf in model.refs.leaves(_name(model, at)))}
    return found


def _name(model: ProcedureModel, at: Object) -> str:
    return next(name for name, variable in model.procedure.variables.items()
                if variable.area == at[0] and variable.value is None)
