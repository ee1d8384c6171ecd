"""What calls write of arrays: the stretches that procedures write, as references in their callers' names.

``call smooth(u, n)`` with ``real :: x(n)``, ``do i = 2, n - 1; x(i) = ..`` in it writes ``u(2:n-1)`` and no more;
``call smooth(a(1, k), n)`` writes ``a(2:n-1, k)``, where a's columns are that long. Limits are what the procedure
leaves as it was, so they are the same before and behind the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from snapset.analysis.dataflow.bitsets import EMPTY, May, members, union
from snapset.analysis.dataflow.control_dependence import control_dependence
from snapset.analysis.incremental.query_engine import QueryOwner, derived, query
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.written_sections import OfLocation, SectionSearch, names
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.ir.argument_binding import bind
from snapset.frontend.ir.expression_queries import rank_of

ONE = ir.Literal_(1, ir.INTEGER)


@frozen
class WrittenElements:
    """Which elements a procedure writes, as its callers see it: ``a(2:n-1)`` of a dummy argument a.

    ``written``: by location, sections that hold all elements the procedure may write. ``unchanged``: the integers
    named in these sections and in its declarations, such as n, that the procedure does not overwrite.
    """

    written: Mapping[int, Piece]
    unchanged: frozenset[str]


class Stretches(QueryOwner):
    """The stretches of all procedures, found when they are asked for."""

    def __init__(self, models: Models) -> None:
        super().__init__(models.engine)
        self.models = models
        self._settling: dict[str, WrittenElements] = {}

    @query("value")
    def of(self, key: str) -> WrittenElements:
        """Those of a procedure."""
        return self.together(self.models.group(key))[key]

    @query()
    def together(self, keys: tuple[str, ...]) -> Mapping[str, WrittenElements]:
        """Those of procedures that call each other, or of one: what is not found yet of a recursive call is unknown."""
        if not self.models.recurs(keys[0]):
            return {keys[0]: self.find(keys[0])}
        self._settling.update(dict.fromkeys(keys, WrittenElements({}, frozenset())))
        found: dict[str, WrittenElements] = {}
        for key in keys:
            found[key] = self._settling[key] = self.find(key)
        for key in keys:
            del self._settling[key]
        return found

    def known(self, key: str) -> WrittenElements:
        """Those of a procedure, or what they are so far."""
        return self._settling.get(key) or self.of(key)

    def find(self, key: str) -> WrittenElements:
        model = self.models.by_key[key]
        search = SectionSearch(model, model.flow.levels[0].nodes, control_dependence(model.flow), self.written)
        found: dict[int, Piece] = {}
        for index in members(model.summary.out & model.space.all()):
            piece = search.piece(index) or _all_of(model, index)
            if piece and not any(_undefined(model, ref) for ref in piece):
                dims = model.space.infos[index].dims()
                known = [(dim, one is not None) for dim, one in zip(dims, search.bounds(index), strict=True)]
                found[index] = tuple(_within(ref, known) for ref in piece)
        return WrittenElements(found, _unchanged(model, chain.from_iterable(found.values())))

    def written(self, model: ProcedureModel, node: int) -> OfLocation:
        """The references through which a call writes a location, none of them more than it selects."""
        site = model.calls[node]
        if not site.targets or site.stmt.pointer is not None:
            return lambda _: None
        result = site.stmt.result
        unknown: May = EMPTY if result is None else model.refs.touch(result).bits
        passed = [self._passed(model, site.stmt, target) for target in site.targets]
        unknown |= union(one.unknown for one in passed)

        def written(index: int) -> Sequence[ir.Ref] | None:
            if unknown >> index & 1:
                return None
            refs = [ref for one in passed for ref in one.written(index)]
            return None if None in refs else [ref for ref in refs if ref is not None]

        return written

    @derived
    def named(self, key: str) -> int:
        """The locations that a procedure's own statements touch."""
        model = self.models.by_key[key]
        return union(e.use | e.out for e, node in zip(model.effects, model.flow.nodes, strict=True)
                     if node.kind != "call" and node.stmt is not None)

    def _passed(self, model: ProcedureModel, stmt: ir.Call, target: Target) -> _Passed:
        callee, seen = self.models.seen[target.key], self.known(target.key)
        passing = _Passing(model, self.named(model.procedure.key), callee.procedure, seen.unchanged, dict(
            zip(callee.procedure.formals, bind(stmt, callee.procedure), strict=True)))
        unknown: May = EMPTY
        pieces: dict[int, list[Piece]] = {}
        for i in members(callee.summary.out):
            out = target.link(i).out
            if i in seen.written and model.space.is_one(out):
                for index in members(out):
                    pieces.setdefault(index, []).append(seen.written[i])
            else:
                unknown |= out
        return _Passed(passing, unknown, pieces)


def _all_of(model: ProcedureModel, index: int) -> Piece:
    """All of a location that is a dummy argument or a component of one; nothing where that cannot be said."""
    location, info = model.space.locations[index], model.space.infos[index]
    variables = model.procedure.variables
    names = [one for one in model.procedure.formals if one in variables and variables[one].area == location.area]
    dims = declared_dims(model, (*names, *location.path)) if names else None
    if dims is None or info.bytes is not None or info.other_names:
        return ()
    parts = [ir.PartRef(name, tuple(ir.Range() for _ in here.dims) if here.dims else None)
             for name, here in zip((*names, *location.path), dims, strict=True)]
    return (ir.Ref(tuple(parts), info.type, rank=sum(here.rank for here in dims)),)


def _within(ref: ir.Ref, dims: Iterable[tuple[ir.Dim, bool]]) -> ir.Ref:
    """The reference with the declared bounds, where they are known (flags), of the dimensions it selects whole."""
    left = iter(dims)

    def bounded(one: ir.Subscript) -> ir.Subscript:
        dim, known = next(left)
        return ir.Range(dim.lower or ONE, dim.upper) if known and one == ir.Range() else one

    return replace(ref, parts=tuple(part if part.subscripts is None else replace(
        part, subscripts=tuple(bounded(one) for one in part.subscripts)) for part in ref.parts))


def _undefined(model: ProcedureModel, ref: ir.Ref) -> bool:
    """Is it a dummy argument that is undefined when the procedure begins, or a copy?"""
    variable = model.procedure.variables[ref.name]
    return variable.intent == "out" or variable.by_value


def declared_dims(model: ProcedureModel, names: Sequence[str]) -> list[ir.Shape] | None:
    """The shapes of a variable and the components that lead to one of its own; None where a pointer is on the way."""
    variable = model.procedure.variables.get(names[0])
    found: list[ir.Shape] = []
    for following in (*names[1:], None):
        if variable is None or variable.pointer or variable.polymorphic:
            return None
        found.append(variable.shape)
        if following is not None:
            type_ = model.refs.storage.types.get(variable.type.derived or "")
            components = () if type_ is None else type_.components
            variable = next((one for one in components if one.name == following), None)
    return found


def _unchanged(model: ProcedureModel, refs: Iterable[ir.Ref]) -> frozenset[str]:
    """Of the names in references, and in the bounds of dummy arguments, those of what the procedure does not write."""
    variables = (model.procedure.variables.get(name) for name in model.procedure.formals)
    exprs: list[ir.Expr | None] = [end for v in variables if v is not None for dim in v.shape.dims
                                   for end in (dim.lower, dim.upper)]
    for one in (one for ref in refs for part in ref.parts for one in part.subscripts or ()):
        exprs += [one.lower, one.upper] if isinstance(one, ir.Range) else [one]
    named = dict(pair for expr in exprs if expr is not None for pair in names(expr))
    written = model.written
    return frozenset(name for name, ref in named.items()
                     if not model.space.with_aliases(model.refs.values(ref)) & written)


@frozen
class _Passing:
    """One call of one procedure. ``named``: what the caller's own statements touch; ``unchanged``: what the callee
    leaves as it was; ``actuals``: by dummy argument."""

    model: ProcedureModel
    named: int
    callee: ir.Procedure
    unchanged: frozenset[str]
    actuals: Mapping[str, ir.Expr | None]

    def in_caller(self, ref: ir.Ref) -> ir.Ref | None:
        """What a reference of the callee's selects, as a reference of the caller's; None where that is not known."""
        dummy = self.callee.variables[ref.name]
        if ref.name not in self.actuals:
            known = self.model.procedure.variables.get(ref.name)
            same = known is not None and (known.area, known.offset, known.type, known.shape) == (
                dummy.area, dummy.offset, dummy.type, dummy.shape)
            return self.renamed(ref) if same and self.model.refs.touch(ref).bits & ~self.named == 0 else None
        actual, first = self.actuals[ref.name], ref.parts[0].subscripts
        if not isinstance(actual, ir.Ref) or actual.substring is not None:
            return None
        parts = list(actual.parts)
        if dummy.shape.dims:
            subscripts = None if first is None else self.mapped(actual, dummy.shape, first)
            if subscripts is None:
                return None
            parts[-1] = replace(parts[-1], subscripts=subscripts)
        elif actual.rank:
            return None  # an elemental procedure
        inner = self.renamed(replace(ref, parts=ref.parts[1:])).parts if len(ref.parts) > 1 else ()
        return replace(ref, parts=(*parts, *inner))

    def mapped(self, actual: ir.Ref, shape: ir.Shape,
               inner: Sequence[ir.Subscript]) -> tuple[ir.Subscript, ...] | None:
        """The subscripts of the actual argument's last part for those of a dummy array. Of ``o(:)%v(2)``, whose
        elements follow each other in an earlier part, none does."""
        shapes = declared_dims(self.model, [part.name for part in actual.parts])
        before = (one for part in actual.parts[:-1] for one in part.subscripts or ())
        if any(isinstance(one, ir.Range) or rank_of(one) for one in before):
            return None
        if shapes is None or any(part.subscripts is None and one.dims for part, one in
                                 zip(actual.parts[:-1], shapes[:-1], strict=True)):
            return None
        outer, given = shapes[-1], actual.parts[-1].subscripts
        if given is None:
            given = tuple(ir.Range() for _ in outer.dims)
        places = [at for at, one in enumerate(given) if isinstance(one, ir.Range)]
        if not given or len(given) != outer.rank:
            return None
        if any(not isinstance(one, ir.Range) and rank_of(one) for one in given):
            return None
        if not places:
            return self.from_element(given, outer, shape, inner)
        if len(places) != len(inner) or not self.in_order(actual, outer, shape):
            return None
        found = list(given)
        for at, one, dim in zip(places, inner, shape.dims, strict=True):
            range_ = given[at]
            assert isinstance(range_, ir.Range)
            if range_.step is not None:
                return None
            moved = self.moved(one, dim, range_.lower or self.lower(outer, at))
            if moved is not None and moved != ir.Range():  # else all that is passed
                found[at] = self.ended(moved, outer, at)
        return tuple(found)

    def ended(self, moved: ir.Subscript, outer: ir.Shape, at: int) -> ir.Subscript:
        """A stretch up to the end of the array: a dummy array may be declared larger than what is passed."""
        upper = outer.dims[at].upper
        if not isinstance(moved, ir.Range) or moved.upper is None or upper is None:
            return moved
        high, end = affine(moved.upper, lambda _: True), affine(upper, self.steady)
        beyond = high is not None and end is not None and end != high and end.is_at_most(high)
        return replace(moved, upper=upper) if beyond else moved

    def in_order(self, actual: ir.Ref, outer: ir.Shape, shape: ir.Shape) -> bool:
        """Has an element of the dummy array the same place in the actual argument, dimension by dimension?"""
        if shape.kind == "assumed-shape" or (shape.kind != "deferred" and shape.rank == 1):
            return True
        if shape.kind == "deferred" or actual.parts[-1].subscripts is not None or outer.rank != shape.rank:
            return False
        return all(self.same(one, other, outer, at)
                   for at, (one, other) in enumerate(zip(shape.dims[:-1], outer.dims[:-1], strict=True)))

    def same(self, inner: ir.Dim, other: ir.Dim, outer: ir.Shape, at: int) -> bool:
        """Is a dimension of the dummy array as long as the actual argument's?"""
        ends = [affine(x, lambda _: True) for x in (self.bound(inner.lower or ONE), self.bound(inner.upper))]
        declared = [affine(x, self.steady) for x in (self.lower(outer, at), other.upper)]
        return _length(ends) == _length(declared) is not None

    def from_element(self, given: Sequence[ir.Subscript], outer: ir.Shape, shape: ir.Shape,
                     inner: Sequence[ir.Subscript]) -> tuple[ir.Subscript, ...] | None:
        """An element stands for what follows it: a stretch of its column, if that is long enough."""
        first = given[0]
        if shape.rank != 1 or isinstance(first, ir.Range):
            return None
        moved = self.moved(inner[0], shape.dims[0], first)
        last = moved.upper if isinstance(moved, ir.Range) else moved
        if last is None or moved is None:
            return None
        if len(given) > 1:
            high = affine(last, lambda _: True)
            if high is not None and high == affine(first, lambda _: True):
                return (moved, *given[1:])  # the element that is passed
            end = None if self.lower(outer, 0) is None else affine(outer.dims[0].upper, self.steady)
            if high is None or end is None or not high.is_at_most(end):
                return None
        return (self.ended(moved, outer, 0), *given[1:])

    def lower(self, shape: ir.Shape, at: int) -> ir.Expr | None:
        """A lower bound of one of the caller's arrays; None where it may be another than the declaration says."""
        lower = shape.dims[at].lower or ONE
        return lower if shape.kind != "deferred" and affine(lower, self.steady) is not None else None

    def moved(self, subscript: ir.Subscript, dim: ir.Dim, start: ir.Expr | None) -> ir.Subscript | None:
        """A subscript of the dummy array where its lower bound is ``start``; None where the caller cannot say it."""
        low = self.bound(dim.lower or ONE)
        if isinstance(subscript, ir.Range):
            if subscript == ir.Range():
                return subscript
            lower, upper = self.shifted(subscript.lower, low, start), self.shifted(subscript.upper, low, start)
            return None if lower is None or upper is None else ir.Range(lower, upper)
        return self.shifted(subscript, low, start)

    def shifted(self, expr: ir.Expr | None, low: ir.Expr | None, start: ir.Expr | None) -> ir.Expr | None:
        renamed = self.bound(expr)
        if renamed is None or low is None or start is None:
            return None
        if low == start:
            return renamed
        return ir.Binary("+", ir.Binary("-", renamed, low, ir.INTEGER), start, ir.INTEGER)

    # ------------------------------------------------------------ names

    def bound(self, expr: ir.Expr | None) -> ir.Expr | None:
        """An integer expression of the callee's, of what it leaves as it was, in the caller's names."""
        match expr:
            case ir.Literal_():
                return expr
            case ir.Ref() if "%".join(part.name for part in expr.parts) in self.unchanged:
                return self.scalar(expr)
            case ir.Unary(operand=operand):
                inner = self.bound(operand)
                return None if inner is None else replace(expr, operand=inner)
            case ir.Binary(left=left, right=right):
                a, b = self.bound(left), self.bound(right)
                return None if a is None or b is None else replace(expr, left=a, right=b)
            case _:
                return None

    def scalar(self, ref: ir.Ref) -> ir.Expr | None:
        if any(part.subscripts is not None for part in ref.parts):
            return None
        if ref.name in self.actuals:
            actual = self.actuals[ref.name]
            if len(ref.parts) == 1:
                return actual
            return replace(ref, parts=(*actual.parts, *ref.parts[1:])) if isinstance(actual, ir.Ref) else None
        inner, outer = (one.variables.get(ref.name) for one in (self.callee, self.model.procedure))
        same = inner is not None and outer is not None and (inner.area, inner.offset) == (outer.area, outer.offset)
        shared = same and inner is not None and inner.area.kind not in ("local", "formal")
        return ref if shared and self.model.refs.touch(ref).bits & ~self.named == 0 else None

    def renamed(self, ref: ir.Ref) -> ir.Ref:
        """The reference with its subscripts in the caller's names; what these cannot say selects everything."""
        parts = []
        for part in ref.parts:
            given = None if part.subscripts is None else tuple(self.subscript(one) for one in part.subscripts)
            parts.append(replace(part, subscripts=given))
        return replace(ref, parts=tuple(parts))

    def subscript(self, one: ir.Subscript) -> ir.Subscript:
        if isinstance(one, ir.Range):
            lower, upper = self.bound(one.lower), self.bound(one.upper)
            return ir.Range() if lower is None or upper is None else ir.Range(lower, upper)
        return self.bound(one) or ir.Range()

    # ------------------------------------------------------------ bounds of the caller's

    def steady(self, ref: ir.Ref) -> bool:
        """Has a name the value all through the caller that its declarations saw?"""
        variable = self.model.procedure.variables.get(ref.name)
        own = variable is not None and (variable.area.kind == "module" or
                                        variable.area.owner == self.model.procedure.key)
        return own and not self.model.space.with_aliases(self.model.refs.values(ref)) & self.model.written


def _length(ends: Sequence[Quantity | None]) -> Quantity | None:
    low, high = ends
    return None if low is None or high is None else high - low


@frozen
class _Passed:
    """What one procedure writes in one call. ``unknown``: the caller's locations of which it may write anything;
    ``pieces``: what it writes of others, in its own names."""

    passing: _Passing
    unknown: May
    pieces: Mapping[int, Sequence[Piece]]

    def written(self, index: int) -> Iterator[ir.Ref | None]:
        """The references of the caller's; None among them: one is not known."""
        return (self.passing.in_caller(ref) for piece in self.pieces.get(index, ()) for ref in piece)
