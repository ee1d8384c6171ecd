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

from snapset.analysis.dataflow.bitsets import May, union
from snapset.analysis.dataflow.control_dependence import meetings
from snapset.analysis.procedures.live_code import ControlDependence
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.recorded_control import ReevaluatedCondition
from snapset.analysis.reversal.weighed_requirements import EXTENT, WeighedRequirements, Weighing, joined
from snapset.frontend import ir
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
        written = union(model.effects[n].out for n in shapes.between(test, meet))
        if not reads & changing & (written | lives.turning(meet)):
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
    return not model.effects[test].use & model.space.indirect and all(
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


class _Shapes:
    """Where the ways of each test of a procedure meet."""

    def __init__(self, model: ProcedureModel) -> None:
        self.model = model
        self.behind = meetings(model.flow)
        self.tests: dict[int, list[int]] = {}  # by node, the tests whose ways meet there
        for node in model.graph.order:
            if len(model.flow.succs[node]) > 1 and node in self.behind:
                self.tests.setdefault(self.behind[node], []).append(node)
        self._between: dict[int, frozenset[int]] = {}

    def meet(self, test: int) -> int | None:
        """Where the ways of a test meet, in the same loops and part; None where control may come there, or between,
        in ways that this test and those around it do not decide."""
        meet, nodes = self.behind.get(test), self.model.flow.nodes
        if meet is None or nodes[meet].loops != nodes[test].loops or nodes[meet].level != nodes[test].level:
            return None
        if not self.is_closed(test, meet):
            return None
        arriving = set(self.model.graph.preds.get(meet, ()))
        for outer in self.tests[meet]:
            inside = self.between(outer, meet) | {outer}
            if test in inside and arriving <= inside and self.is_closed(outer, meet):
                return meet
        return None

    def is_closed(self, test: int, meet: int) -> bool:
        """Do all ways into what lies between come by the test, and none back to it?"""
        inside = self.between(test, meet)
        return test not in inside and all(
            before == test or before in inside for node in inside for before in self.model.graph.preds.get(node, ()))

    def between(self, test: int, meet: int) -> frozenset[int]:
        """The nodes that may run behind a test until its ways meet."""
        if test not in self._between:
            found: set[int] = set()
            work = list(self.model.flow.succs[test])
            while work:
                node = work.pop()
                if node != meet and node not in found:
                    found.add(node)
                    work.extend(self.model.flow.succs[node])
            self._between[test] = frozenset(found)
        return self._between[test]
