"""How many bytes of control a run must record, counted from the way it took: nothing of ``Taping`` is asked.

A forward sweep's way is the list of the nodes it came by. The backward sweep has something to do for some of them
(``undone``), so it must be told every decision one of these hangs on. Which these are is found here by brute force:
a test decides on a node if on some way from the test to the end the node is met and on another it is not. What is
told of each is what docs/replay.md says: a byte for a branch, 4 for one of several labels, 4 for how often a loop
ran (for each bound of a DO loop that is no constant, and only if the bounds change or the loop is left early), and
a byte more where a loop may end in several ways.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.recording.to_be_recorded import LevelRecord, undone
from snapset.analysis.replay.machine.plan_tables import LevelPlan, ProcedurePlan
from snapset.analysis.replay.machine.planned_adjoint import PlanRun
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.reversal.exit_loops import find_exit_loops
from snapset.frontend import ir
from snapset.frontend.cfg.graph import FlowGraph, Loop

Way = tuple[str, int, tuple[int, ...]]  # the code, the level, the nodes in the order of execution
Counted = Counter[tuple[str, int, int]]  # bytes by code, level and test


class WayRun(PlanRun):
    """A run under plans that remembers the way of each forward sweep."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.ways: list[Way] = []
        self.open: list[list[int]] = []

    def forward(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, trace: list[Any]) -> None:
        self.open.append([])
        super().forward(frame, plan, level, trace)
        index = next(i for i, one in enumerate(plan.levels) if one is level)
        self.ways.append((plan.key, index, tuple(self.open.pop())))

    def step(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[Any]) -> int:
        self.open[-1].append(node)
        return super().step(frame, plan, level, node, trace)


def control_bytes(ways: list[Way], adjoints: dict[str, ProcedureAdjoint],
                  records: dict[str, tuple[LevelRecord, ...]]) -> Counted:
    """The bytes of all ways."""
    found: Counted = Counter()
    tests = {(key, index): deciding(adjoints[key], adjoints[key].levels[index], records[key][index])
             for key, index, _ in ways}
    for key, index, way in ways:
        flow = adjoints[key].model.flow
        for test in tests[key, index]:
            told = bytes_told(adjoints[key], test)
            if told is None:
                continue
            size, loop = told
            if loop is None:
                times = way.count(test)
            elif loop.init >= 0:
                times = way.count(loop.init)
            else:
                first = flow.first_node[loop.stmt.id]
                times = sum(node == first and (at == 0 or way[at - 1] not in loop.body) for at, node in enumerate(way))
            if times:
                found[key, index, test] += size*times
    return found


def bytes_told(adjoint: ProcedureAdjoint, test: int) -> tuple[int, Loop | None] | None:
    """What one decision takes, and the loop that is told as a whole; None where nothing needs to be told."""
    flow, exits = adjoint.model.flow, find_exit_loops(adjoint.model)
    at = flow.nodes[test]
    for index, left in exits.items():
        if test in left.tests:  # its loop's count tells
            endless = left.loop.test < 0 and test == min(left.tests)
            return (4 + (left.way_count > 1), flow.loops[index]) if endless else None
    ways = {index: 1 if left.way_count > 1 else 0 for index, left in exits.items()}
    loop = next((one for one in flow.loops if one.test == test), None)
    if loop is not None and isinstance(loop.stmt, ir.While):
        return 4 + ways.get(loop.index, 0), loop
    if loop is not None and isinstance(loop.stmt, ir.Do):
        early = any(after not in loop.body and after != test for node in loop.body for after in flow.succs[node])
        if loop.index not in adjoint.reversal.recorded and not early:
            return None
        bounds = [one for one in (loop.stmt.start, loop.stmt.stop, loop.stmt.step) if one is not None]
        variable = sum(not isinstance(one, ir.Literal_) for one in bounds)
        return 4*max(1, variable) + ways.get(loop.index, 0), loop
    if at.kind not in ("test", "call", "simple"):
        return None
    return (4 if isinstance(at.stmt, ir.ComputedGoto | ir.ArithmeticIf) else 1), None


def deciding(adjoint: ProcedureAdjoint, level: LevelAdjoint, record: LevelRecord) -> set[int]:
    """The tests on which it hangs, at once or through others, whether there is something to do backwards."""
    flow, wanted, found = adjoint.model.flow, set(undone(adjoint, level, record)), set[int]()
    tests = [node for node, after in enumerate(flow.succs) if len(after) > 1]
    while wanted:
        node = wanted.pop()
        around = {loop.index: loop for loop in flow.loops}
        for test in tests:
            if test not in found and decides(flow, test, node):
                found.add(test)
                wanted.add(test)
                wanted |= {other for loop in around.values() if loop.test == test for other in (loop.init, loop.step)
                           if other >= 0}
    return found


def decides(flow: FlowGraph, test: int, node: int) -> bool:
    """May the node be missed after the test, and is there a side of it after which it is not?"""
    if node != test and not misses(flow, test, node):
        return False
    return any(not misses(flow, after, node) for after in flow.succs[test]) and any(
        misses(flow, after, node) for after in flow.succs[test])


def misses(flow: FlowGraph, start: int, node: int) -> bool:
    """Is there a way from here to the end, or to a node that nothing follows, that does not come by the node?"""
    if start == node:
        return False
    seen, work = {start}, [start]
    while work:
        at = work.pop()
        if at == flow.exit or not flow.succs[at]:
            return True
        for after in flow.succs[at]:
            if after != node and after not in seen:
                seen.add(after)
                work.append(after)
    return False
