"""How much of an actual argument a dummy argument is: of ``x(1, q)`` it is a column, if columns are that long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from snapset.analysis.memory.affine_forms import affine, of_fixed_extents
from snapset.analysis.memory.subscript_intervals import Constant, constants
from snapset.analysis.symbolic.polynomials import Quantity, number
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of

ONE = ir.Literal_(1, ir.INTEGER)
_UNSEEN = ir.OpaqueExpr("", ())
Steady = Callable[[ir.Ref], bool]


class Extents:
    """Compares a dummy argument's declared shape with its actual argument's, in the caller's terms."""

    def __init__(self, procedure: ir.Procedure, actuals: Mapping[str, ir.Expr | None],
                 variables: Mapping[str, ir.Variable], steady: Steady,
                 types: Mapping[str, ir.DerivedType] = MappingProxyType({})) -> None:
        """``types``: those whose components' shapes are known."""
        self.procedure = procedure
        self.actuals = actuals
        self.variables = variables
        self.steady = steady
        self.types = types

    def same(self, formal: ir.Variable, actual: ir.Ref) -> bool:
        """Is the dummy argument certainly as large as all that the actual argument selects?"""
        if formal.shape.kind == "scalar":
            return actual.rank == 0
        if formal.shape.kind in ("assumed-shape", "deferred"):
            return True
        declared = self._selected(actual) if formal.shape.kind == "explicit" else None
        if declared is None:
            return False
        if declared.kind != "explicit" or declared.rank != formal.shape.rank:
            return False
        return all(self._same_dim(a, b) for a, b in zip(formal.shape.dims, declared.dims, strict=True))

    def elements(self, formal: ir.Variable, actual: ir.Ref, constant: Constant) -> int | None:
        """How many elements a dummy argument has. ``constant``: what an expression of the caller is as a number."""
        if formal.shape.kind != "explicit" or formal.type != actual.type:
            return None
        inner, total = constants(self.procedure.variables), 1
        for dim in formal.shape.dims:
            low, high = (None if one is None else number_ if (number_ := inner(one)) is not None
                         else constant(self._in_caller(one)) for one in (dim.lower or ONE, dim.upper))
            if low is None or high is None:
                return None
            total *= max(0, high - low + 1)
        return total

    def _selected(self, actual: ir.Ref) -> ir.Shape | None:
        """What a reference selects, dimension by dimension, each as it is or a part without gaps; None where it selects
        otherwise."""
        declared, given = self.declared(actual), actual.parts[-1].subscripts
        if declared is None or given is None:
            return declared
        if len(given) != declared.rank or any(
                one.step is not None if isinstance(one, ir.Range) else rank_of(one) for one in given):
            return None
        return replace(declared, dims=tuple(ir.Dim(one.lower or dim.lower, one.upper or dim.upper) for dim, one in
                                            zip(declared.dims, given, strict=True) if isinstance(one, ir.Range)))

    def declared(self, actual: ir.Ref) -> ir.Shape | None:
        """The shape of a variable, or of a component of one element of it; None where that is not known."""
        variable = self.variables.get(actual.name)
        for part, following in pairwise(actual.parts):
            type_ = None if variable is None or variable.polymorphic else self.types.get(variable.type.derived or "")
            if type_ is None or any(isinstance(one, ir.Range) or rank_of(one) for one in part.subscripts or ()):
                return None
            if part.subscripts is None and variable is not None and variable.shape.dims:
                return None
            variable = next((one for one in type_.components if one.name == following.name), None)
        if variable is None or (len(actual.parts) > 1 and not all(
                isinstance(end, ir.Literal_ | None) for dim in variable.shape.dims for end in (dim.lower, dim.upper))):
            return None  # bounds that names of another scope give
        return variable.shape

    def in_column(self, formal: ir.Variable, actual: ir.Ref) -> tuple[bool, bool]:
        """Has what is passed by an element no more elements than its column has from there on, and is it the column?"""
        found = self.leading(formal, actual) if formal.shape.rank == 1 else None
        return found is not None, bool(found)

    def leading(self, formal: ir.Variable, actual: ir.Ref) -> bool | None:
        """Of an array that is passed by an element: is it all of the first dimensions, as many as the dummy argument
        has? None where it may be more than these have."""
        declared, given = self.declared(actual), actual.parts[-1].subscripts or ()
        rank = formal.shape.rank
        known = declared is not None and declared.kind in ("explicit", "assumed-size") and len(given) == declared.rank
        if not known or declared is None or formal.shape.kind != "explicit" or not 0 < rank <= declared.rank:
            return None
        if formal.type != actual.type or any(isinstance(one, ir.Range) or rank_of(one) for one in given):
            return None
        *before, last = zip(formal.shape.dims, declared.dims[:rank], given[:rank], strict=True)
        if not all(self._same_dim(inner, outer) and self._skipped(outer, first) == number(0)
                   for inner, outer, first in before):
            return None
        inner, outer = self._length(last[0], True), self._length(last[1], False)
        skipped = self._skipped(*last[1:])
        if inner is None or outer is None or skipped is None or not (inner + skipped).is_at_most(outer):
            return None
        return skipped == number(0) and inner == outer

    def reached(self, formal: ir.Variable, actual: ir.Ref) -> tuple[ir.Subscript, ...] | None:
        """The subscripts, in the last part of an array that is passed by an element, of all that the dummy argument may
        be; None where that is more than the first dimensions hold."""
        declared, given, rank = self.declared(actual), actual.parts[-1].subscripts or (), formal.shape.rank
        if declared is None or self.leading(formal, actual) is None:
            return None
        first = given[rank - 1]
        if isinstance(first, ir.Range) or self._skipped(declared.dims[rank - 1], first) == number(0):
            first = ir.Range()
        last = first if isinstance(first, ir.Range) else ir.Range(first)
        return (*(ir.Range() for _ in range(rank - 1)), last, *given[rank:])

    def _skipped(self, outer: ir.Dim, first: ir.Subscript) -> Quantity | None:
        """How many elements stand before a subscript."""
        return None if isinstance(first, ir.Range) else self._length(ir.Dim(outer.lower, first), False)

    def shifts(self, formal: ir.Variable, actual: ir.Ref) -> tuple[int, ...] | None:
        """By how much the actual argument's subscripts are greater than the dummy argument's, where an element has the
        same place in both, dimension by dimension."""
        declared = self.variables[actual.name].shape
        if declared.rank != formal.shape.rank or formal.shape.kind not in ("explicit", "assumed-shape"):
            return None
        dims = list(zip(formal.shape.dims, declared.dims, strict=True))
        if formal.shape.kind == "explicit" and not (declared.kind == "explicit" and all(
                self._same_dim(a, b) for a, b in dims[:-1])):
            return None
        apart = [self._apart(a.lower, b.lower) for a, b in dims]
        known = [one for one in apart if one is not None]
        return tuple(known) if len(known) == len(apart) else None

    def _apart(self, inner: ir.Expr | None, outer: ir.Expr | None) -> int | None:
        ends = [affine(one or ir.Literal_(1, ir.INTEGER), lambda _: False) for one in (inner, outer)]
        return None if ends[0] is None or ends[1] is None else int((ends[1] - ends[0]).offset)

    def _same_dim(self, formal: ir.Dim, actual: ir.Dim) -> bool:
        inner = self._length(formal, True)
        outer = self._length(actual, False)
        return inner is not None and inner == outer

    def _length(self, dim: ir.Dim, inside: bool) -> Quantity | None:
        """The last subscript less the first."""
        lower = dim.lower or ir.Literal_(1, ir.INTEGER)
        if dim.upper is None:
            return None
        if inside:
            lower, upper = self._in_caller(lower), self._in_caller(dim.upper)
        else:
            upper = dim.upper
        low, high = (affine(one, self.steady, of_fixed_extents(self.variables)) for one in (lower, upper))
        return None if low is None or high is None else high - low

    def _in_caller(self, expr: ir.Expr) -> ir.Expr:
        """The expression with dummy arguments replaced by what was passed; only what both see alike stays."""
        match expr:
            case ir.Ref() if len(expr.parts) == 1 and expr.name in self.actuals:
                return self.actuals[expr.name] or ir.OpaqueExpr(expr.name, ())
            case ir.Ref():
                inner, outer = self.procedure.variables.get(expr.name), self.variables.get(expr.name)
                same = inner is not None and outer is not None and inner.area == outer.area
                return expr if same else ir.OpaqueExpr(expr.name, ())
            case ir.Binary():
                return ir.Binary(expr.op, self._in_caller(expr.left), self._in_caller(expr.right), expr.type)
            case ir.Unary():
                return ir.Unary(expr.op, self._in_caller(expr.operand), expr.type)
            case ir.Intrinsic(args=(ir.Argument(value=ir.Ref() as array), *rest)):
                formal = self.procedure.variables.get(array.name)
                whole = formal is not None and formal.shape.kind == "assumed-shape" and all(
                    dim.lower is None for dim in formal.shape.dims)
                there = self._in_caller(array) if whole or array.name not in self.actuals else _UNSEEN
                return replace(expr, args=(ir.Argument(there), *rest))
            case _:
                return expr
