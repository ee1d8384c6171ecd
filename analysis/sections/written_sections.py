"""Stretches of arrays that a part writes: its snapshot holds ``u(2:n-1)``, not u, where it writes no more.

Every assignment of the part to an array, and every call (:mod:`snapset.analysis.sections.section_summaries`), gives,
dimension by dimension, the least and the greatest subscript, the DO variables of the loops inside the part replaced by
their limits.
Limits are affine in what the part leaves as it was, or such an element as ``at(k)``, so that they can be evaluated
where the snapshot is taken. A dimension of which that is not known is whole. Of what is far apart each box is saved,
``u(1)`` and ``u(n)``, where the boxes are less than their hull (:mod:`snapset.analysis.sections.subscript_limits`).

A stretch has to be there: either the declared bounds show that the array has its elements, or each way through the
part accesses them (:mod:`snapset.analysis.sections.present_elements`), or it is what one assignment writes, and nothing
but the loops its subscripts run over decides whether that happens (if one of these does not run, the stretch is
empty). What a stretch may stand for is said by :mod:`snapset.analysis.sections.snapshot_sections`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from snapset.analysis.dataflow.bitsets import May, members, union
from snapset.analysis.dataflow.control_dependence import with_deciders
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.array_sections import is_half
from snapset.analysis.memory.locations import EVERY, Info
from snapset.analysis.memory.references import Piece, operands
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.present_elements import PresentElements
from snapset.analysis.sections.subscript_limits import (
    SubscriptLimits,
    WrittenBox,
    apart,
    clipped,
    enclosing,
    moves,
    worthwhile,
)
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.polynomials import ONE, Quantity, named
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.cfg.graph import Loop
from snapset.frontend.ir.expression_queries import rank_of, walk
from snapset.frontend.ir.intrinsics import record

MOST: Final = 8
"""References, at most, that a piece consists of."""
OfLocation = Callable[[int], "Sequence[ir.Ref] | None"]
Calls = Callable[[ProcedureModel, int], OfLocation]
"""The references through which a call (node) writes a location."""


def part_pieces(model: ProcedureModel, nodes: Collection[int], deciding: Mapping[int, frozenset[int]],
                calls: Calls) -> Mapping[int, Piece]:
    """By location, the elements that contain all these nodes write of it, where that is not the whole array.

    ``deciding``: for each node the tests that decide directly whether it runs.
    """
    search = SectionSearch(model, nodes, deciding, calls)
    alone = len(nodes) == 1  # a call, or one statement
    found = {index: search.piece(index, alone) for index in search.writers}
    return {index: piece for index, piece in found.items() if piece is not None}


def part_stretches(model: ProcedureModel, nodes: Collection[int], deciding: Mapping[int, frozenset[int]],
                   calls: Calls) -> Mapping[int, ir.Ref]:
    """The same, each in one stretch."""
    search = SectionSearch(model, nodes, deciding, calls)
    found = {index: search.stretch(index) for index in search.writers}
    return {index: ref for index, ref in found.items() if ref is not None}


class SectionSearch:
    """For the stretches that some nodes of a procedure write, none of them all of an array."""

    def __init__(self, model: ProcedureModel, nodes: Collection[int], deciding: Mapping[int, frozenset[int]],
                 calls: Calls) -> None:
        self.model = model
        self.deciding = deciding
        self.calls = calls
        self.called: dict[int, OfLocation] = {}  # by call
        self.inside = frozenset(nodes)
        self.changed = union(model.effects[node].changed for node in self.inside)
        self.writers: dict[int, list[int]] = {}
        for node in sorted(self.inside):
            for index in members(self.touching(node)):
                self.writers.setdefault(index, []).append(node)
        self.names: dict[str, ir.Expr] = {}
        self.present = PresentElements(model.flow, model.refs, self.inside, self.changed, model.written,
                                       lambda expr: self.form(expr, ()), self.plain, self.written, deciding)

    def touching(self, node: int) -> May:
        """The locations that a node touches in the way that is asked for."""
        return self.model.effects[node].out

    def stretch(self, index: int) -> ir.Ref | None:
        """The one stretch that holds all that is written of a location."""
        written = self.all_written(index)
        return self.box(index, written) if written else None

    def piece(self, index: int, disjoint: bool = False) -> Piece | None:
        """The boxes that hold all that is written of a location: ``u(1)`` and ``u(n)``, where they hold no more than
        one stretch does. ``disjoint``: no two references that it is written through overlap: a call's arguments."""
        written = self.all_written(index)
        if not written:
            return None
        boxes = [one.limits for _, one in written]
        for joining in (True, False):
            groups = apart(boxes, joining)
            if len(groups) == 1 or (len(groups) <= MOST and worthwhile(
                    [enclosing([boxes[i] for i in group]) for group in groups], tuple(self.bounds(index)), disjoint)):
                found = [self.box(index, [written[i] for i in group]) for group in groups]
                if None not in found:
                    return tuple(dict.fromkeys(ref for ref in found if ref is not None))
        stretch = self.box(index, written)
        return None if stretch is None else (stretch,)

    def all_written(self, index: int) -> Sequence[tuple[ir.Ref, WrittenBox]]:
        """What the nodes write of a location, reference by reference; none where that is not known."""
        info = self.model.space.infos[index]
        written: list[tuple[ir.Ref, WrittenBox]] = []
        for node in self.writers.get(index, ()):
            targets = None if info.other_names or not info.shapes else self.targets(node, index)
            if targets is None:
                return ()
            written += [(target, self.written(node, target)) for target in targets]
        alike = len(written) < 2 or len({_whole(target) for target, _ in written}) == 1
        return written if alike else ()

    def box(self, index: int, written: Sequence[tuple[ir.Ref, WrittenBox]]) -> ir.Ref | None:
        """The reference that selects all of what is written; None where that may be the whole location."""
        info, hull = self.model.space.infos[index], list(enclosing([one.limits for _, one in written]))
        if info.band is not None and any(ends != EVERY and moves(one) for ends, one in
                                         zip(info.band, hull, strict=True)):
            info = replace(info, band=None)  # of all bands the same elements: no more than of one band
        bounds = self.bounds(index, info)
        if info.band is not None:
            hull = [one and clipped(one, all_) for one, all_ in zip(hull, bounds, strict=True)]
        kept = self.there(index, bounds, hull, [w for _, w in written])
        if not kept or (info.shapes[-1].kind == "assumed-size" and len(hull) - 1 not in kept):
            return None
        rest = [ir.Range() if ends == EVERY else all_of(dim) for ends, dim in
                zip(info.band or (EVERY,) * len(hull), info.dims(), strict=True)]
        found = _selecting(written[0][0], [self.subscript(one) if one and d in kept else rest[d] for d, one in
                                           enumerate(hull)])
        return None if found is None or self.scattered(found, index) else found

    def scattered(self, ref: ir.Ref, index: int) -> bool:
        """May it be no section of Fortran's: ``boxes(:)%w(2)``, where each element's w has been allocated apart?"""
        area = self.model.space.locations[index].area
        return any(one.is_allocation and one.area == area for one in self.model.space.locations) and any(
            isinstance(one, ir.Range) for part in ref.parts[:-1] for one in part.subscripts or ())

    def targets(self, node: int, index: int) -> Sequence[ir.Ref] | None:
        """What a node writes of a location: references that select elements of it, and touch no other."""
        at = self.model.flow.nodes[node]
        found: Sequence[ir.Ref] | None = None
        if at.kind == "simple" and isinstance(at.stmt, ir.Assign):
            found = (at.stmt.target,)
        elif at.kind == "call":
            if node not in self.called:
                self.called[node] = self.calls(self.model, node)
            found = self.called[node](index)
        return found if found is not None and all(self.plain(ref, index) for ref in found) else None

    def plain(self, ref: ir.Ref, index: int) -> bool:
        info = self.model.space.infos[index]
        selecting = sum(part.subscripts is not None for part in ref.parts)
        touched, place = self.model.refs.touch(ref).bits, self.model.space.locations[index]
        others = (self.model.space.locations[i] for i in members(touched & ~(1 << index)))
        alone = ref.substring is None and bool(touched >> index & 1) and all(
            one.band is not None and (one.area, one.path) == (place.area, place.path) for one in others)
        named = info.is_of(ref) and not is_half(ref, info)  # and not by another name of the same storage
        given = sum(len(part.subscripts or ()) for part in ref.parts)
        return alone and named and selecting == len(info.shapes) and given == sum(shape.rank for shape in info.shapes)

    def there(self, index: int, bounds: Sequence[SubscriptLimits | None], hull: Sequence[SubscriptLimits | None],
              written: Sequence[WrittenBox]) -> frozenset[int]:
        """The dimensions in which a hull is less than the array, its elements certainly there."""
        known = frozenset(d for d, (one, all_) in enumerate(zip(hull, bounds, strict=True))
                          if one is not None and self.holds(index, d, hull, all_))
        best = best_of(known, hull, written)
        if len(best) < sum(one is not None for one in hull):
            best = best_of(best, hull, self.present.boxes(index))
        return frozenset(d for d in best if not ((one := hull[d]) and (all_ := bounds[d]) and one.same(all_)))

    def holds(self, index: int, dimension: int, hull: Sequence[SubscriptLimits | None],
              bounds: SubscriptLimits | None) -> bool:
        """Has an array what these limits select in one dimension?"""
        one = hull[dimension]
        declared = one is not None and bounds is not None and (
            one.within(bounds) or self.present.over_outer_loops(one).within(bounds))
        return declared or self.present.has(index, dimension, hull)

    def bounds(self, index: int, info: Info | None = None) -> list[SubscriptLimits | None]:
        """The bounds that a declaration gives, and that are the same all through the procedure."""
        own = self.model.space.locations[index].area.owner == self.model.procedure.key
        return [self.declared(dim, own) for dim in (info or self.model.space.infos[index]).dims()]

    def declared(self, dim: ir.Dim, own: bool) -> SubscriptLimits | None:
        if dim.upper is None:
            return None

        def steady(ref: ir.Ref) -> bool:
            return own and not self.model.space.with_aliases(self.model.refs.values(ref)) & self.model.written

        low, high = ONE if dim.lower is None else affine(dim.lower, steady), affine(dim.upper, steady)
        return None if low is None or high is None else SubscriptLimits(low, high)

    def written(self, node: int, target: ir.Ref) -> WrittenBox:
        loops = [loop for loop in (self.model.flow.loops[i] for i in self.model.flow.nodes[node].loops)
                 if loop.test in self.inside and isinstance(loop.stmt, ir.Do)]
        subscripts = [one for part in target.parts for one in part.subscripts or ()]
        return WrittenBox(tuple(self.limits(one, loops) for one in subscripts),
                        with_deciders(frozenset((node,)), self.deciding, {}) & self.inside,
                        self.model.flow.nodes[node].kind == "call")

    def limits(self, subscript: ir.Subscript, loops: Sequence[Loop]) -> SubscriptLimits | None:
        if isinstance(subscript, ir.Range):
            if subscript.lower is None or subscript.upper is None or subscript.step is not None:
                return None
            low, high = self.form(subscript.lower, loops), self.form(subscript.upper, loops)
        else:
            low = high = None if rank_of(subscript) else self.form(subscript, loops)
        if low is None or high is None:
            return None
        found = SubscriptLimits(low, high)
        for loop in reversed(loops):  # inner ones first: their limits may depend on outer ones
            step = self.run_over(found, loop, loops)
            if step is None:
                return None
            found = step
        return None if self.runs(found.low, loops) or self.runs(found.high, loops) else found

    def run_over(self, limits: SubscriptLimits, loop: Loop, loops: Sequence[Loop]) -> SubscriptLimits | None:
        """The limits while the DO variable of a loop runs."""
        stmt = loop.stmt
        assert isinstance(stmt, ir.Do)
        name = stmt.var.name
        if not limits.low.factor(name) and not limits.high.factor(name):
            return limits
        start, stop = self.form(stmt.start, loops), self.form(stmt.stop, loops)
        step = ONE if stmt.step is None else self.form(stmt.step, ())
        if start is None or stop is None or step is None or step.factors or not step.offset or not loop.structured:
            return None
        least, greatest = (start, stop) if step.offset > 0 else (stop, start)
        upward = limits.low.factor(name) > 0, limits.high.factor(name) > 0
        low = limits.low.replaced(name, least if upward[0] else greatest)
        high = limits.high.replaced(name, greatest if upward[1] else least)
        # Of one loop of step 1 the first iteration writes one end and the last the other, or one of them both.
        fixed = limits.low.factor(name) * limits.high.factor(name) == 0
        both = fixed or upward[0] != upward[1] or limits.low.is_at_most(limits.high)
        alone = not limits.tests and abs(step.offset) == 1 and not any(self.runs(end, loops) for end in (start, stop))
        return SubscriptLimits(low, high, limits.tests | {loop.test}, both and alone)

    def runs(self, form: Quantity, loops: Sequence[Loop]) -> bool:
        """Does it depend on a DO variable?"""
        return any(isinstance(loop.stmt, ir.Do) and form.factor(loop.stmt.var.name) for loop in loops)

    def form(self, expr: ir.Expr, loops: Sequence[Loop]) -> Quantity | None:
        """Quantity in what the part leaves as it was, and in the DO variables of ``loops``."""
        running = {loop.stmt.var.name for loop in loops if isinstance(loop.stmt, ir.Do)}

        def usable(ref: ir.Ref) -> bool:
            space, refs = self.model.space, self.model.refs
            return ref.name in running or not space.with_aliases(refs.values(ref)) & self.changed

        self.names |= dict(names(expr))
        found = affine(expr, usable)
        if found is None:
            return self.opaque(expr)
        return found if all(name in self.names for name, _ in found.factors) else None

    def opaque(self, expr: ir.Expr) -> Quantity | None:
        """An expression such as ``at(i)`` of what the part leaves as it was, DO variables too, as a name."""
        text, reads = source(expr), self.model.refs.values(expr)
        if text is None or rank_of(expr) or _asks(expr) or self.model.space.with_aliases(reads) & self.changed:
            return None
        self.names[text] = expr
        return named(text)

    def subscript(self, limits: SubscriptLimits) -> ir.Subscript:
        low, high = self.spelt(limits.low), self.spelt(limits.high)
        return low if limits.low == limits.high and not limits.tests else ir.Range(low, high)

    def spelt(self, form: Quantity) -> ir.Expr:
        """An affine form as an expression."""
        total: ir.Expr | None = None
        for name, factor in sorted(form.factors, key=lambda term: -term[1]):
            one = self.names[name]
            if abs(factor) != 1:
                one = ir.Binary("*", _integer(abs(factor)), one, ir.INTEGER)
            if total is None:
                total = one if factor > 0 else ir.Unary("-", one, ir.INTEGER)
            else:
                total = ir.Binary("+" if factor > 0 else "-", total, one, ir.INTEGER)
        if total is None:
            return _integer(form.offset)
        if not form.offset:
            return total
        return ir.Binary("+" if form.offset > 0 else "-", total, _integer(abs(form.offset)), ir.INTEGER)


def all_of(dim: ir.Dim) -> ir.Subscript:
    """All of a band's dimension."""
    low = dim.lower or _integer(1)
    return low if isinstance(low, ir.Literal_) and low == dim.upper else ir.Range(low, dim.upper)


def best_of(known: frozenset[int], hull: Sequence[SubscriptLimits | None],
            boxes: Sequence[WrittenBox]) -> frozenset[int]:
    """The dimensions whose limits are known to be there, with those that the best of some boxes shows to be."""
    best = known
    for one in boxes:
        exact = one.exactly(hull)
        if len(exact | known) > len(best) and one.certain(exact):
            best = exact | known
    return best


def _whole(ref: ir.Ref) -> tuple[object, ...]:
    """What a reference is without its subscripts."""
    return ref.type, ref.substring, ref.exact, *(part.name for part in ref.parts)


def _selecting(ref: ir.Ref, subscripts: Sequence[ir.Subscript]) -> ir.Ref | None:
    """The reference with other subscripts; None where Fortran has no such section: ranges in two of its parts."""
    left = iter(subscripts)
    parts = tuple(part if part.subscripts is None else replace(part, subscripts=tuple(next(left) for _ in
                                                                                     part.subscripts))
                  for part in ref.parts)
    ranges = [sum(isinstance(one, ir.Range) for one in part.subscripts or ()) for part in parts]
    return replace(ref, parts=parts, rank=sum(ranges)) if sum(map(bool, ranges)) <= 1 else None


def names(expr: ir.Expr) -> Iterator[tuple[str, ir.Ref]]:
    """The scalars of an expression by the names they have in its affine form."""
    if isinstance(expr, ir.Ref):
        if expr.rank == 0 and all(part.subscripts is None for part in expr.parts):
            yield "%".join(part.name for part in expr.parts), expr
    elif isinstance(expr, (ir.Unary, ir.Binary)):
        for operand in operands(expr):
            yield from names(operand)


def _asks(expr: ir.Expr) -> bool:
    """Does an expression ask for a size? What is as long as an array is better known by its bounds."""
    return any(isinstance(one, ir.Intrinsic) and record(one).inquiry for one in walk(expr))


def _integer(value: int) -> ir.Expr:
    return ir.Literal_(value, ir.INTEGER)
