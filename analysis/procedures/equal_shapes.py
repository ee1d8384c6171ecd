"""Which allocatable arrays have the same shape, statement by statement of a procedure.

Behind ``allocate (u(n), old(n))``, and behind ``old = u``, both have one shape, so ``old = u`` and ``u = 2*old`` leave
it as it is. A shape is a tuple of extents, sums of names: of variables that keep their values, of what a dummy array
brought along, of an allocation somewhere (``12:u``). Where paths with other shapes meet, a new name stands for them. So
no name stands for the shapes of two passes of a loop: whoever has one that was given inside gets another where the next
pass begins, as what comes from outside has none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, May, Must, members, set_of, union
from snapset.analysis.dataflow.framework import DataFlowProblem, Direction, ProblemScope, SafeSide
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.locations import Space
from snapset.analysis.memory.reallocating_assignments import alike, reshaped
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.symbolic.polynomials import ONE, Quantity, named, number
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import rank_of

Extents = tuple[Quantity, ...]
Shapes = Mapping[int, Extents | None]  # by location; of one that is not there nothing has changed since entry



UNCHANGED: Shapes = MappingProxyType({})


@frozen(eq=False)
class SameShape(DataFlowProblem[Shapes]):
    """The shape of every allocatable array: its extents, or a name for a shape that is not known.

        shape(exit x=e)            = the shape of e, where the assignment allocates x as e
        shape(exit ALLOCATE(x(n))) = (n)
        shape(exit I)              = a new name         of what else I may allocate
        shape(entry I)             = a new name         where paths meet on which it is not the same
    """

    name = "same-shape"
    direction = Direction.FORWARD
    safe = SafeSide.UNDER
    joining = "= or a new name"
    bottom = UNCHANGED
    unreached = UNCHANGED

    shapes: SameShapes

    def join(self, one: Shapes, other: Shapes, /) -> Shapes:
        raise NotImplementedError  # it depends on the place: merge

    def merge(self, node: int, arriving: Sequence[Shapes], known: Shapes | None) -> Shapes:
        return self.shapes.met(node, arriving, known)

    def transfer(self, node: int, state: Shapes) -> Shapes:
        return self.shapes.through(node, state)

    def shown(self, state: Shapes) -> Mapping[str, tuple[str, ...]]:
        return {self.scope.names(1 << index)[0]: ("?",) if extents is None else tuple(map(str, extents))
                for index, extents in sorted(state.items())}


@frozen
class ShapedCode:
    """What of a procedure counts for shapes, before there is a model of it."""

    procedure: ir.Procedure
    flow: FlowGraph
    graph: DirectedGraph
    space: Space
    refs: References
    effects: Sequence[Effect]
    scope: ProblemScope


class SameShapes:
    """Answers for one procedure. ``procedures``: those it may call."""

    def __init__(self, model: ShapedCode, procedures: Mapping[str, ir.Procedure]) -> None:
        self.model = model
        self.procedures = procedures
        self._written = union(model.effects[n].changed for n in model.graph.order)
        self._before = SameShape(model.scope, UNCHANGED, self).solve(model.graph).entries

    def keeps(self, node: int) -> Must:
        """The locations to which the assignment at a node gives the shape that they have."""
        stmt = self.model.flow.nodes[node].stmt
        if not isinstance(stmt, ir.Assign) or node not in self._before:
            return EMPTY
        before = self._before[node]
        values = list(self._of(stmt.value, before))
        return set_of(index for index in members(reshaped(stmt, self.model.refs).whole)
                      if self._now(index, before) in values)

    # ------------------------------------------------------------ along the paths

    def met(self, node: int, coming: Sequence[Shapes], known: Shapes | None) -> Shapes:
        """What holds on all paths into a node. What was found to differ there stays so."""
        first = coming[0] if coming else UNCHANGED
        if all(one == first for one in coming[1:]) and (known is None or first == known or len(coming) == 1):
            return first
        found: dict[int, Extents | None] = {}
        for index in dict.fromkeys(index for one in (*coming, known or {}) for index in one):
            name = self._named(f"join {node}", index)
            values = {self._now(index, one) for one in (*coming, *(() if known is None else (known,)))}
            found[index] = None if None in values else values.pop() if len(values) == 1 else name
        return found

    def through(self, node: int, before: Shapes) -> Shapes:
        """The shapes behind a node."""
        at = self.model.flow.nodes[node]
        given: dict[int, Extents] = {}
        touched: May
        match at.stmt:
            case ir.Assign() if at.kind == "simple":
                change = reshaped(at.stmt, self.model.refs)
                touched = change.all
                values = list(self._of(at.stmt.value, before)) if change.whole else []
                given = {index: values[0] for index in members(change.whole) if values}
            case ir.Allocate():
                touched = self._allocatable(self.model.effects[node].out)
                given = dict(self._allocated(at.stmt, before))
            case ir.Deallocate() | ir.Opaque():
                touched = self._allocatable(self.model.effects[node].out)
            case ir.Call():
                touched = self._allocatable(self.model.effects[node].out) & ~self._kept(at.stmt)
            case _:
                touched = EMPTY
        if not touched:
            return before
        found = dict(before)
        for index in members(touched):
            found[index] = given.get(index) or self._named(f"{node}", index)
        return found

    def _kept(self, stmt: ir.Call) -> Must:
        """Of what a call writes, this procedure's own allocations, which are passed as arrays that have their shape."""
        key, targets = self.model.procedure.key, [self.procedures[one] for one in stmt.targets]
        if stmt.intrinsic:
            return EMPTY if stmt.name == "move_alloc" else EVERYTHING
        if not targets or any(one.host == key or one.opaque for one in targets):
            return EMPTY
        try:
            passed = [(one, bind(stmt, one)) for one in targets]
        except BindError:  # the call does not fit: nothing is known of it
            return EMPTY
        found, lost = EMPTY, May(EMPTY)
        for target, actuals in passed:
            for name, actual in zip(target.formals, actuals, strict=True):
                if isinstance(actual, ir.Ref):
                    formal, bits = target.variables.get(name), self._allocatable(self.model.refs.touch(actual).bits)
                    alone = set_of(i for i in members(bits) if self._is_own(i, len(actual.parts)))
                    if formal is None or formal.allocatable:
                        lost |= bits
                    found, lost = found | alone, lost | bits & ~alone
        return found & ~lost

    def _is_own(self, index: int, links: int) -> bool:
        """Can nobody else allocate it, once it is passed by a reference of so many links?"""
        area, info = self.model.space.locations[index].area, self.model.space.infos[index]
        return (area.kind in ("local", "formal", "temporary") and area.owner == self.model.procedure.key
                and max(info.allocated) < links and not info.may_move)

    def _allocated(self, stmt: ir.Allocate, before: Shapes) -> Iterator[tuple[int, Extents]]:
        """What has certainly the shape that it says: with STAT= it may fail, and leave another shape that was there."""
        for ref in stmt.objects:
            bare = ir.Ref((*ref.parts[:-1], ir.PartRef(ref.parts[-1].name)), ref.type)
            bounds = [self._length(one, before) for one in ref.parts[-1].subscripts or ()]
            touch = self.model.refs.touch(bare)
            if touch.whole and bounds and None not in bounds:
                for index in members(touch.bits):
                    if stmt.stat is None or self._is_new(index, before):
                        yield index, tuple(one for one in bounds if one is not None)

    def _is_new(self, index: int, before: Shapes) -> bool:
        """Is it an allocatable of this procedure's own that nothing has allocated yet?"""
        area = self.model.space.locations[index].area
        return area.kind == "local" and area.owner == self.model.procedure.key and index not in before

    # ------------------------------------------------------------ of expressions

    def _of(self, value: ir.Expr, before: Shapes) -> Iterator[Extents]:
        """The shape of an expression, in as many ways as its operands tell it."""
        for one in alike(value):
            found = None
            if isinstance(one, ir.Ref):
                found = self._section(one, before)
            elif isinstance(one, ir.ArrayConstructor) and not any(
                    rank_of(item) or isinstance(item, ir.ImpliedDo) for item in one.items):
                found = (number(len(one.items)),)
            if found is not None:
                yield found

    def _section(self, ref: ir.Ref, before: Shapes) -> Extents | None:
        touch = self.model.refs.touch(ref)
        if ref.substring is not None or not touch.bits:
            return None
        index = next(members(touch.bits))
        found: list[Quantity] = []
        for depth, part in enumerate(ref.parts):
            whole = self._part(index, depth, before)
            for place, one in enumerate(part.subscripts if part.subscripts is not None else (ir.Range(),) * len(whole)):
                if isinstance(one, ir.Range):
                    length = whole[place] if one == ir.Range() and place < len(whole) else self._length(one, before)
                    if length is None or one.step is not None:
                        return None
                    found.append(length)
                elif rank_of(one):
                    return None
        return tuple(found) if len(found) == ref.rank else None

    def _part(self, index: int, depth: int, before: Shapes) -> list[Quantity | None]:
        """The extents of one link of a reference, as far as they are known."""
        info = self.model.space.infos[index]
        shape = info.shape_at(depth)
        if shape is None:
            return []
        if shape.kind == "explicit":
            return [self._length(ir.Range(dim.lower, dim.upper), before) for dim in shape.dims]
        if depth in info.allocated:
            return list(self._now(index, before) or [None] * shape.rank)
        entry = shape.kind == "assumed-shape" and not depth
        return list(_named("given", index, shape.rank)) if entry else [None] * shape.rank

    def _length(self, one: ir.Subscript, before: Shapes) -> Quantity | None:
        if not isinstance(one, ir.Range):
            return self._form(one, before)
        upper = self._form(one.upper, before)
        lower = ONE if one.lower is None else self._form(one.lower, before)
        return None if upper is None or lower is None or one.step is not None else upper - lower + ONE

    def _form(self, expr: ir.Expr | None, before: Shapes) -> Quantity | None:
        if isinstance(expr, ir.Intrinsic) and expr.name == "size" and isinstance(expr.args[0].value, ir.Ref):
            extents = self._section(expr.args[0].value, before)
            dim = expr.args[1].value if len(expr.args) > 1 else ir.Literal_(1, ir.INTEGER)
            number = dim.value if isinstance(dim, ir.Literal_) and isinstance(dim.value, int) else 0
            alone = extents is not None and (len(expr.args) > 1 or len(extents) == 1)
            return extents[number - 1] if extents and alone and 0 < number <= len(extents) else None
        found = affine(expr, partial(_steady, self.model, self._written))
        return None if found is None or any("(" in name for name, _ in found.factors) else found

    # ------------------------------------------------------------ names

    def _now(self, index: int, before: Shapes) -> Extents | None:
        """The shape of an allocatable location itself."""
        return before[index] if index in before else self._named("entry", index)

    def _named(self, what: str, index: int) -> Extents | None:
        """A name for a shape, one for each dimension; None where one location is of several allocations."""
        info = self.model.space.infos[index]
        if len(info.allocated) != 1:
            return None
        (depth,) = info.allocated
        shape = info.shape_at(depth)
        if info.may_move or shape is None or any(one < depth for one in info.depths):
            return None
        return _named(what, index, shape.rank)

    def _allocatable(self, bits: May) -> May:
        return bits & self.model.space.allocatable


def with_kept_shapes(code: ShapedCode, procedures: Mapping[str, ir.Procedure]) -> tuple[Effect, ...]:
    """The effects, but that assignments of what has their target's shape leave its allocation alone."""
    found = list(code.effects)
    changing = {n.index: n.stmt for n in code.flow.nodes if isinstance(n.stmt, ir.Assign) and n.kind == "simple"
                and found[n.index].shaped and reshaped(n.stmt, code.refs).whole}
    shapes = SameShapes(code, procedures) if changing else None
    for node, stmt in changing.items():
        if shapes is not None and not reshaped(stmt, code.refs).whole & ~shapes.keeps(node):
            own, effect = ~code.refs.descriptor(stmt.target).bits, found[node]
            found[node] = replace(effect, out=May(effect.out & own), kill=Must(effect.kill & own))
    return tuple(found)


def _steady(model: ShapedCode, written: int, ref: ir.Ref) -> bool:
    return not model.space.with_aliases(model.refs.touch(ref).bits) & written


def _named(what: str, index: int, rank: int) -> Extents:
    return tuple(named(f"{what}:{index}:{dim}") for dim in range(rank))
