"""The adjoint under a plan: Dauvergne & Hascoët's rewriting (1), executed exactly.

    PUSH(Sbk); PUSH(Snp); C; Req_D |- D-bar; POP(Snp); Req_C |- C-bar; POP(Sbk)

nested, in loops and in calls. Statements that adjoint liveness drops do not run, writes tape only what the
analysis says. With poison, whatever the analysis claims nobody needs any more is destroyed at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from snapset.analysis.analyse import Analysis
from snapset.analysis.locations import Location
from snapset.analysis.recorded import ProcedureRecord
from snapset.analysis.replay.memory import Actual, Frame, undefined
from snapset.analysis.replay.planned import LevelPlan, PartPlan, Planner, ProcedurePlan
from snapset.analysis.replay.primal import Machine
from snapset.analysis.replay.runtime import Array, ReplayError, Slot
from snapset.analysis.replay.store_all import adjoints_of
from snapset.analysis.replay.trace import Stack, Undo
from snapset.frontend import ir

Saved = list[tuple[Slot, "Array | None"]]


@dataclass(slots=True)
class _Entry:
    """One thing to be undone. ``bytes``: what it has on the stack."""

    node: int
    bytes: int
    variables: list[tuple[Slot, Any]]
    undo: Undo | None = None
    derivative: Callable[..., Any] | None = None
    mask: Array | None = None
    part: PartPlan | None = None
    snp: Saved | None = None
    sbk: Saved | None = None
    idle_writes: list[tuple[Slot, Any]] | None = None


class PlanRun:
    """Runs the adjoint of a machine's root under one strategy's plan.

    ``recomputed``: statements run by first runs of parts and plain runs of calls.
    """

    def __init__(self, machine: Machine, analysis: Analysis, records: Mapping[str, ProcedureRecord],
                 poison: bool = True) -> None:
        self.machine = machine
        self.poison = poison
        self.plans: dict[str, ProcedurePlan] = {}
        for key in analysis.order:
            planner = Planner(analysis.adjoints.by_key[key], records[key], machine.lowerings[key])
            self.plans[key] = planner.plan()
        self.stack = Stack()
        self.recomputed = 0
        self.statements = 0

    def adjoint(self, frame: Frame, level: int, turn: Callable[[], None] | None = None) -> None:
        """Both sweeps over one level of a procedure; ``turn`` is called between them."""
        plan = self.plans[frame.code.procedure.key]
        trace: list[_Entry] = []
        self.forward(frame, plan, plan.levels[level], trace)
        if turn is not None:
            turn()
        self.backward(frame, plan, trace)

    # ------------------------------------------------------------ forward sweep

    def forward(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, trace: list[_Entry]) -> None:
        code, s, node, last = frame.code, frame.s, level.enter, -1
        flow = code.flow
        while node != level.leave:
            self.control(frame, level, node, last, trace)
            last = node
            if node in level.parts:
                node = self.part(frame, plan, level.parts[node], node, trace)
            elif node in code.choose or (node in code.binds and len(flow.succs[node]) > 1):
                node = self.test(frame, plan, level, node, trace)
            elif node in code.binds:
                if node in level.kept:
                    self.inactive_call(frame, level, node, trace)
                node = flow.succs[node][0]
            elif isinstance(flow.nodes[node].stmt, ir.Where) and flow.nodes[node].kind == "simple":
                code.run[node](s, frame)
                node = flow.succs[node][0]
            else:
                if node in code.run and (node in level.kept or node in plan.derivatives):
                    self.statement(frame, plan, level, node, trace)
                node = flow.succs[node][0]

    def control(self, frame: Frame, level: LevelPlan, node: int, last: int, trace: list[_Entry]) -> None:
        """Count what is recorded of control; an endless loop's count only when it is entered from outside."""
        count = level.counted.get(node)
        if count is None:
            return
        flow = frame.code.flow
        for loop in flow.loops:
            if loop.init < 0 and node == flow.first_node[id(loop.stmt)] and last in loop.body:
                return
        self.stack.push_control(count)
        trace.append(_Entry(node, count, []))

    def test(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[_Entry]) -> int:
        if node not in level.kept:
            return level.skip[node]
        if node in frame.code.choose:
            return int(frame.code.choose[node](frame.s, frame))
        return self.machine.after_call(frame, node, self.inactive_call(frame, level, node, trace))

    def variables(self, frame: Frame, plan: ProcedurePlan, node: int) -> list[tuple[Slot, Any]]:
        """The DO variables' values that the reversed loops will give back."""
        return [(frame.s[k], frame.s[k].values[()]) for k in plan.regenerated.get(node, ())]

    def statement(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[_Entry]) -> None:
        self.statements += 1
        if self.statements > self.machine.limits.left:
            raise ReplayError("the program does not end")
        code, s = frame.code, frame.s
        kept = node in level.kept
        undo, size = Undo(), 0
        dropped: list[tuple[Slot, Any]] = []
        regenerated = plan.regenerated.get(node, ())
        if kept and node in code.spots:
            for (slot, index), wanted in zip(code.spots[node](s, frame), level.taped[node], strict=True):
                size += undo.save(slot, index, wanted)
                if not wanted and index is not None and not any(slot is s[k] for k in regenerated):
                    dropped.append((slot, index))
        self.stack.push(size)
        mask = code.masks[node](s, frame) if node in plan.stored_masks else None
        if mask is not None:
            self.stack.push(mask.size)
            size += mask.size
        derivative = plan.derivatives.get(node)
        loop_node = code.flow.nodes[node].kind in ("init", "step")
        trace.append(_Entry(node, size, self.variables(frame, plan, node), undo, derivative, mask,
                            idle_writes=None if loop_node else dropped))
        if kept:
            code.run[node](s, frame)

    def inactive_call(self, frame: Frame, level: LevelPlan, node: int, trace: list[_Entry]) -> int:
        saved = self.save(frame, level.whole.get(node, ()))
        trace.append(_Entry(node, self.bytes_of(saved), [], snp=saved))
        self.stack.push(self.bytes_of(saved))
        return self.plain_call(frame, node)

    def plain_call(self, frame: Frame, node: int) -> int:
        inner = self.machine.called(frame, node, frame.code.binds[node](frame.s, frame))
        self.recomputed += self.machine.run(inner)
        return inner.alternate

    def part(self, frame: Frame, plan: ProcedurePlan, part: PartPlan, node: int, trace: list[_Entry]) -> int:
        """PUSH(Sbk); PUSH(Snp); C. Gives the node behind the part."""
        sbk = self.save(frame, part.sbk)
        snp = self.save(frame, part.snp)
        lower, upper = self.bytes_of(sbk), self.bytes_of(self.save(frame, part.only_snp))
        self.stack.push(lower)
        self.stack.push(upper)
        trace.append(_Entry(node, lower + upper, self.variables(frame, plan, node), part=part, snp=snp, sbk=sbk))
        flow, alternate = frame.code.flow, 0
        if part.level is not None:
            inner = flow.levels[part.level]
            skip = plan.levels[part.level].flat_skip
            self.recomputed += self.machine.stretch(frame, inner.enter, inner.leave, part.first, skip)
        elif node in part.first:
            alternate = self.plain_call(frame, node)
        self.destroy(frame, part.idle)
        return flow.levels[part.level].after if part.level is not None else self.machine.after_call(
            frame, node, alternate)

    # ------------------------------------------------------------ backward sweep

    def backward(self, frame: Frame, plan: ProcedurePlan, trace: list[_Entry]) -> None:
        while trace:
            entry = trace.pop()
            for slot, value in entry.variables:
                slot.values[()] = value
            if entry.part is not None:
                self.part_backward(frame, plan, entry, entry.part)
                continue
            if entry.snp is not None:
                self.restore(entry.snp)
            if entry.undo is not None:
                entry.undo.restore_values()
                if self.poison:
                    for slot, index in entry.idle_writes or ():
                        _destroy_piece(slot, index)
            self.stack.pop(entry.bytes)
            if entry.derivative is not None:
                code = frame.code
                mask = entry.mask
                if mask is None and entry.node in code.masks:
                    mask = self.mask_again(frame, entry.node)
                entry.derivative(frame.s, frame, mask)
            if entry.undo is not None:
                entry.undo.restore_states()

    def mask_again(self, frame: Frame, node: int) -> Array:
        """A mask that was not stored is computed again from what it was computed from."""
        code = frame.code
        for where in code.wheres[node]:
            code.run[where](frame.s, frame)
        found: Array = code.masks[node](frame.s, frame)
        return found

    def part_backward(self, frame: Frame, plan: ProcedurePlan, entry: _Entry, part: PartPlan) -> None:
        """POP(Snp); C-bar; POP(Sbk)."""
        assert entry.snp is not None
        assert entry.sbk is not None
        self.destroy(frame, part.lost_before)
        for slot, value in entry.variables:
            slot.values[()] = value
        self.restore(entry.snp)
        lower = self.bytes_of(entry.sbk)
        self.stack.pop(entry.bytes - lower)
        if part.level is not None:
            self.adjoint(frame, part.level)
        else:
            actuals: list[Actual] = frame.code.binds[entry.node](frame.s, frame)
            self.adjoint(self.machine.called(frame, entry.node, actuals), 0)
            derivative = plan.derivatives.get(entry.node)
            if derivative is not None:
                derivative(frame.s, adjoints_of(actuals))
        self.destroy(frame, part.lost_after)
        self.restore(entry.sbk)
        self.stack.pop(lower)

    # ------------------------------------------------------------ saving

    def save(self, frame: Frame, locations: tuple[Location, ...]) -> Saved:
        """Copies of locations; what is not there is nothing."""
        found: Saved = []
        for location in locations:
            slot = frame.cells(location)
            if slot is not None:
                found.append((slot, None if slot.a is None else slot.a.copy(order="F")))
        return found

    def bytes_of(self, saved: Saved) -> int:
        return sum(0 if old is None else int(old.nbytes) for _, old in saved)

    def restore(self, saved: Saved) -> None:
        for slot, old in saved:
            if old is not None and slot.a is not None:
                slot.a[...] = old

    def destroy(self, frame: Frame, locations: tuple[Location, ...]) -> None:
        if not self.poison:
            return
        for location in locations:
            slot = frame.cells(location)
            if slot is not None and slot.a is not None:
                undefined(slot.a)


def _destroy_piece(slot: Slot, index: Any) -> None:
    if slot.a is None:
        return
    piece = slot.a[(*index, Ellipsis)]
    if piece.dtype.kind == "f":
        slot.a[(*index, Ellipsis)] = float("nan")
