"""The backward sweep under a plan: takes back what the forward sweep did, node by node, and runs the derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from snapset.analysis.adjoint.repeatable_groups import Guarded, Steps
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.codegen.forall import at_once, gathered
from snapset.analysis.replay.machine.communicating_nodes import (
    communicated_back,
    second_run_begins,
    second_run_ends,
)
from snapset.analysis.replay.machine.function_results import (
    changed_by,
    own_result,
    remade_results,
    results,
    unknown,
)
from snapset.analysis.replay.machine.plan_tables import PartPlan, Plans, ProcedurePlan
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.reentered_callees import taken_up
from snapset.analysis.replay.machine.reevaluated_branches import decide_again
from snapset.analysis.replay.machine.saved_copies import (
    NO_PIECES,
    WHOLE,
    Limits,
    Pieces,
    Saved,
    copy_of,
    destroyed,
    forget,
    limits,
    restore,
    selected,
)
from snapset.analysis.replay.machine.stack import FAILURES, Stack, Undo, destroy_piece, stopped
from snapset.analysis.replay.machine.stack_profile import HeightRecorder
from snapset.analysis.replay.machine.store_all import ArgumentAdjoints, StoreAll, differentiate
from snapset.analysis.replay.machine.trace_entries import SplitCallRun, TraceEntry
from snapset.analysis.replay.memory.allocations import WaitingAdjoints
from snapset.analysis.replay.memory.associations import AllocationCell, PointerCell
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.frontend.base.deep_recursion import deep


class BackwardSweep(ABC):
    """Runs the adjoint of a machine's root under one strategy's plan.

    ``stack``: what was pushed, by row of ``plans``. ``statements``: seen by forward sweeps; ``recomputed``: steps
    (statements, tests, calls) of first runs. ``heights`` records the stack's height.
    """

    def __init__(self, machine: Machine, plans: Plans, poison: bool = True,
                 heights: HeightRecorder | None = None) -> None:
        self.machine = machine
        self.poison = poison
        self.plans = plans.procedures
        self.heights = heights
        self.stack = Stack(len(plans.rows), heights, tuple(row.size for row in plans.rows))
        self.recomputed = 0
        self.statements = 0
        self.tests = 0
        self.turned = False
        # Of the parts whose adjoints run, or that D̄ follows: the elements written at most, so no more can be lost.
        self.within: list[Limits] = []

    @abstractmethod
    def adjoint(self, frame: Frame, plan: ProcedurePlan, level: int, turn: Callable[[], None] | None = None) -> None:
        """Both sweeps over one level of a code; ``turn`` is called between them."""

    def backward(self, frame: Frame, plan: ProcedurePlan, trace: list[TraceEntry]) -> None:
        while trace:
            entry = trace.pop()
            try:
                forall = frame.code.foralls.get(entry.node)
                if forall is None:
                    self.undo(frame, plan, entry)
                    continue
                entries = gathered(entry, trace, forall)
                self.stack.steps += at_once(frame, entries, forall, lambda one: self.take_back(frame, one))
            except FAILURES as error:
                raise stopped(error, frame.code.flow.nodes[entry.node].span, frame) from error

    def undo(self, frame: Frame, plan: ProcedurePlan, entry: TraceEntry) -> None:
        """Take back one node of the forward sweep, and run its derivative."""
        if entry.part is not None:
            self.part_backward(frame, plan, entry, entry.part)
            return
        if entry.split_run is not None:
            self.split_call_backward(frame, plan, entry, entry.split_run)
            return
        self.take_back(frame, entry)
        communicated_back(frame, entry.events)
        if entry.decided is not None:
            decide_again(frame, entry.decided)
        self.differentiate(frame, entry)
        if entry.undo is not None:
            entry.undo.restore_states()

    def differentiate(self, frame: Frame, entry: TraceEntry, gone_back: Callable[[], None] | None = None) -> None:
        """Run a node's derivative, if it has one (:func:`differentiate`)."""
        if entry.derivative is not None:
            self.stack.steps += 1
            mask = entry.mask
            if mask is None and entry.node in frame.code.masks:
                mask = self.mask_again(frame, entry.node)
            frame.sides = entry.sides
            differentiate(frame, entry.node, entry.derivative, mask, entry.undo or Undo(), gone_back)

    def take_back(self, frame: Frame, entry: TraceEntry) -> None:
        """Bring back what a node overwrote, destroy what nobody needs."""
        for slot, value in entry.variables:
            slot.values[()] = value
        if entry.undo is not None:
            entry.undo.restore_associations()
        if entry.snp is not None:
            restore(entry.snp)
        if entry.undo is not None:
            entry.undo.restore_values()
            if self.poison:
                for slot, index in entry.idle_writes or ():
                    destroy_piece(slot, index)
        self.stack.pop(entry.bytes)
        self.compute_again(frame, entry.again)
        forget(frame, entry.resets)

    def compute_again(self, frame: Frame, steps: Steps) -> None:
        for step in steps:
            self.stack.steps += 1
            if isinstance(step, Guarded):
                way = int(frame.code.choose[step.test](frame.s, frame))
                self.compute_again(frame, dict(step.ways)[way])
            elif step in frame.code.binds:
                self.machine.call(frame, step)
            else:
                frame.code.run[step](frame.s, frame)

    def mask_again(self, frame: Frame, node: int) -> Array:
        """A mask that was not stored is computed again from what it was computed from."""
        code = frame.code
        for where in code.wheres[node]:
            code.run[where](frame.s, frame)
        found: Array = code.masks[node](frame.s, frame)
        return found

    def part_backward(self, frame: Frame, plan: ProcedurePlan, entry: TraceEntry, part: PartPlan) -> None:
        """POP(Snp); C-bar; POP(Sbk)."""
        assert entry.snp is not None
        assert entry.sbk is not None
        if part.inside and entry.pieces:
            self.within.pop()
        for slot, value in entry.variables:
            slot.values[()] = value
        saved = (slot for slot, _, _ in (*entry.snp, *entry.sbk))
        callees = (self.machine.codes[key].procedure for key in part.callees)
        waiting = WaitingAdjoints((*(changed_by(frame, saved) if part.allocates else ()),
                                   *remade_results(frame, entry.node, callees)))
        partly = {one: piece for one, piece in entry.pieces.items() if one not in part.lost_whole} | dict(entry.own)
        self.lose(frame, part.lost_before, entry.snp, partly)
        for slot, value in entry.variables:
            slot.values[()] = value
        now = results(frame, entry.node)
        if entry.undo is not None:
            entry.undo.restore_associations(of_results=True)
        restore(entry.snp)
        self.compute_again(frame, part.again)
        callers = own_result(frame, entry.node)
        now.restore_associations()
        if self.heights is not None:
            self.heights.mark(self.stack.steps, "restored", (plan.key, entry.node))
        self.stack.pop(entry.bytes - entry.lower)
        actuals: Bound | None = None
        selected(frame, part.pieces, entry.pieces)
        self.within.append(limits(frame, entry.pieces))
        outer = second_run_begins(frame, entry.instance)
        if part.level is not None:
            self.adjoint(frame, plan, part.level, waiting.come_back)
        else:
            actuals = frame.code.binds[entry.node](frame.s, frame)
            assert actuals is not None
            if self.poison:
                unknown(callers)
            self.call_adjoint(frame, part, actuals, waiting.come_back)
        second_run_ends(frame, entry.instance, outer)
        self.within.pop()
        self.lose(frame, part.lost_after, entry.sbk, partly)
        if entry.undo is not None:
            entry.undo.restore_associations()
        restore(callers)
        restore(entry.sbk)
        kept = {one for one, _ in part.sbk}
        selected(frame, part.pieces if part.level is not None else {
            one: find for one, find in part.pieces.items() if one in kept}, entry.pieces)
        self.stack.pop(entry.lower)
        self.compute_again(frame, entry.again)
        derivative = plan.derivatives.get(entry.node) if part.level is None else None
        if derivative is not None and actuals is not None:  # of the expressions passed, evaluated before the call
            for slot, value in entry.variables:
                slot.values[()] = value
            derivative(frame.s, ArgumentAdjoints(actuals))
        forget(frame, part.passive)

    def call_adjoint(self, frame: Frame, part: PartPlan, actuals: Bound, turn: Callable[[], None]) -> None:
        """C̄ of a call. What counts as a procedure without source (SN301) stores all, on a stack of its own: nothing is
        claimed of its inside, and what it reaches outside is judged by the sets of its caller."""
        if actuals.to.key in part.callees:
            for one in reversed(runs(actuals)):
                with self.machine.limits.second_run():
                    self.adjoint(self.machine.called(frame, one), self.plans[part.callees[actuals.to.key]], 0, turn)
            return
        with self.machine.limits.second_run():
            stored = StoreAll(self.machine)
            for one in runs(actuals):
                stored.forward(self.machine.called(frame, one))
            turn()
            stored.backward()
            self.stack.steps += stored.steps + stored.derivatives_run

    @deep
    def split_call_backward(self, frame: Frame, plan: ProcedurePlan, entry: TraceEntry, run: SplitCallRun) -> None:
        """The callee's backward sweep: its arguments found anew, its own variables as :meth:`leave` left them."""
        assert entry.snp is not None
        for slot, value in entry.variables:
            slot.values[()] = value
        self.stack.pop(entry.bytes)
        now: Saved = [(slot, WHOLE, copy_of(slot)) for slot, _, _ in entry.snp]
        restore(entry.snp, briefly=True)
        own = results(frame, entry.node)
        again = self.machine.called(frame, frame.code.binds[entry.node](frame.s, frame))
        own.restore_associations()
        restore(now, briefly=True)
        taken_up(run.frame, again)
        self.backward(run.frame, self.plans[run.plan.callees[run.actuals.to.key]], run.trace)
        for slot, value in entry.variables:
            slot.values[()] = value
        derivative = plan.derivatives.get(entry.node)
        if derivative is not None:
            derivative(frame.s, ArgumentAdjoints(run.actuals))
        if entry.undo is not None:
            entry.undo.restore_associations()
        forget(frame, run.plan.passive)

    # ------------------------------------------------------------ saving

    def lose(self, frame: Frame, locations: tuple[Location, ...], saved: Saved, pieces: Pieces) -> None:
        """Poison what may be lost before ``saved`` is restored. The names are those of the part's beginning: what
        pointers led to then, and what was allocated, so that associations and allocations come back first."""
        self.destroy(frame, tuple(one for one in locations if one.is_descriptor))
        restore((slot, index, old) for slot, index, old in saved if isinstance(slot, PointerCell | AllocationCell))
        self.destroy(frame, tuple(one for one in locations if not one.is_descriptor), pieces)

    def destroy(self, frame: Frame, locations: tuple[Location, ...], pieces: Pieces = NO_PIECES) -> None:
        """Poison locations, of some only ``pieces``."""
        if self.poison:
            destroyed(frame, locations, pieces, self.within)
