"""Arrays of which a procedure reads no element before it has written it, though it does not write all of them.

    do i = 1, n
      r(i) = b(i) - ap(i)          ! r is a module's, with nmax elements
    end do
    do k = 1, 4 ...                ! reads and writes r(1:n)

Of r only ``r(1:n)`` is touched, and that is written first. The statements are no kill of r: what others keep in
``r(n+1:)`` stays. But what r held before is never read. So a snapshot need not hold it for the adjoint's own run.

A *cover* is a nest of loops, none of which is left early, around an assignment or a call that writes one element, or
one section, in each turn. Behind the nest every read within its bounds is covered; in the same turn, behind the write,
one of the same element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from snapset.analysis.dataflow.bitsets import EMPTY, Must, members, set_of, singleton
from snapset.analysis.dataflow.dominators import immediate_dominators
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.element_accesses import given_subscripts, references
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureInterface, ProcedureModel
from snapset.analysis.sections.dependence_distance import AccessOrder
from snapset.analysis.symbolic.polynomials import ONE, Quantity
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop
from snapset.frontend.ir.argument_binding import bind
from snapset.frontend.ir.expression_queries import walk

MOST_NODES = 5_000  # of a procedure; of a larger one nothing is said
_Ends = tuple[Quantity, Quantity]  # the first and the last subscript, in one dimension


@frozen
class _Access:
    """``box``: what is touched in all turns of the loops around; ``own``: in one turn."""

    node: int
    box: tuple[_Ends, ...]
    own: tuple[_Ends, ...]


def covered_reads(models: Models, model: ProcedureModel) -> Must:
    """The arrays that others see, and of which the procedure reads nothing that it has not written itself."""
    wanted = model.summary.use & model.summary.out & model.visible
    if not wanted or len(model.flow.nodes) > MOST_NODES or any(e.everything for e in model.effects):
        return EMPTY
    search = _Search(models, model)
    return set_of(i for i in members(wanted) if search.order.is_own(i) and search.is_covered(i))


class _Search:
    def __init__(self, models: Models, model: ProcedureModel) -> None:
        self.models, self.model, self.flow = models, model, model.flow
        self.order = AccessOrder(model, frozenset(range(len(model.flow.nodes))), EMPTY)

    @cached_property
    def dominators(self) -> dict[int, int]:
        return immediate_dominators(self.model.graph)

    def dominates(self, one: int, other: int) -> bool:
        """Does every way to ``other`` come by ``one`` before?"""
        at = self.dominators.get(other)
        while at is not None and at != one:
            at = self.dominators.get(at)
        return at == one

    def is_covered(self, index: int) -> bool:
        bit, writes = singleton(index), list[_Access]()
        nodes = [node for node, effect in enumerate(self.model.effects)
                 if (effect.use | effect.out) & bit and node in self.dominators]
        for one in (one for node in nodes for one in self.accesses(node, index, True)):
            if one is None:
                return False
            access, _, certain = one
            if certain and self.is_nest(access.node, access):
                writes.append(access)
        if not writes:  # as of most arrays: what is read is not looked at
            return False
        return all(one is not None and any(self.covers(write, one[0]) for write in writes)
                   for node in nodes for one in self.accesses(node, index, False))

    # ------------------------------------------------------------ accesses

    def accesses(self, node: int, index: int, writes: bool) -> Iterator[tuple[_Access, bool, bool] | None]:
        """What a node writes, or reads, of an array: where, whether it is written, and that certainly. None: not plain
        to see."""
        at = self.flow.nodes[node]
        if at.kind == "call":
            yield from (one for one in self.passed(node, index) if one is None or one[1] == writes)
        elif at.kind in ("test", "init", "simple") and (at.kind != "simple" or isinstance(at.stmt, ir.Assign)):
            for ref, written in references(at, self.model.refs):
                if written == writes and self.model.refs.touch(ref).bits >> index & 1:
                    yield self.access(node, index, ref, written, not at.masks)
        else:
            yield None

    def passed(self, node: int, index: int) -> Iterator[tuple[_Access, bool, bool] | None]:
        """Through the arguments of a call, none of them an element that stands for what follows it."""
        site = self.model.calls[node]
        stmt = site.stmt
        if not site.targets or stmt.result is not None or stmt.pointer is not None or stmt.dispatch is not None:
            yield None
            return
        for ref in (ref for a in stmt.args for ref in self.evaluated(a.value, index)):
            if self.model.refs.touch(ref).bits >> index & 1:
                yield self.access(node, index, ref, False, False)
        for target in site.targets:
            callee = self.models.seen[target.key]
            actuals = dict(zip(callee.procedure.formals, bind(stmt, callee.procedure), strict=True))
            for i, link in enumerate(target.links):
                if not (link.use | link.out) >> index & 1 or not (callee.summary.use | callee.summary.out) >> i & 1:
                    continue
                location = callee.space.locations[i]
                actual = actuals.get(callee.space.infos[i].name)
                if location.area.kind != "formal" or not isinstance(actual, ir.Ref):
                    yield None
                    return
                if actual.rank != sum(shape.rank for shape in callee.space.infos[i].shapes):
                    yield None
                    return
                if callee.summary.use >> i & 1:
                    yield self.access(node, index, actual, False, False)
                if callee.summary.out >> i & 1:
                    certain = len(site.targets) == 1 and bool(callee.summary.kill >> i & 1) and self.is_all(
                        node, index, actual, callee, i, actuals)
                    yield self.access(node, index, actual, True, certain)

    def evaluated(self, value: ir.Expr, index: int) -> Iterator[ir.Ref]:
        """The references that evaluating an argument reads: those in it, but for the variable that is passed."""
        top, *inside = walk(value)
        passed = isinstance(top, ir.Ref) and bool(self.model.refs.touch(top).bits >> index & 1)
        yield from (ref for ref in (inside if passed else (top, *inside)) if isinstance(ref, ir.Ref))

    def is_all(self, node: int, index: int, actual: ir.Ref, callee: ProcedureInterface, place: int,
               actuals: Mapping[str, ir.Expr | None]) -> bool:
        """Is a dummy argument, one location of the callee's, as large as the section it is passed?"""
        given = given_subscripts(actual, self.model.space.infos[index])
        info, loops = callee.space.infos[place], tuple(self.flow.loops[i] for i in self.flow.nodes[node].loops)
        shape = callee.procedure.variables[info.name].shape
        sections = [one for one in given or () if isinstance(one, ir.Range)]
        if info.band is not None or len(info.shapes) != 1 or len(sections) != len(shape.dims):
            return False
        if shape.kind == "assumed-shape":
            return True
        for dim, one in zip(shape.dims, sections, strict=True):
            ends = self.ends(one, loops)
            lower = ONE if dim.lower is None else affine(dim.lower, lambda _: False)
            upper = None if dim.upper is None else affine(dim.upper, lambda ref: ref.name in actuals)
            if ends is None or lower is None or upper is None or lower != ONE:
                return False
            forms = {name: None if (value := actuals[name]) is None else self.form(value, loops)
                     for name, _ in upper.factors}
            if None in forms.values():
                return False
            if upper.given({name: form for name, form in forms.items() if form is not None}) != ends[1] - ends[0] + ONE:
                return False
        return True

    def access(self, node: int, index: int, ref: ir.Ref, written: bool,
               certain: bool) -> tuple[_Access, bool, bool] | None:
        given = given_subscripts(ref, self.model.space.infos[index])
        loops = tuple(self.flow.loops[i] for i in self.flow.nodes[node].loops)
        if given is None or any(not self.order.is_plain(loop) for loop in loops) or self.order.repeats(node):
            return None
        own = [self.ends(one, loops) for one in given]
        if None in own:
            return None if not written else (_Access(node, (), ()), True, False)
        box = [self.run_over(one, loops) for one in own if one is not None]
        if None in box:
            return None if not written else (_Access(node, (), ()), True, False)
        return (_Access(node, tuple(one for one in box if one), tuple(one for one in own if one)), written,
                certain and self.is_exact(given, loops))

    def ends(self, one: ir.Subscript, loops: Sequence[Loop]) -> _Ends | None:
        if not isinstance(one, ir.Range):
            form = self.form(one, loops)
            return None if form is None else (form, form)
        if one.lower is None or one.upper is None or one.step is not None:
            return None
        low, high = self.form(one.lower, loops), self.form(one.upper, loops)
        return None if low is None or high is None else (low, high)

    def form(self, expr: ir.Expr, loops: Sequence[Loop]) -> Quantity | None:
        return affine(expr, lambda ref: self.order.is_steady(ref, loops))

    def run_over(self, ends: _Ends, loops: Sequence[Loop]) -> _Ends | None:
        """The ends in all turns of the loops, inner ones first."""
        low, high = ends
        for place in range(len(loops) - 1, -1, -1):
            stmt = loops[place].stmt
            assert isinstance(stmt, ir.Do)
            name, step = stmt.var.name, ONE if stmt.step is None else affine(stmt.step, lambda _: False)
            if not low.factor(name) and not high.factor(name):
                continue
            first, last = self.form(stmt.start, loops[:place]), self.form(stmt.stop, loops[:place])
            if first is None or last is None or step is None or step.factors or not step.offset:
                return None
            if step.offset < 0:
                first, last = last, first
            low = low.replaced(name, first if low.factor(name) > 0 else last)
            high = high.replaced(name, last if high.factor(name) > 0 else first)
        return low, high

    # ------------------------------------------------------------ covers

    def is_exact(self, given: Sequence[ir.Subscript], loops: Sequence[Loop]) -> bool:
        """Do all turns together touch all of the box? Each loop around goes by one through a dimension of its own,
        whose subscript is its variable and a number."""
        names = [loop.stmt.var.name for loop in loops if isinstance(loop.stmt, ir.Do)]
        used = list[str]()
        for one in given:
            ends = self.ends(one, loops)
            mine = [] if ends is None else [n for n in names if ends[0].factor(n) or ends[1].factor(n)]
            if mine and (isinstance(one, ir.Range) or len(mine) > 1 or ends is None):
                return False
            if ends is not None and any(abs(ends[0].factor(n)) != 1 for n in mine):
                return False
            used += mine
        if sorted(used) != sorted(names):
            return False
        for place, loop in enumerate(loops):
            assert isinstance(loop.stmt, ir.Do)
            step = ONE if loop.stmt.step is None else affine(loop.stmt.step, lambda _: False)
            bounds = [self.form(bound, loops[:place]) for bound in (loop.stmt.start, loop.stmt.stop)]
            outer = set(names[:place])
            if step is None or step.factors or abs(step.offset) != 1 or any(
                    bound is None or outer & {name for name, _ in bound.factors} for bound in bounds):
                return False
        return True

    def is_nest(self, node: int, access: _Access) -> bool:
        """Does every turn of the loops around write, and is none of them left early?"""
        if not access.box:
            return False
        inner = node
        for i in reversed(self.flow.nodes[node].loops):
            loop = self.flow.loops[i]
            if not loop.structured or any(target != loop.test and source not in (loop.test, loop.step)
                                          for source, target in loop.leaving):
                return False
            if not self.dominates(inner, loop.step):
                return False
            inner = loop.init
        return True

    def covers(self, write: _Access, read: _Access) -> bool:
        loops = self.flow.nodes[write.node].loops
        if read.node == write.node:
            return False
        if self.flow.nodes[read.node].loops == loops and write.own == read.own:
            return self.dominates(write.node, read.node)
        outermost = self.flow.loops[loops[0]] if loops else None
        first = write.node if outermost is None else outermost.init
        if not self.dominates(first, read.node) or (outermost is not None and read.node in outermost.body):
            return False
        return len(write.box) == len(read.box) and all(
            _at_least(low, mine[0]) and _at_least(mine[1], high)
            for mine, (low, high) in zip(write.box, read.box, strict=True))


def _at_least(one: Quantity, other: Quantity) -> bool:
    return other.is_at_most(one)
