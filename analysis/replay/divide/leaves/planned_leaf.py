"""A leaf recorded by plans: taped is what its derivative statements read and something overwrites, nothing else.

What the adjoint does not need runs all the same here, since an interrupted run goes on from it; what that overwrites is
brought back, and counts as tape.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from snapset.analysis.replay.codegen.elemental_calls import Elements
from snapset.analysis.replay.machine import saved_copies
from snapset.analysis.replay.machine.function_results import left, results
from snapset.analysis.replay.machine.plan_tables import LevelPlan, Plans, ProcedurePlan, SplitCallPlan
from snapset.analysis.replay.machine.planned_adjoint import PlanRun
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.reentered_callees import taken_up
from snapset.analysis.replay.machine.reevaluated_branches import ReevaluatedBranch, decided
from snapset.analysis.replay.machine.saved_copies import WHOLE, Saved, copy_of, forget, restore, save
from snapset.analysis.replay.machine.stack import FAILURES, Stack, Undo, stopped
from snapset.analysis.replay.machine.store_all import ArgumentAdjoints
from snapset.analysis.replay.machine.trace_entries import TraceEntry
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.analysis.replay.memory.runtime_support import NotExecutedError
from snapset.frontend import ir


@dataclass(slots=True)
class CallRun:
    """A call in split mode that the leaf has entered. ``saved``: what its caller has taped to enter it again."""

    plan: SplitCallPlan
    frame: Frame
    node: int
    bytes: int
    variables: list[Any]
    undo: Undo
    saved: Saved
    actuals: Bound
    inner: Frame | None = None


@dataclass(slots=True)
class CallLeft:
    """The end of a call in the trace; ``run``: where the leaf has entered it, too."""

    run: CallRun | None


@dataclass(slots=True)
class Mode:
    """How a procedure that is active is recorded: by ``plan``; without one not at all, or (``undone``) so that what it
    overwrites comes back. ``run``: the call that it is of; ``undo``: what the result of a call without derivative
    was."""

    plan: ProcedurePlan | None
    undone: bool = False
    run: CallRun | None = None
    undo: Undo | None = None
    pending: dict[int, ReevaluatedBranch] = field(default_factory=dict)
    last: int = -1

    @property
    def level(self) -> LevelPlan:
        assert self.plan is not None
        return self.plan.levels[0]


class PlannedLeaf(PlanRun):
    """Records an interval and takes it back. ``keeps``: it will be taken back (else bytes are counted alone)."""

    def __init__(self, machine: Machine, plans: Plans, keeps: bool = True) -> None:
        super().__init__(machine, plans, keeps)
        self.stack = Stack(max(1, len(plans.rows)))  # a plan that tapes nothing has none; bytes alone count
        self.keeps = keeps
        self.trace: list[tuple[Frame, ProcedurePlan, TraceEntry | CallRun | CallLeft]] = []
        self.modes: dict[int, Mode] = {}
        self.coming = Mode(None)

    @property
    def recorder(self) -> None:
        """A walker shows it what runs without being told."""

    @property
    def bytes(self) -> int:
        """Pushed so far."""
        return self.stack.height

    def begin(self, frames: list[tuple[Frame, int]]) -> None:
        """Where the interval begins: the active procedures, from the head down, each with its node."""
        mode = Mode(self.plans[self.machine.root])
        for (frame, node), (inner, _) in zip(frames, [*frames[1:], frames[0]], strict=True):
            self.modes[id(frame)] = replace(mode, last=node)
            mode = self.callee(mode, node, inner.code.procedure.key)

    def callee(self, mode: Mode, node: int, key: str) -> Mode:
        """How what a call runs is recorded."""
        if mode.plan is None:
            return Mode(None, mode.undone)
        call = mode.level.split_calls.get(node)
        if call is not None:
            return Mode(self.plans[call.callees[key]]) if key in call.callees else Mode(None, True)
        return Mode(None, node not in mode.level.running)

    # ------------------------------------------------------------ forward

    def kept(self, frame: Frame, mode: Mode, entries: list[Any]) -> None:
        if self.keeps:
            assert mode.plan is not None
            self.trace += [(frame, mode.plan, entry) for entry in entries]

    def passing(self, frame: Frame, node: int) -> None:
        """A node is about to run, or a join to be passed."""
        mode, entries = self.modes[id(frame)], list[TraceEntry]()
        if mode.plan is None:
            return
        if node in mode.level.counted:
            self.control(frame, mode.level, node, mode.last, entries)
        mode.last = node
        self.meeting(frame, mode.plan, mode.level, node, entries, mode.pending)
        self.kept(frame, mode, entries)

    def ends(self, frame: Frame) -> None:
        """A procedure is about to end."""
        mode, entries = self.modes[id(frame)], list[TraceEntry]()
        if mode.plan is not None:
            self.meeting(frame, mode.plan, mode.level, frame.code.flow.exit, entries, mode.pending)
            self.kept(frame, mode, entries)

    def passed(self, frame: Frame, node: int, following: int) -> None:
        """A node has run, and control goes on at ``following``."""
        mode = self.modes[id(frame)]
        if mode.plan is not None and node in mode.level.deciding and node in mode.level.running:
            mode.pending[node] = decided(frame, mode.level.deciding[node], following)

    def run_statement(self, frame: Frame, node: int) -> None:
        """Run a statement, and leave behind what it needs to be taken back."""
        mode, code, entries = self.modes[id(frame)], frame.code, list[TraceEntry]()
        plan = mode.plan
        stmt = code.flow.nodes[node].stmt
        if plan is None or (isinstance(stmt, ir.Where) and code.flow.nodes[node].kind == "simple"):
            if mode.undone:
                self.undone(frame, node)
            code.run[node](frame.s, frame)
            return
        running = node in mode.level.running
        if running or node in plan.derivatives:
            again = node in code.masks and node in plan.derivatives and node not in plan.stored_masks
            mask = code.masks[node](frame.s, frame) if again else None  # its WHERE may stand before the interval
            self.statement(frame, plan, mode.level, node, entries)
            if mask is not None:
                self.stack.push(mask.size)
                entries[-1].mask, entries[-1].bytes = mask, entries[-1].bytes + mask.size
            self.kept(frame, mode, entries)
        if not running:
            self.undone(frame, node)
            code.run[node](frame.s, frame)

    def undone(self, frame: Frame, node: int) -> None:
        """Remember what a statement that the adjoint does not need is about to overwrite."""
        if node in frame.code.spots:
            undo = Undo()
            size = sum(undo.save(slot, index) for slot, index in frame.code.spots[node](frame.s, frame))
            self.stack.push(size)
            self.outside(frame, TraceEntry(node, size, [], undo))

    def outside(self, frame: Frame, entry: TraceEntry) -> None:
        """Keep what belongs to no plan."""
        if self.keeps:
            self.trace.append((frame, self.plans[self.machine.root], entry))

    def call_begins(self, frame: Frame, node: int) -> Bound:
        """Leave behind what a call needs to be taken back; its actual arguments."""
        mode = self.modes[id(frame)]
        if mode.plan is not None and node in mode.level.split_calls:
            return self.split_call(frame, mode, mode.level.split_calls[node], node)
        undo = results(frame, node)
        if mode.plan is None:
            self.coming = Mode(None, mode.undone, undo=undo if mode.undone else None)
            if mode.undone:
                self.outside(frame, TraceEntry(node, 0, [], undo))
        else:
            running = node in mode.level.running
            saved, size = save(self.stack, frame, mode.level.whole.get(node, ()) if running else ())
            self.kept(frame, mode, [TraceEntry(node, size, [], undo, snp=saved,
                                               resets=mode.level.resets.get(node, ()))])
            self.coming = Mode(None, not running, undo=undo)
        found: Bound = frame.code.binds[node](frame.s, frame)
        return found

    def split_call(self, frame: Frame, mode: Mode, call: SplitCallPlan, node: int) -> Bound:
        assert mode.plan is not None
        variables = self.variables(frame, mode.plan, node)
        before = [(slot, copy_of(slot), row) for slot, _, row in saved_copies.there(frame, call.saved)]
        undo = results(frame, node)
        actuals: Bound = frame.code.binds[node](frame.s, frame)
        if isinstance(actuals, Elements):
            raise NotExecutedError("a leaf that is planned enters an elemental call")
        size = sum(saved_copies.pushed(self.stack, old, row) for _, old, row in before)
        run = CallRun(call, frame, node, size, variables, undo, [(slot, WHOLE, old) for slot, old, _ in before],
                      actuals)
        self.kept(frame, mode, [run])
        self.coming = self.callee(mode, node, actuals.to.key)
        self.coming.run = run
        return actuals

    def entered(self, inner: Frame) -> None:
        """What a call runs has been entered."""
        mode = self.coming
        self.modes[id(inner)] = Mode(mode.plan, mode.undone, mode.run, mode.undo)
        if mode.run is not None:
            mode.run.inner = inner

    def returned(self, inner: Frame) -> None:
        """What a call ran has ended."""
        mode = self.modes.pop(id(inner))
        if mode.plan is not None:
            entries = list[TraceEntry]()
            self.leave(inner, mode.plan, entries)
            self.kept(inner, mode, [*entries, CallLeft(mode.run)])
        elif mode.undo is not None:
            left(mode.undo, self.poison)

    # ------------------------------------------------------------ backward

    def take_all_back(self) -> int:
        """The backward sweep; the steps that it takes.

        Raises:
            ReplayError: the program went wrong; its ``span`` says where.
        """
        before = self.stack.steps
        while self.trace:
            frame, plan, entry = self.trace.pop()
            try:
                if isinstance(entry, CallLeft):
                    if entry.run is not None:
                        self.enter_again(entry.run)
                elif isinstance(entry, CallRun):
                    self.behind_call(plan, entry)
                else:
                    self.undo(frame, plan, entry)
            except FAILURES as error:
                raise stopped(error, frame.code.flow.nodes[entry.node].span if not isinstance(entry, CallLeft)
                              else frame.code.procedure.span, frame) from error
        return self.stack.steps - before

    def enter_again(self, run: CallRun) -> None:
        """The backward sweep of a call begins: its arguments are found anew."""
        assert run.inner is not None
        for slot, value in run.variables:
            slot.values[()] = value
        now: Saved = [(slot, WHOLE, copy_of(slot)) for slot, _, _ in run.saved]
        restore(run.saved, briefly=True)
        own = results(run.frame, run.node)
        again = self.machine.called(run.frame, run.frame.code.binds[run.node](run.frame.s, run.frame))
        own.restore_associations()
        restore(now, briefly=True)
        taken_up(run.inner, again)

    def behind_call(self, plan: ProcedurePlan, run: CallRun) -> None:
        """The backward sweep of a call has ended."""
        self.stack.pop(run.bytes)
        for slot, value in run.variables:
            slot.values[()] = value
        derivative = plan.derivatives.get(run.node)
        if derivative is not None:
            self.stack.steps += 1
            derivative(run.frame.s, ArgumentAdjoints(run.actuals))
        run.undo.restore_associations()
        forget(run.frame, run.plan.passive)
