"""What a procedure does to the allocations of variables of modules, and to the integers that their bounds are made of.

``allocate (h(n))`` with ``h`` and ``n`` of the module ``grid`` makes ``grid::h`` ``grid::n`` elements long, whatever
the procedure calls the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from snapset.analysis.memory.reallocating_assignments import alike, keeps_shape
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.extrema import clamp, extreme, quotient
from snapset.analysis.symbolic.polynomials import ONE, Quantity, number, of
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import rank_of
from snapset.frontend.ir.statement_walk import statements

Extents: TypeAlias = tuple[Quantity, ...]
Object: TypeAlias = tuple[ir.Area, tuple[str, ...]]
"""A variable of a module, or a component of one that is neither an array nor a pointer."""
_NAMED = ("max", "min", "max0", "min0")


@frozen
class ModuleAllocations:
    """``made``: by ALLOCATE, with the extents; None where they are no formulas of constants and modules' integers.
    ``copied``: by an assignment of an array to all of it, with the objects of which one certainly has the value's
    shape. ``otherwise``: what may be shaped in other ways. ``components``: of objects by other names
    (dummy arguments, pointers); ``types``: of objects that are assigned as a whole by other names. ``hidden``: there
    may be more that is not seen."""

    made: tuple[tuple[Object, Extents | None], ...] = ()
    copied: tuple[tuple[Object, tuple[Object, ...]], ...] = ()
    otherwise: tuple[Object, ...] = ()
    components: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    hidden: bool = False


def object_of(procedure: ir.Procedure, ref: ir.Ref, types: Mapping[str, ir.DerivedType]) -> Object | None:
    """What of a module a reference names; the last part's subscripts are bounds. None for what is no module's, or is
    behind a pointer or in an array."""
    variable = procedure.variables.get(ref.name)
    if variable is None or variable.area.kind != "module" or variable.offset or variable.value is not None:
        return None
    for at, part in enumerate(ref.parts):
        if at and (variable := component_of(variable, part.name, types)) is None:
            return None
        if variable.pointer or (at + 1 < len(ref.parts) and (part.subscripts is not None or variable.shape.dims)):
            return None
    if len(ref.parts) > 1 and procedure.variables[ref.name].target:
        return None
    return procedure.variables[ref.name].area, tuple(part.name for part in ref.parts[1:])


def component_of(variable: ir.Variable, name: str, types: Mapping[str, ir.DerivedType]) -> ir.Variable | None:
    """The component of an object's declared type."""
    type_ = types.get(variable.type.derived or "")
    return None if type_ is None else next((one for one in type_.components if one.name == name), None)


def module_allocations(procedure: ir.Procedure, program: ir.Program,
                       harmless: Callable[[ir.Call], bool]) -> ModuleAllocations:
    """All that is known of one procedure. ``harmless``: of a call without source, that it touches its arguments only
    and leaves their allocations alone."""
    return _Collected(procedure, program, harmless).found()


def extents_of(procedure: ir.Procedure, ref: ir.Ref, types: Mapping[str, ir.DerivedType]) -> Extents | None:
    """The extents that ALLOCATE gives an object with these bounds."""
    lengths = [_length(procedure, one, types) for one in ref.parts[-1].subscripts or ()]
    known = [one for one in lengths if one is not None]
    return tuple(known) if known and len(known) == len(lengths) else None


def _length(procedure: ir.Procedure, bound: ir.Subscript, types: Mapping[str, ir.DerivedType]) -> Quantity | None:
    low, high = (bound.lower, bound.upper) if isinstance(bound, ir.Range) else (None, bound)
    first = ONE if low is None else _formula(procedure, low, types)
    last = None if high is None else _formula(procedure, high, types)
    return None if first is None or last is None else clamp(last - first + ONE)


def _formula(procedure: ir.Procedure, expr: ir.Expr, types: Mapping[str, ir.DerivedType]) -> Quantity | None:
    """An expression of constants and of integers of modules."""
    match expr:
        case ir.Literal_(value=bool()):
            return None
        case ir.Literal_(value=int() as value):
            return number(value)
        case ir.Ref():
            return _named(procedure, expr, types)
        case ir.Unary(op="+" | "-" as op, operand=operand):
            inner = _formula(procedure, operand, types)
            return inner if inner is None or op == "+" else -inner
        case ir.Binary(op="+" | "-" | "*" | "/" as op, left=left, right=right) if expr.type.kind == "integer":
            one, other = _formula(procedure, left, types), _formula(procedure, right, types)
            if one is None or other is None:
                return None
            return {"+": one + other, "-": one - other, "*": one*other}.get(op) or quotient(one, other)
        case ir.Intrinsic(name=name, args=args) if name in _NAMED:
            values = [_formula(procedure, one.value, types) for one in args]
            known = [one for one in values if one is not None]
            return extreme("max" if name[:3] == "max" else "min", known) if len(known) == len(values) else None
        case _:
            return None


def _named(procedure: ir.Procedure, ref: ir.Ref, types: Mapping[str, ir.DerivedType]) -> Quantity | None:
    """A constant, or a scalar of a module that no pointer leads to."""
    variable = procedure.variables.get(ref.name)
    if variable is None or ref.rank or ref.type.kind != "integer" or any(p.subscripts is not None for p in ref.parts):
        return None
    if variable.value is not None:
        return _formula(procedure, variable.value, types) if len(ref.parts) == 1 else None
    at = object_of(procedure, ref, types)
    if at is None or variable.target or variable.allocatable:
        return None
    return of(Sym(f"{at[0].owner}::{'%'.join((at[0].name, *at[1]))}", at[0], at[1]))


class _Collected:
    """The facts of one procedure, statement by statement."""

    def __init__(self, procedure: ir.Procedure, program: ir.Program, harmless: Callable[[ir.Call], bool]) -> None:
        self.procedure, self.program, self.types = procedure, program, program.types
        self.harmless = harmless
        self.made: list[tuple[Object, Extents | None]] = []
        self.copied: list[tuple[Object, tuple[Object, ...]]] = []
        self.otherwise: dict[Object, None] = {}
        self.components: dict[str, None] = {}
        self.objects: dict[str, None] = {}

    def found(self) -> ModuleAllocations:
        facts = body_facts_of(self.procedure)
        hidden = facts.opaque or not all(self.harmless(one) for one in facts.outside)
        for stmt in statements(self.procedure.body):
            match stmt:
                case ir.Allocate():
                    self._allocate(stmt)
                case ir.Assign() if not stmt.initial:
                    self._assign(stmt)
                case ir.Call():
                    self._call(stmt)
        return ModuleAllocations(tuple(self.made), tuple(self.copied), tuple(self.otherwise), tuple(self.components),
                                 tuple(self.objects), hidden)

    def _at(self, ref: ir.Ref) -> Object | None:
        return object_of(self.procedure, ref, self.types)

    def _allocate(self, stmt: ir.Allocate) -> None:
        for ref in stmt.objects:
            at = self._at(ref)
            if at is not None:
                self.made.append((at, extents_of(self.procedure, ref, self.types)))
            else:
                self._elsewhere(ref)

    def _assign(self, stmt: ir.Assign) -> None:
        target = stmt.target
        if target.type.kind == "derived":
            self._object(target)
        if target.parts[-1].subscripts is not None or not target.rank or keeps_shape(stmt):
            return
        at = self._at(target)
        if at is None:
            self._elsewhere(target)
            return
        same = [one for value in alike(stmt.value) if isinstance(value, ir.Ref) and rank_of(value)
                and all(part.subscripts is None for part in value.parts) and (one := self._at(value)) is not None]
        self.copied.append((at, tuple(same)))

    def _call(self, stmt: ir.Call) -> None:
        """What may be given other memory: what is passed to allocatable dummy arguments, and to MOVE_ALLOC."""
        if not stmt.targets:
            for argument in stmt.args if stmt.name == "move_alloc" else ():
                if isinstance(argument.value, ir.Ref):
                    self._changed(argument.value)
            return
        if stmt.result is not None and stmt.result.type.kind == "derived":
            self._object(stmt.result)
        for key in stmt.targets:
            callee = self.program.procedures[key]
            try:
                bound = list(zip(callee.formals, bind(stmt, callee), strict=True))
            except BindError:
                for argument in stmt.args:
                    if isinstance(argument.value, ir.Ref):
                        self._changed(argument.value)
                continue
            for formal, actual in bound:
                one = callee.variables.get(formal)
                if isinstance(actual, ir.Ref) and (one is None or (one.allocatable and one.intent != "in")):
                    self._changed(actual)

    def _changed(self, ref: ir.Ref) -> None:
        at = self._at(ref)
        if at is not None:
            self.otherwise[at] = None
        else:
            self._elsewhere(ref)

    def _object(self, ref: ir.Ref) -> None:
        """An object gets another value as a whole, and with it other components."""
        at = self._at(ref)
        if at is not None:
            self.otherwise[at] = None
        elif ref.type.derived is not None:
            self.objects[ref.type.derived] = None

    def _elsewhere(self, ref: ir.Ref) -> None:
        """A component by another name than that of a module's object."""
        if len(ref.parts) > 1:
            self.components[ref.parts[-1].name] = None
