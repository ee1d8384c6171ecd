"""Taping element by element: a write tapes only where it may hit an element that an earlier derivative needs.

``do i = 2, n; m = a(i)/b(i-1); b(i) = b(i) - m*c(i-1); ...``: derivatives read b, and b is overwritten, so To Be
Recorded, to which b is one location, tapes b(i) in every iteration. But what iteration i overwrites is b(i), and what
has been read before are b(1) to b(i-1): nothing that is needed is lost. For each write of elements, each read that may
come before it, by a derivative or by a part of what D has left, is asked for: do both ever meet, within the bounds of
the loops around them (:mod:`snapset.analysis.sections.integer_systems`)? And what it hits may have been written on the
way there, and read by nobody since: that is not taped either (:mod:`snapset.analysis.sections.rewritten_elements`).

What is not restored then is changed when the adjoint code ends. Adjoint liveness takes it that a code restores what its
own derivatives read (out(I;D adj), equations.md); where somebody outside may rely on that
(:mod:`snapset.analysis.adjoint.relied_upon`), all is taped as by variables. So no choice of a strategy changes what is
spared, and nothing is ever taped in its stead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.adjoint.partial_reads import derivative_reads
from snapset.analysis.adjoint.repeatable_groups import Computable, flat
from snapset.analysis.adjoint.reruns import PrivateAgain
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, exactly, members, singleton, union
from snapset.analysis.dataflow.solver import make_graph
from snapset.analysis.memory.affine_forms import affine
from snapset.analysis.memory.element_accesses import given_subscripts, references
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.dependence_distance import Access, AccessOrder
from snapset.analysis.sections.integer_systems import CONSTANT, Form, may_hold
from snapset.analysis.sections.rewritten_elements import Read, RewrittenElements
from snapset.analysis.symbolic.polynomials import ONE, Quantity
from snapset.frontend import ir
from snapset.frontend.base.memo import Memo
from snapset.frontend.cfg.graph import FlowGraph, Loop

Place = tuple[int, bool, tuple[int, ...]]  # a node, whether behind it, and the assignments that run again there
MOST_PAIRS = 5_000  # of reads and writes in one level; what is beyond is taped
MOST_NODES = 20_000  # of a procedure; in a larger one all is taped as by variables


class ElementTape:
    """What the writes of one level need not tape.

    ``computable``: what may be computed again; ``outside``: what others may rely on, whatever the strategy: that is
    taped as by variables.
    """

    def __init__(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, computable: Computable | None,
                 outside: May) -> None:
        self.adjoint, self.level, self.computable = adjoint, level, computable
        self.model = adjoint.model
        self.graph = level.graph.forward
        self.elsewhere = May(union(adjoint.reversal.preserved.values()) | union(
            one.reads for one in adjoint.branches.values() if one.meet not in self.graph.succs))  # by other levels
        self.outside = outside
        self.private: PrivateAgain | None = None  # found once, with the first strategy that is recorded
        self.parts = {
            node: facts.left_to_d(EMPTY if computable is None else computable.before_part(level.graph.index, node))
            for node, facts in level.parts.items()}
        self.pairs = 0
        self.found: dict[object, bool] = {}

    @cached_property
    def candidates(self) -> Mapping[int, May]:
        """By node, the arrays that an assignment of elements might tape."""
        if len(self.model.flow.nodes) > MOST_NODES or self.adjoint.code.split or self.adjoint.split_calls:
            return {}
        read = union(self.adjoint.derivative.get(n, EMPTY) for n in self.graph.order)
        if self.computable is not None:
            read |= union(self.computable.operands.values())
        read |= union(self.parts.values())
        own = union(singleton(i) for i in members(read & ~self.elsewhere & ~self.model.space.allocatable)
                    if self.order.is_own(i))
        found = ((n, May(self.model.effects[n].out & own)) for n in self.graph.order
                 if n in self.level.running and isinstance(self.model.flow.nodes[n].stmt, ir.Assign)) if own else ()
        return {n: bits for n, bits in found if bits}

    @cached_property
    def order(self) -> _Order:
        return _Order(self.model, frozenset(self.model.flow.levels[self.level.graph.index].nodes), EMPTY)

    @cached_property
    def spared(self) -> Mapping[int, Exact]:
        """By node, what it need not tape where nothing is computed again, whatever the parts' snapshots hold."""
        return self.sparing((), self.parts, self.outside)

    def sparing(self, again: Iterable[Place], parts: Mapping[int, May], outside: May) -> Mapping[int, Exact]:
        """The same where assignments run again. ``parts``: by part, what it reads as D̄ has left it; ``outside``: what
        others rely on."""
        if outside == EVERYTHING or not self.candidates:
            return {}
        noted, wanted = _Noted(), May(union(self.candidates.values()))
        at, behind = list(self.own_reads), list[Read]()
        for node, bits in parts.items():
            at += [(node, index, None) for index in members(bits & wanted)]
        for node, moved, assignments in again:
            (behind if moved else at).extend(
                (node, index, accesses) for index, accesses in self.again_reads(assignments, node, moved, wanted))
        for node, index, accesses in (*at, *behind):
            noted.add(index, node, accesses)
        rewritten = self.rewritten.spared(at, behind)
        found = ((node, exactly(rewritten.get(node, EMPTY) | union(
            singleton(i) for i in members(bits & ~outside) if self.is_free(node, i, noted.reads.get(i, {})))))
                 for node, bits in self.candidates.items())
        return {node: bits for node, bits in found if bits}

    @cached_property
    def rewritten(self) -> RewrittenElements:
        touching = {node: May(facts.use_c | facts.out_c | facts.use_cbar | facts.out_cbar | facts.passed | facts.touched
                              | self.model.effects[node].use | self.model.effects[node].out)
                    for node, facts in self.level.parts.items()}
        changing = {node: May(facts.out_c | facts.out_cbar | self.model.effects[node].out)
                    for node, facts in self.level.parts.items()}
        return RewrittenElements(self.model, self.adjoint.scope, self.graph, self.candidates,
                                 May(union(self.candidates.values())), touching, changing)

    @cached_property
    def own_reads(self) -> tuple[Read, ...]:
        """What the level's derivatives read, and conditions that are evaluated again, by node and location."""
        wanted, found = May(union(self.candidates.values())), list[Read]()
        conditions = self.conditions
        for node in self.graph.order:
            read, evaluated = self.adjoint.derivative.get(node, EMPTY), conditions.get(node, ())
            if node in self.level.parts:
                found += ((node, index, None) for _, bits in evaluated for index in members(bits & wanted))
                continue
            bits = May((read | union(one for _, one in evaluated)) & wanted)
            if bits:
                refs = (*self.derivative(node), *(ref for some, _ in evaluated for ref in some))
                found += ((node, index, self.order.of(refs, node, index) or None) for index in members(bits))
        return tuple(found)

    @cached_property
    def conditions(self) -> Mapping[int, Sequence[tuple[Sequence[ir.Ref], May]]]:
        """By the node where the ways of branches meet, the references and locations that their conditions read there
        when they are evaluated again. Nothing that a condition reads has been overwritten since the test, subscripts
        neither: it reads the same elements."""
        found: dict[int, list[tuple[Sequence[ir.Ref], May]]] = {}
        for test, one in self.adjoint.branches.items():
            refs = [ref for ref, write in references(self.model.flow.nodes[test], self.model.refs) if not write]
            found.setdefault(one.meet, []).append((refs, one.reads))
        return found

    def again_reads(self, assignments: Iterable[int], node: int, moved: bool,
                    wanted: May) -> Iterable[tuple[int, Sequence[Access] | None]]:
        """What is read where assignments run again at a node; ``moved``: behind it, when a DO variable may be the next
        one."""
        if self.computable is None:
            return
        given = self.counting(node) if moved and self.model.flow.nodes[node].kind != "simple" else EMPTY
        for one in assignments:
            unclear = bool(self.computable.operands[one] & given)
            for index in members(self.computable.operands[one] & wanted):
                accesses = [a for n in flat(self.computable.steps((one,))) for a in self.order.read(n, node, index)]
                yield index, None if unclear else accesses or None

    def counting(self, node: int) -> int:
        """The DO variables of the loops around a node, that of the loop which it begins or ends among them; anything
        where a loop is left, perhaps without an iteration."""
        flow, effects = self.model.flow, self.model.effects
        if flow.nodes[node].kind == "loop-test":
            return EVERYTHING
        return union(effects[loop.step].out for loop in flow.loops if loop.step >= 0
                     and (node in loop.body or node in (loop.init, loop.step, loop.end)))

    def derivative(self, node: int) -> Iterable[ir.Ref]:
        """What a node's derivative reads."""
        at, model = self.model.flow.nodes[node], self.model
        if not isinstance(at.stmt, ir.Assign):
            return (ref for ref, _ in references(at, model.refs))
        masks = () if node in self.adjoint.masks else tuple(mask.expr for mask in at.masks)
        return derivative_reads(at.stmt, masks, model.refs, self.adjoint.active.varied[node],
                                node in self.adjoint.sides)

    def is_free(self, node: int, index: int, reads: Mapping[int, Sequence[Access] | None]) -> bool:
        """Does the write of an array at a node never hit what one of these reads before?"""
        if not isinstance(self.model.flow.nodes[node].stmt, ir.Assign):
            return False
        writes = self.order.written_at(node, index)
        if not writes:
            return False
        for place, accesses in reads.items():
            if place != node and not self.behind[place] >> node & 1:
                continue
            if accesses is None:
                return False
            if any(self.may_lose(read, write) for read in accesses for write in writes):
                return False
        return True

    @cached_property
    def behind(self) -> Mapping[int, int]:
        """By node, what may run behind it in its level, a bit each."""
        return closure(self.graph.order, self.graph.succs)

    def may_lose(self, read: Access, write: Access) -> bool:
        key = read.node, read.element, write.node, write.element
        if key not in self.found:
            self.pairs += 1
            self.found[key] = self.pairs > MOST_PAIRS or self.order.may_lose(read, write)
        return self.found[key]


class _Noted:
    """Reads as they are found."""

    def __init__(self) -> None:
        self.reads: dict[int, dict[int, Sequence[Access] | None]] = {}  # by location and node; None: not plain to see

    def add(self, index: int, node: int, accesses: Sequence[Access] | None) -> None:
        of = self.reads.setdefault(index, {})
        known = of.get(node, ())
        of[node] = None if accesses is None or known is None else (*known, *accesses)


def closure(nodes: Sequence[int], succs: Mapping[int, Iterable[int]]) -> dict[int, int]:
    """By node, those that one or more steps lead to, a bit each."""
    found, changed = dict.fromkeys(nodes, 0), True
    while changed:
        changed = False
        for node in reversed(nodes):
            reached = 0
            for after in succs[node]:
                reached |= 1 << after | found.get(after, 0)
            if reached != found[node]:
                found[node], changed = reached, True
    return found


def _runs_behind(flow: FlowGraph) -> Mapping[int, int]:
    """By node, what may run behind it before any DO loop goes on: from its last step that is left."""
    ends = {loop.step: loop.end for loop in flow.loops if loop.step >= 0}
    succs = {n: (ends[n],) if n in ends else flow.succs[n] for n in range(len(flow.nodes))}
    order = make_graph(flow.entry, succs).order  # so that without GOTO one time round is enough
    return closure((*order, *(succs.keys() - {*order})), succs)


_BEHIND: Memo[FlowGraph, Mapping[int, int]] = Memo(1 << 12)  # each level of a procedure asks


class _Order(AccessOrder):
    """Which of two accesses comes first, with the bounds of the loops."""

    @cached_property
    def behind(self) -> Mapping[int, int]:
        """By node, what may run behind it before any DO loop goes on."""
        return _BEHIND.get(self.model.flow, _runs_behind)

    def leads(self, source: int, target: int, within: frozenset[int]) -> bool:
        return bool(self.behind[source] >> target & 1)

    def repeats(self, node: int) -> bool:
        return self.leads(node, node, self.nodes)

    def read(self, node: int, place: int, index: int) -> list[Access]:
        """What the assignment of a node reads of an array when it runs again at another place."""
        here = self.model.flow.nodes[node]
        return self.of((ref for ref, write in references(here, self.model.refs) if not write), place, index)

    def written_at(self, node: int, index: int) -> list[Access]:
        here = self.model.flow.nodes[node]
        return self.of((ref for ref, write in references(here, self.model.refs) if write), node, index)

    def of(self, refs: Iterable[ir.Ref], place: int, index: int) -> list[Access]:
        """Those of the references that are of an array, where they are evaluated; none where that is not plain to
        see."""
        flow, info = self.model.flow, self.model.space.infos[index]
        loops = tuple(flow.loops[i] for i in flow.nodes[place].loops if flow.loops[i].init in self.nodes)
        if any(not self.is_plain(loop) for loop in loops) or self.repeats(place) or any(
                self.repeats(loop.init) for loop in loops):
            return []
        form = partial(affine, usable=lambda ref: self.is_steady(ref, loops), measured=self.measured)
        found = []
        for ref in refs:
            if self.model.refs.touch(ref).bits & singleton(index):
                given = given_subscripts(ref, info)
                element = (None,) if given is None else tuple(
                    None if isinstance(one, ir.Range) else form(one) for one in given)
                found.append(Access(place, element, loops, False))
        return found

    def may_lose(self, read: Access, write: Access) -> bool:
        """May the write come after the read, and hit the same element?"""
        if len(read.element) != len(write.element):
            return True
        common = [a for a, b in zip(read.loops, write.loops, strict=False) if a.index == b.index]  # the outermost
        mine, theirs = self.named(read, "r"), self.named(write, "w")
        zero = [_apart(one, mine, other, theirs) for one, other in zip(read.element, write.element, strict=True)
                if one is not None and other is not None]
        bounds = [*self.bounds(read, mine), *self.bounds(write, theirs)]
        for loop in common:
            name = _variable(loop)
            apart = {theirs[name]: _direction(loop), mine[name]: -_direction(loop), CONSTANT: -1}
            if not _direction(loop) or may_hold(zero, [*bounds, apart]):
                return True
            zero = [*zero, {theirs[name]: 1, mine[name]: -1}]
        within = self.nodes if not common else common[-1].body
        follows = read.node == write.node or self.leads(read.node, write.node, within)
        return follows and may_hold(zero, bounds)

    def named(self, access: Access, side: str) -> dict[str, str]:
        return {_variable(loop): f"{side} {place}" for place, loop in enumerate(access.loops)}

    def bounds(self, access: Access, names: Mapping[str, str]) -> Iterable[Form]:
        """Between which values the variables of the loops around are."""
        for place, loop in enumerate(access.loops):
            assert isinstance(loop.stmt, ir.Do)
            if not _direction(loop):
                continue  # which of its ends is the lower one is not known
            form = partial(affine, usable=partial(self.is_steady, loops=access.loops[:place]), measured=self.measured)
            first, last, own = form(loop.stmt.start), form(loop.stmt.stop), names[_variable(loop)]
            low, high = (first, last) if _direction(loop) > 0 else (last, first)
            if low is not None:
                yield _row(low, names, -1, {own: 1})
            if high is not None:
                yield _row(high, names, 1, {own: -1})


def _variable(loop: Loop) -> str:
    assert isinstance(loop.stmt, ir.Do)
    return loop.stmt.var.name


def _direction(loop: Loop) -> int:
    """1 of a loop that counts up, -1 of one that counts down, 0 where that is not known."""
    assert isinstance(loop.stmt, ir.Do)
    step = ONE if loop.stmt.step is None else affine(loop.stmt.step, lambda _: False)
    if step is None or step.factors:
        return 0
    return (step.offset > 0) - (step.offset < 0)


def _row(form: Quantity, names: Mapping[str, str], times: int, into: Mapping[str, int]) -> Form:
    found = dict(into)
    for name, factor in form.factors:
        key = names.get(name, name)
        found[key] = found.get(key, 0) + times*factor
    found[CONSTANT] = found.get(CONSTANT, 0) + times*form.offset
    return found


def _apart(one: Quantity, mine: Mapping[str, str], other: Quantity, theirs: Mapping[str, str]) -> Form:
    return _row(other, theirs, -1, _row(one, mine, 1, {}))


def relied_on(model: ProcedureModel, level: LevelAdjoint, node: int, sbk: May, required: May) -> May:
    """What a part leaves as it found it only because its own derivatives read it, and somebody before needs, under one
    strategy. What pointers lead to and where memory is allocated is put back in any case.

    C̄ writes all that C writes, also where C does not run first and out(C) is empty.
    """
    part, child = level.parts[node], level.graph.parts.get(node)
    inside = (node,) if child is None else model.flow.levels[child].nodes
    written = part.out_c | union(model.effects[n].out for n in inside)
    return May(written & ~part.out_cbar & ~sbk & ~model.space.descriptors & model.space.with_aliases(required))
