"""Branches that are not recorded: the backward sweep evaluates their condition again.

Recording which way a branch went takes a byte each time. Where nothing changes what the condition reads between the
branch and the place where its ways meet, the backward sweep can evaluate it there, before it goes back into one of
them: for nothing if what it reads keeps its value (loop-invariant conditions, conditions on loop variables or on what
is never written), otherwise for keeping those values until then. Decided by bytes, as for
:mod:`snapset.analysis.reversal.nonsmooth_sides`. What an evaluation reads counts in use of the adjoint where the ways
meet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from snapset.analysis.dataflow.bitsets import EMPTY, May, singleton, union
from snapset.analysis.dataflow.control_dependence import meetings
from snapset.analysis.procedures.live_code import ControlDependence
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.recorded_control import ReevaluatedCondition
from snapset.analysis.reversal.weighed_requirements import EXTENT, WeighedRequirements, Weighing, joined
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.intrinsic_table import IS_OF_TYPE

BRANCH_BYTES = 1
MARGIN = 2  # trip counts that are not known may be small
MOST = 20  # sets of operands that are weighed in one code; branches on others are recorded
# Inquiries whose answer a descriptor gives, which ALLOCATE and pointer association change; and those of a state.
_OF_DESCRIPTORS = frozenset(("size", "shape", "lbound", "ubound", "len", "storage_size", "sizeof", "c_sizeof",
                             "is_contiguous"))
_OF_STATES = frozenset(("allocated", "associated", "c_associated", "same_type_as", "extends_type_of", IS_OF_TYPE))


class LevelFacts(Protocol):
    """What is asked of one level's adjoint: its parts by node, and the nodes that its forward sweep runs."""

    @property
    def parts(self) -> Mapping[int, object]: ...

    @property
    def running(self) -> Collection[int]: ...


def choose_branches(weighing: Weighing, tests: Collection[int],
                    reads: Mapping[int, May]) -> tuple[Mapping[int, ReevaluatedCondition], Mapping[int, May]]:
    """Of the ``tests`` whose outcome the reversal needs those that are evaluated again, and by node what that reads
    of what may have changed by then. ``reads``: use(I') of the statements that record sides."""
    model = weighing.model
    changing = weighing.behind | union(model.effects[n].out for n in model.graph.order)
    found: dict[int, ReevaluatedCondition] = {}
    groups: dict[int, dict[int, ReevaluatedCondition]] = {}
    for test, one in find_branches(weighing, tests, changing).items():
        (groups.setdefault(one.reads & changing, {}) if one.reads & changing else found)[test] = one
    kept: dict[int, May] = {}
    # When calls and callers require most, and when they require nothing.
    required = [WeighedRequirements(weighing, reads, fewest) for fewest in (False, True)] if groups else []
    for group in sorted(groups.values(), key=lambda group: -_recorded(weighing, group))[:MOST]:
        more = joined(*({one.meet: one.reads} for one in group.values()))
        enough = _recorded(weighing, group) // MARGIN
        chosen = all(values.more(more, enough) <= enough for values in required)
        if chosen:
            found, kept = {**found, **group}, joined(kept, more)
        for values in required:
            values.keep() if chosen else values.take_back()
    return found, kept


def recorded_tests(weighing: Weighing, control: ControlDependence, levels: Iterable[LevelFacts],
                   split_calls: Collection[int]) -> frozenset[int]:
    """The tests whose outcome the reversal needs: they decide on what has an adjoint or may be taped."""
    effects, reads = weighing.model.effects, union(weighing.active.derivative.values())
    content = set(split_calls).union(weighing.active.derivative)
    for level in levels:
        content |= level.parts.keys() | {n for n in level.running if effects[n].out & reads}
    return control.tests_for(frozenset(content))


def find_branches(weighing: Weighing, tests: Collection[int], changing: May) -> dict[int, ReevaluatedCondition]:
    """The tests that may be evaluated again where their ways meet. ``changing``: what may be overwritten."""
    model, lives = weighing.model, weighing.lives
    possible = [test for test in sorted(tests) if _is_plain(model, test)]
    found: dict[int, ReevaluatedCondition] = {}
    shapes = _Shapes(model) if possible else None
    for test in possible:
        meet = shapes.meet(test) if shapes is not None else None
        if shapes is None or meet is None:
            continue
        reads = model.effects[test].use & ~weighing.reversal.regenerated(test)
        if reads & changing and weighing.split and meet == model.flow.exit:
            continue  # between the sweeps the procedure's own variables are gone
        if not reads & changing & (shapes.written(test) | lives.turning(meet)):
            found[test] = ReevaluatedCondition(meet, reads)
    return found


def _recorded(weighing: Weighing, tests: Collection[int]) -> int:
    """The bytes of recording these branches."""
    return sum(BRANCH_BYTES * EXTENT ** len(weighing.model.flow.nodes[test].loops) for test in tests)


def _is_plain(model: ProcedureModel, test: int) -> bool:
    """An IF or a SELECT CASE on what only values decide, outside FORALL (which is not run in order)?"""
    node = model.flow.nodes[test]
    if not (isinstance(node.stmt, ir.If) or (isinstance(node.stmt, ir.Select) and all(
            case.values is None or case.values for case in node.stmt.cases))):
        return False
    loops = (model.flow.loops[i].stmt for i in node.loops)
    if any(isinstance(loop, ir.Do) and loop.kind == "forall" for loop in loops):
        return False
    return not model.effects[test].use & model.space.moving and all(
        _keeps_meaning(model, one) for expr in node.test for one in walk(expr))


def _keeps_meaning(model: ProcedureModel, expr: ir.Expr) -> bool:
    """Has it the same value wherever what it reads has the same values?"""
    match expr:
        case ir.Intrinsic(name=name) if name in _OF_STATES:
            return False
        case ir.Intrinsic(name=name) if name in _OF_DESCRIPTORS:
            return all(not isinstance(a.value, ir.Ref) or _is_fixed(model, a.value) for a in expr.args)
        case _:
            return not isinstance(expr, ir.OpaqueExpr | ir.Structure | ir.ProcedureRef)


def _is_fixed(model: ProcedureModel, ref: ir.Ref) -> bool:
    """Is it plain that its shape never changes?"""
    variable = model.procedure.variables.get(ref.name)
    return variable is not None and len(ref.parts) == 1 and not (
        variable.allocatable or variable.pointer or variable.polymorphic)


@frozen
class _Between:
    """What may run behind a test until its ways meet. ``nodes``, ``before``: bit sets of these nodes and of those that
    come directly before one of them; ``out``: what they may write."""

    nodes: int
    before: int
    out: May


class _Shapes:
    """Where the ways of each test of a procedure meet."""

    def __init__(self, model: ProcedureModel) -> None:
        self.model = model
        self.behind = meetings(model.flow)
        self.tests: dict[int, list[int]] = {}  # by node, the tests whose ways meet there
        for node in model.graph.order:
            if len(model.flow.succs[node]) > 1 and node in self.behind:
                self.tests.setdefault(self.behind[node], []).append(node)
        self._between: dict[int, _Between] = {}
        for node in reversed(model.graph.order):  # inner tests first, and those further down
            if len(model.flow.succs[node]) > 1 and node in self.behind:
                self._between[node] = self._walk(node, self.behind[node])

    def meet(self, test: int) -> int | None:
        """Where the ways of a test meet, in the same loops and part; None where control may come there, or between,
        in ways that this test and those around it do not decide, and for a test that nothing comes to."""
        meet, nodes = self.behind.get(test), self.model.flow.nodes
        if meet is None or nodes[meet].loops != nodes[test].loops or nodes[meet].level != nodes[test].level:
            return None
        if test not in self._between or not self.is_closed(test):
            return None
        arriving = union(map(singleton, self.model.graph.preds.get(meet, ())))
        for outer in self.tests[meet]:
            inside = self._between[outer].nodes | singleton(outer)
            if inside >> test & 1 and not arriving & ~inside and self.is_closed(outer):
                return meet
        return None

    def is_closed(self, test: int) -> bool:
        """Do all ways into what lies between come by the test, and none back to it?"""
        between = self._between[test]
        return not between.nodes >> test & 1 and not between.before & ~(between.nodes | singleton(test))

    def written(self, test: int) -> May:
        """What may be written behind a test until its ways meet."""
        return self._between[test].out

    def _walk(self, test: int, meet: int) -> _Between:
        """In a chain of ELSE IFs, or tests within each other, what lies behind an inner test is known and taken as a
        whole: its nodes, none of which is the outer test's meeting, and then on from where the inner one's ways meet.
        """
        preds, effects, succs = self.model.graph.preds, self.model.effects, self.model.flow.succs
        nodes, before = 0, 0
        out: May = EMPTY
        work = list(succs[test])
        while work:
            node = work.pop()
            if node == meet or nodes >> node & 1:
                continue
            nodes |= singleton(node)
            before |= union(map(singleton, preds.get(node, ())))
            out |= effects[node].out
            known = self._between.get(node)
            if known is None or known.nodes >> meet & 1:
                work.extend(succs[node])
            else:
                nodes, before, out = nodes | known.nodes, before | known.before, out | known.out
                work.append(self.behind[node])
        return _Between(nodes, before, out)
