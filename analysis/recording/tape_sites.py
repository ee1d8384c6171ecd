"""Where the tape holds something: the stretches of code whose tape is counted, and what is recorded of control.

``do while (r > eps)`` pushes its trip count each time it has ended, 4 bytes, and ``if (y > 0) y = y*x`` the branch
taken, a byte, where the backward sweep cannot evaluate the test again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.recording.to_be_recorded import ProcedureRecord, undone
from snapset.analysis.reversal.branch_conditions import BRANCH_BYTES
from snapset.analysis.reversal.exit_loops import ExitLoop, find_exit_loops
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Loop

COUNT_BYTES = 4


@frozen
class Stretch:
    """Nodes of one level whose taping is asked for: D of a part, or its own level (C)."""

    part: Literal["C", "D"]
    nodes: frozenset[int]
    level: int


class Taping:
    """The tape of one procedure under one strategy."""

    def __init__(self, adjoint: ProcedureAdjoint, record: ProcedureRecord) -> None:
        self.adjoint = adjoint
        self.model = adjoint.model
        self.record = record
        self.left = find_exit_loops(self.model)
        self.exits = {test: left for left in self.left.values() for test in left.tests}
        loops = [loop for loop in reversed(self.model.flow.loops) if loop.test >= 0]
        self.tested = {loop.test: loop for loop in loops}  # where several have one test, the first
        self.recorded_tests = [self._tests(i) for i in range(len(adjoint.levels))]

    def _tests(self, index: int) -> frozenset[int]:
        """The tests of a level whose outcome the reversal needs: they decide on something to be undone."""
        level, record = self.adjoint.levels[index], self.record.levels[index]
        return self.adjoint.control.tests_for(undone(self.adjoint, level, record))

    def behind(self, node: int, index: int) -> Stretch:
        """D: what may run after a part within its level, later iterations included."""
        graph = self.adjoint.levels[index].graph.forward
        seen: set[int] = set()
        work = list(graph.succs[node])
        while work:
            at = work.pop()
            if at not in seen:
                seen.add(at)
                work.extend(graph.succs[at])
        return Stretch("D", frozenset(seen), index)

    def inside(self, index: int) -> Stretch:
        """C's second run."""
        return Stretch("C", frozenset(self.adjoint.levels[index].graph.forward.order), index)

    def loops_around(self, node: int, level: int) -> list[Loop]:
        """The loops around a node within its level, outermost first."""
        flow = self.model.flow
        outside = set(flow.nodes[flow.levels[level].enter].loops)
        return [flow.loops[i] for i in flow.nodes[node].loops if i not in outside]

    def recorded_at(self, node: int) -> tuple[str, int, bool] | None:
        """What is recorded at a test and its bytes; None where the reversal needs nothing."""
        return self._recorded(node)

    def _recorded(self, node: int) -> tuple[str, int, bool] | None:
        """What is recorded at a test, its bytes, and whether once per run of its own loop (not per test)."""
        at = self.model.flow.nodes[node]
        if at.kind not in ("test", "loop-test", "call", "simple") or node in self.adjoint.branches:
            return None
        if node in self.exits:
            return self._recorded_at_exit(node, self.exits[node])
        match at.stmt:
            case ir.Do():
                loop = self.tested[node]
                if loop.index in self.adjoint.reversal.recorded or self._left_early(loop):
                    return "trip count", COUNT_BYTES * max(1, _variable_bounds(loop.stmt)) + self._way(loop), False
                return None
            case ir.While():
                loop = self.tested[node]
                return "trip count", COUNT_BYTES + self._way(loop), True
            case ir.ComputedGoto() | ir.ArithmeticIf():
                return "block number", COUNT_BYTES, False
            case _:
                return "branch", BRANCH_BYTES, False

    def _way(self, loop: Loop) -> int:
        """The bytes that tell by which way a loop was left."""
        return BRANCH_BYTES if loop.index in self.left and self.left[loop.index].way_count > 1 else 0

    def _recorded_at_exit(self, node: int, left: ExitLoop) -> tuple[str, int, bool] | None:
        """Nothing, as the loop records its trip count: by its first EXIT, where it has no test of its own."""
        if left.loop.test >= 0 or node != min(left.tests):
            return None
        return "trip count", COUNT_BYTES + self._way(left.loop), True

    def recorded_where(self, test: int) -> int:
        """The node where a test's control is pushed: a loop's where it is entered."""
        flow = self.model.flow
        left = self.exits.get(test)
        loop = left.loop if left is not None else self.tested.get(test)
        if loop is None:
            return test
        return loop.init if loop.init >= 0 else flow.first_node[loop.stmt.id]

    @staticmethod
    def _left_early(loop: Loop) -> bool:
        return any(target != loop.test for _, target in loop.leaving)


def _variable_bounds(stmt: ir.Do | ir.While) -> int:
    """How many of start, stop and step are no constants."""
    if not isinstance(stmt, ir.Do):
        return 1
    bounds: Iterable[ir.Expr | None] = (stmt.start, stmt.stop, stmt.step)
    return sum(1 for b in bounds if b is not None and not isinstance(b, ir.Literal_))
