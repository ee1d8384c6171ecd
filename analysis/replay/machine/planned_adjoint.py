"""The adjoint under a plan: Dauvergne & Hascoët's rewriting (1), executed exactly.

    PUSH(Sbk); PUSH(Snp); C; Req_D |- D-bar; POP(Snp); Req_C |- C-bar; POP(Sbk)

nested, in loops and in calls. Statements that adjoint liveness drops do not run, writes tape only what the
analysis says. With poison, whatever the analysis claims nobody needs any more is destroyed at that moment.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.machine import saved_copies
from snapset.analysis.replay.machine.backward_sweep import BackwardSweep
from snapset.analysis.replay.machine.communicating_nodes import communicated, first_run_begins, first_run_ends
from snapset.analysis.replay.machine.function_results import allocatable, allocated_anew, left, results
from snapset.analysis.replay.machine.plan_tables import NOT_TAPED, LevelPlan, PartPlan, ProcedurePlan, SplitCallPlan
from snapset.analysis.replay.machine.reevaluated_branches import ReevaluatedBranch, decided
from snapset.analysis.replay.machine.saved_copies import (
    WHOLE,
    Saved,
    elsewhere,
    limits,
    save,
    selected,
)
from snapset.analysis.replay.machine.stack import FAILURES, Undo, stopped
from snapset.analysis.replay.machine.trace_entries import SplitCallRun, TraceEntry
from snapset.analysis.replay.memory.associations import AllocationCell
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.analysis.replay.memory.runtime_support import NotExecutedError, ReplayError, Slot
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep


class PlanRun(BackwardSweep):
    """Runs the adjoint of a machine's root under one strategy's plan: the forward sweeps, and what they lead to."""

    @deep
    def adjoint(self, frame: Frame, plan: ProcedurePlan, level: int, turn: Callable[[], None] | None = None) -> None:
        """Both sweeps over one level of a code; ``turn`` is called between them.

        Raises:
            ReplayError: the program went wrong; its ``span`` says where.
        """
        trace: list[TraceEntry] = []
        self.forward(frame, plan, plan.levels[level], trace)
        if turn is not None:
            turn()
            if self.heights is not None and not self.turned:
                self.heights.turned(self.stack.steps)
            self.turned = True
        self.backward(frame, plan, trace)

    # ------------------------------------------------------------ forward sweep

    def forward(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, trace: list[TraceEntry]) -> None:
        flow, node, last, pending = frame.code.flow, level.enter, -1, dict[int, ReevaluatedBranch]()
        try:
            while node != level.leave:
                if node in level.counted:
                    self.control(frame, level, node, last, trace)
                self.meeting(frame, plan, level, node, trace, pending)
                last, before = node, len(trace)
                node = self.step(frame, plan, level, node, trace)
                self.regain(frame, plan, level, last, trace, before)
                if last in level.deciding and last in level.running:
                    pending[last] = decided(frame, level.deciding[last], node)
        except FAILURES as error:
            raise stopped(error, flow.nodes[node].span, frame) from error
        self.meeting(frame, plan, level, node, trace, pending)

    def meeting(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[TraceEntry],
                pending: dict[int, ReevaluatedBranch]) -> None:
        """Leave behind what is decided again here in the backward sweep."""
        for one in level.meets.get(node, ()):
            if one in pending:
                trace.append(TraceEntry(node, 0, self.variables(frame, plan, node), decided=pending.pop(one)))

    def regain(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[TraceEntry],
               before: int) -> None:
        """Leave behind what is computed again when the backward sweep comes by the node; its own entries are those
        from ``before`` on."""
        if node in level.again:
            if len(trace) == before:
                trace.append(TraceEntry(node, 0, self.variables(frame, plan, node)))
            trace[-1].again = level.again[node]
        if node in level.behind:
            trace.append(TraceEntry(node, 0, self.variables(frame, plan, node), again=level.behind[node]))

    def step(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[TraceEntry]) -> int:
        """One node of a forward sweep; the node after it."""
        code, flow = frame.code, frame.code.flow
        if node in level.parts:
            return self.part(frame, plan, level.parts[node], node, trace)
        if node in level.split_calls:
            return self.call_split(frame, plan, level.split_calls[node], node, trace)
        if node in code.choose or (node in code.binds and len(flow.succs[node]) > 1):
            return self.test(frame, plan, level, node, trace)
        if node in code.binds:
            if node in level.running:
                self.stack.steps += 1
                self.inactive_call(frame, level, node, trace)
            elif node in level.resets:
                trace.append(TraceEntry(node, 0, [], resets=level.resets[node]))
        elif isinstance(flow.nodes[node].stmt, ir.Where) and flow.nodes[node].kind == "simple":
            if node in level.running:
                code.run[node](frame.s, frame)
        elif node in code.run and (node in level.running or node in plan.derivatives):
            self.statement(frame, plan, level, node, trace)
        following: int = flow.succs[node][0]
        return following

    def control(self, frame: Frame, level: LevelPlan, node: int, last: int, trace: list[TraceEntry]) -> None:
        """Count what is recorded of control; an endless loop's count only when it is entered from outside."""
        counted, flow = level.counted[node], frame.code.flow
        for loop in flow.loops:
            if loop.init < 0 and node == flow.first_node[loop.stmt.id] and last in loop.body:
                return
        self.stack.push(*counted)
        trace.append(TraceEntry(node, counted[0], []))

    def test(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[TraceEntry]) -> int:
        if node not in level.running:
            return level.skip[node]
        self.stack.steps += 1
        self.tests += 1
        if self.tests > self.machine.limits.left:
            raise ReplayError("the program does not end within the steps allowed (--max-steps)")
        if node in frame.code.choose:
            return int(frame.code.choose[node](frame.s, frame))
        return self.machine.after_call(frame, node, self.inactive_call(frame, level, node, trace))

    def variables(self, frame: Frame, plan: ProcedurePlan, node: int) -> list[tuple[Slot, Any]]:
        """The DO variables' values that the reversed loops will give back."""
        slots = [find(frame.s) for find in plan.regenerated.get(node, ())]
        return [(slot, slot.values[()]) for slot in slots]

    def statement(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int,
                  trace: list[TraceEntry]) -> None:
        self.statements += 1
        if self.statements > self.machine.limits.left:
            raise ReplayError("the program does not end within the steps allowed (--max-steps)")
        code, s = frame.code, frame.s
        running = node in level.running
        undo, size = Undo(), 0
        dropped: list[tuple[Slot, Any]] = []
        regenerated = plan.regenerated.get(node, ())
        saved: Saved = []
        if running and node in code.spots:
            pieces, rows = code.spots[node](s, frame), level.taped.get(node, ())
            if node in level.whole:
                saved, size = save(self.stack, frame, level.whole[node])
                pieces = elsewhere(pieces, saved)
                rows = (NOT_TAPED,) * len(pieces)
            elif len(pieces) > len(rows):
                raise NotExecutedError("receives into several arrays, prepared by one statement")
            for (slot, index), row in zip(pieces, rows, strict=True):
                kept = row != NOT_TAPED or (isinstance(slot, AllocationCell) and not self.poison)
                count = undo.save(slot, index, kept)
                if row >= 0:
                    self.stack.push(count, row)
                    size += count
                again = any(slot is find(s) for find in regenerated)
                if self.poison and row == NOT_TAPED and index is not None and not again:
                    dropped.append((slot, index))
        mask = code.masks[node](s, frame) if node in plan.stored_masks else None
        if mask is not None:
            self.stack.push(mask.size, plan.stored_masks[node])
            size += mask.size
        sides: tuple[Any, ...] = ()
        if node in plan.sides:
            recorder, row = plan.sides[node]
            sides = recorder(s, frame)
            count = sum(np.size(one) for one in sides)
            self.stack.push(count, row)
            size += count
        derivative = plan.derivatives.get(node)
        stays = code.flow.nodes[node].kind in ("init", "step") or node in level.staying
        trace.append(TraceEntry(node, size, self.variables(frame, plan, node), undo, derivative, mask,
                            snp=saved or None, idle_writes=None if stays else dropped, sides=sides))
        if node in code.messages:
            self.stack.steps += 1
            trace[-1].events = communicated(frame, node)
        elif running:
            self.stack.steps += 1
            code.run[node](s, frame)

    def inactive_call(self, frame: Frame, level: LevelPlan, node: int, trace: list[TraceEntry]) -> int:
        saved, size = save(self.stack, frame, level.whole.get(node, ()))
        undo = results(frame, node)
        trace.append(TraceEntry(node, size, [], undo, snp=saved, resets=level.resets.get(node, ())))
        there = [(slot, slot.a, slot.b, slot.lo) for slot in allocatable(frame)] if self.machine.allocates else ()
        alternate = self.plain_call(frame, node)
        left(undo, self.poison)
        allocated_anew(undo, there)
        if self.poison:  # those that were saved come back behind that
            undo.forgotten += [slot for slot, *_ in undo.allocations]
        return alternate

    @deep
    def plain_call(self, frame: Frame, node: int) -> int:
        alternate = 0
        for one in runs(frame.code.binds[node](frame.s, frame)):
            inner = self.machine.called(frame, one)
            with self.machine.limits:
                self.plainly(partial(self.machine.run, inner))
            alternate = inner.alternate
        return alternate

    def plainly(self, run: Callable[[], int]) -> None:
        """Run something without recording, and count its steps, those of its callees too."""
        before = self.machine.in_callees
        self.stack.steps += run()
        self.stack.steps += self.machine.in_callees - before

    @deep
    def call_split(self, frame: Frame, plan: ProcedurePlan, call: SplitCallPlan, node: int,
                   trace: list[TraceEntry]) -> int:
        """The callee's forward sweep. Gives the node behind the call."""
        self.stack.steps += 1
        variables = self.variables(frame, plan, node)
        before = [(slot, saved_copies.copy_of(slot), row)
                  for slot, _, row in saved_copies.there(frame, call.saved)]
        undo = results(frame, node)
        actuals: Bound = frame.code.binds[node](frame.s, frame)
        inner = self.machine.called(frame, actuals)
        callee, own = self.plans[call.callees[actuals.to.key]], list[TraceEntry]()
        self.forward(inner, callee, callee.levels[0], own)
        self.leave(inner, callee, own)
        size = sum(saved_copies.pushed(self.stack, old, row) for _, old, row in before)
        saved: Saved = [(slot, WHOLE, old) for slot, old, _ in before]
        run = SplitCallRun(call, inner, actuals, own)
        trace.append(TraceEntry(node, size, variables, undo, snp=saved, split_run=run))
        return self.machine.after_call(frame, node, inner.alternate)

    def leave(self, frame: Frame, plan: ProcedurePlan, trace: list[TraceEntry]) -> None:
        """The end of a forward sweep that runs apart: what is gone now is saved where it is needed."""
        end = frame.code.flow.exit
        saved, size = save(self.stack, frame, plan.levels[0].whole.get(end, ()))
        trace.append(TraceEntry(end, size, [], snp=saved))
        self.destroy(frame, plan.dying)

    def part(self, frame: Frame, plan: ProcedurePlan, part: PartPlan, node: int, trace: list[TraceEntry]) -> int:
        """PUSH(Sbk); PUSH(Snp); C. Gives the node behind the part."""
        pieces, own = selected(frame, part.pieces), selected(frame, part.own)
        sbk, lower = save(self.stack, frame, part.sbk, pieces)
        snp, upper = save(self.stack, frame, part.snp, pieces)
        if self.heights is not None:
            self.heights.mark(self.stack.steps, "taken", (plan.key, node))
        undo = results(frame, node)
        trace.append(TraceEntry(node, lower + upper, self.variables(frame, plan, node), undo, part=part, snp=snp,
                                sbk=sbk, lower=lower, pieces=pieces, own=own))
        flow, alternate, before = frame.code.flow, 0, self.stack.steps
        trace[-1].instance = first_run_begins(frame, plan.key, node)
        if part.level is not None:
            inner = flow.levels[part.level]
            skip = plan.levels[part.level].flat_skip
            self.plainly(lambda: self.machine.stretch(frame, inner.enter, inner.leave, part.first, skip))
        elif node in part.first:
            self.stack.steps += 1
            alternate = self.plain_call(frame, node)
        elif undo.associations:  # the result has an adjoint, even where nobody needs its value
            for one in runs(frame.code.binds[node](frame.s, frame)):
                self.machine.called(frame, one)
        first_run_ends(frame, trace[-1].instance)
        left(undo, self.poison)
        self.recomputed += self.stack.steps - before
        self.destroy(frame, part.idle, {**pieces, **own})
        if part.inside and pieces:
            self.within.append(limits(frame, {one: piece for one, piece in pieces.items() if one in part.inside}))
        return flow.levels[part.level].after if part.level is not None else self.machine.after_call(
            frame, node, alternate)
