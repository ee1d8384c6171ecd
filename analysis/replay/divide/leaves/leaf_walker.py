"""A run that can stop at any step, and is recorded by plans on its way, or counted."""

from __future__ import annotations

from snapset.analysis.replay.divide.leaves.planned_leaf import PlannedLeaf
from snapset.analysis.replay.divide.step_costs import Costs
from snapset.analysis.replay.divide.walker import PATIENT, Activation, Recorder, Walker
from snapset.analysis.replay.machine.primal import Machine


class LeafWalker(Walker):
    """As its base, node by node; ``leaf`` is shown what runs."""

    def __init__(self, machine: Machine, costs: Costs, stack: list[Activation], leaf: PlannedLeaf, at: int = 0) -> None:
        super().__init__(machine, costs, stack, at)
        self.leaf = leaf
        leaf.begin([(one.frame, one.node) for one in stack])

    def _in(self, top: Activation, limit: int, recorder: Recorder | None) -> bool:
        frame, node = top.frame, top.node
        code, s, flow = frame.code, frame.s, frame.code.flow
        run, choose, binds, succs, leave = code.run, code.choose, code.binds, flow.succs, flow.exit
        costs, patience, leaf = self.costs[code.procedure.key], PATIENT, self.leaf
        try:
            while node != leave:
                steps = node in choose or node in run or node in binds
                if not steps:
                    leaf.passing(frame, node)
                    node = succs[node][0]
                    continue
                patience -= 1
                if patience <= 0:
                    return True
                if self.at >= limit:
                    top.node = node
                    if self.can_stop():
                        return False
                cost = costs[node](s, frame) if node in costs else 1
                if self.at + cost >= limit:
                    top.node = node
                    self.before = self.at if self.can_stop() else -1
                leaf.passing(frame, node)
                last = node
                if node in binds and node not in choose and node not in run:
                    self.at += cost
                    top.node = node
                    self._call(top, leaf.call_begins(frame, node))
                    return True
                if node in choose:
                    node = choose[node](s, frame)
                else:
                    leaf.run_statement(frame, node)
                    node = succs[node][0]
                leaf.passed(frame, last, node)
                self.at += cost
        finally:
            self.nodes += PATIENT - patience
            if top.actuals is None:
                top.node = node
        leaf.ends(frame)
        if len(self.stack) > 1:
            leaf.returned(frame)
        self._return()
        return True

    def _enter(self, top: Activation) -> None:
        super()._enter(top)
        self.leaf.entered(self.stack[-1].frame)
