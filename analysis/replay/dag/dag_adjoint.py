"""The adjoint of a program where sections get their values from S, U and recomputation.

Everything but flattened sections runs as under a plan (:mod:`snapset.analysis.replay.machine.planned_adjoint`), S
being what is taped.
A section runs forward statement by statement, saving at the places of S and keeping the vertices of U; backwards it
is undone at once (:mod:`snapset.analysis.replay.dag.section_code`). With poison, whatever is overwritten at a place
that does not save is destroyed when that is undone. Every required value that is found again is compared bit by bit
with the one it had in the forward sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from snapset.analysis.replay.codegen.forall import at_once, gathered
from snapset.analysis.replay.dag.section_code import SectionCode
from snapset.analysis.replay.dag.section_plans import DagPlans, WholePlan
from snapset.analysis.replay.machine.plan_tables import NOT_TAPED, LevelPlan, PartPlan, ProcedurePlan
from snapset.analysis.replay.machine.planned_adjoint import PlanRun
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.reevaluated_branches import ReevaluatedBranch, decide_again
from snapset.analysis.replay.machine.saved_copies import WHOLE, restore
from snapset.analysis.replay.machine.stack import FAILURES, stopped
from snapset.analysis.replay.machine.trace_entries import TraceEntry
from snapset.analysis.replay.memory.frames import Frame, undefined
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError, Slot


@dataclass(slots=True)
class _Held:
    """A required location as it was: ``old`` to compare with; ``stored``: it is in U, so that it is put there.
    ``passed``: it is read behind a call's adjoint too."""

    vertex: str
    slot: Slot
    old: Array | None
    stored: bool
    passed: bool


@dataclass(slots=True)
class _Section:
    """A run of a section to be undone. ``saved`` by write, ``spots``: where each write went; ``expected``: the
    required values."""

    node: int
    code: SectionCode
    bytes: int
    variables: list[tuple[Slot, Any]]
    stored: tuple[Any, ...]
    expected: tuple[Any, ...]
    saved: list[Any]
    spots: list[tuple[Slot, Any]]
    derivative: None = None


class DagRun(PlanRun):
    """Runs the adjoint of a machine's root under choices of S and U.

    ``compared``: how many required values were found again; ``lost``: the vertices, and statements, of those that
    were not what they had been.
    """

    def __init__(self, machine: Machine, plans: DagPlans, poison: bool = True) -> None:
        super().__init__(machine, plans.plans, poison)
        self.dag = plans
        self.compared = 0
        self.lost: dict[str, int] = {}
        self.awaiting: list[list[_Held]] = []
        self.met = -1  # the node where it has just been seen to what is required there

    # ------------------------------------------------------------ forward sweep

    def step(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[Any]) -> int:
        """One node of a forward sweep, or a whole section; the node after it."""
        code = self.dag.sections.get((plan.key, node))
        if code is not None:
            return self.section(frame, plan, level, code, trace)
        met, self.met = self.met == node, -1
        wholes = self.dag.wholes.get((plan.key, node), ()) if not met else ()
        held, size = self.copies(frame, wholes)
        before = len(trace)
        following = super().step(frame, plan, level, node, trace)
        if len(trace) > before and held:
            trace[-1].held = held
            trace[-1].bytes += size
        return following

    def meeting(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, node: int, trace: list[TraceEntry],
                pending: dict[int, ReevaluatedBranch]) -> None:
        """What is decided again needs what is required here."""
        before = len(trace)
        super().meeting(frame, plan, level, node, trace, pending)
        if len(trace) > before:
            held, trace[-1].bytes = self.copies(frame, self.dag.wholes.get((plan.key, node), ()))
            for entry in trace[before:]:
                entry.held = held
            self.met = node

    def copies(self, frame: Frame, wholes: Sequence[WholePlan]) -> tuple[list[_Held], int]:
        """Copies of the required locations; those of U are pushed, and their bytes."""
        found: list[_Held] = []
        size = 0
        for one in wholes:
            for slot in () if one.intact else frame.pieces(one.location):
                old = None if slot.a is None else slot.a.copy(order="F")
                found.append(_Held(one.vertex, slot, old, one.row is not None, one.passed))
                if one.row is not None and old is not None:
                    self.stack.push(old.nbytes, one.row)
                    size += old.nbytes
        return found, size

    def section(self, frame: Frame, plan: ProcedurePlan, level: LevelPlan, code: SectionCode,
                trace: list[Any]) -> int:
        flow, s, first = frame.code.flow, frame.s, code.flat.nodes[0]
        stored, expected, given = code.forward(s)
        size = 0
        for vertex, value, row in zip(code.chosen.stored, stored, self.dag.rows[plan.key, first], strict=True):
            count = 1 if vertex in code.narrow else np.asarray(value).nbytes
            self.stack.push(count, row)
            size += count
        entry = _Section(first, code, 0, self.variables(frame, plan, first), stored, expected, [], [])
        trace.append(entry)
        for write, value in zip(code.chosen.writes, given, strict=True):
            self.statements += 1
            self.stack.steps += 1
            if self.statements > self.machine.limits.left:
                raise ReplayError("the program does not end within the steps allowed (--max-steps)")
            ((slot, index), *_) = frame.code.spots[write.node](s, frame)  # then its allocation
            old = slot.values[index]
            entry.spots.append((slot, index))
            entry.saved.append(old if write.saves else None)
            if write.saves:
                row = level.taped[write.node][0]
                assert row != NOT_TAPED
                self.stack.push(old.nbytes, row)
                size += old.nbytes
            frame.code.run[write.node](s, frame)
            self.compare(write.vertex, slot.values[index], np.asarray(value).astype(slot.values.dtype)[()])
        entry.bytes = size
        following: int = flow.succs[code.flat.nodes[-1]][0]
        return following

    # ------------------------------------------------------------ backward sweep

    def backward(self, frame: Frame, plan: ProcedurePlan, trace: list[Any]) -> None:
        while trace:
            entry = trace.pop()
            try:
                forall = frame.code.foralls.get(entry.node)
                if forall is None:
                    self.undo(frame, plan, entry)
                    continue
                entries = gathered(entry, trace, forall)
                held = [one for e in entries for one in e.held or ()]
                lent: list[tuple[Slot, Array | None]] = []

                def restore(one: Any, last: Any = entries[-1], held: list[_Held] = held,
                            lent: list[tuple[Slot, Array | None]] = lent) -> None:
                    self.take_back(frame, one)
                    if one is last:  # nothing is assigned before all is computed, so these are the values of all
                        lent += self.lend(held)

                self.stack.steps += at_once(frame, entries, forall, restore)
                self.give_back(lent)
            except FAILURES as error:
                raise stopped(error, frame.code.flow.nodes[entry.node].span, frame) from error

    def undo(self, frame: Frame, plan: ProcedurePlan, entry: Any) -> None:
        """Take back one node or section of the forward sweep, and run its derivative."""
        if isinstance(entry, _Section):
            self.section_backward(frame, entry)
            return
        if entry.held is None or entry.part is not None:
            super().undo(frame, plan, entry)
            return
        self.take_back(frame, entry)
        lent: list[tuple[Slot, Array | None]] = []

        def lend() -> None:
            lent.extend(self.lend(entry.held))

        in_old_memory = entry.node in frame.code.growing and entry.derivative is not None
        if not in_old_memory:
            lend()
        if entry.decided is not None:
            decide_again(frame, entry.decided)
        self.differentiate(frame, entry, lend if in_old_memory else None)
        self.give_back(lent)
        if entry.undo is not None:
            entry.undo.restore_states()

    def lend(self, held: Iterable[_Held]) -> list[tuple[Slot, Array | None]]:
        """Put U's locations where they belong, and compare all required ones; what was there instead."""
        lent: list[tuple[Slot, Array | None]] = []
        for one in held:
            if one.stored and one.slot.a is not None and one.old is not None:
                lent.append((one.slot, one.slot.a.copy(order="F")))
                one.slot.a[...] = one.old
        for one in held:
            self.compare(one.vertex, one.slot.a, one.old)
        return lent

    def give_back(self, lent: Iterable[tuple[Slot, Array | None]]) -> None:
        """Nothing may come to rely on what was only lent."""
        if self.poison:
            restore([(slot, WHOLE, old) for slot, old in reversed(list(lent))])

    def part_backward(self, frame: Frame, plan: ProcedurePlan, entry: Any, part: PartPlan) -> None:
        held = entry.held or []
        self.awaiting.append(held)
        slots = [slot for one in self.dag.lent.get((plan.key, entry.node), ()) for slot in frame.pieces(one)]
        before = [(slot, slot.a.copy(order="F")) for slot in slots if slot.a is not None]
        super().part_backward(frame, plan, entry, part)
        for one in held:
            if one.passed:
                self.compare(one.vertex, one.slot.a, one.old)
        self.give_back(before)

    def adjoint(self, frame: Frame, plan: ProcedurePlan, level: int, turn: Callable[[], None] | None = None) -> None:
        """Both sweeps over one level; what a part's adjoint reads is compared first."""
        if self.awaiting:
            for one in self.awaiting.pop():
                self.compare(one.vertex, one.slot.a, one.old)
        super().adjoint(frame, plan, level, turn)

    def section_backward(self, frame: Frame, entry: _Section) -> None:
        """Undo a section: its values, its adjoint, its memory."""
        code = entry.code
        for slot, value in entry.variables:
            slot.values[()] = value
        found, back = code.backward(frame.s, entry.stored, entry.saved)
        self.stack.steps += 1
        for vertex, now, then in zip(code.required, found, entry.expected, strict=True):
            self.compare(vertex, now, then)
        places = iter(back)
        for number in code.chosen.firsts:
            slot, index = entry.spots[number]
            if code.chosen.writes[number].saves:
                again, at = next(places)
                self.compared += 1
                if again.values is not slot.values or at != index:
                    self.note(f"the address of {code.chosen.writes[number].vertex}")
                again.values[at] = entry.saved[number]
            elif self.poison:
                undefined(slot.values[(*index, ...)])
        self.stack.pop(entry.bytes)

    # ------------------------------------------------------------ comparing

    def compare(self, vertex: str, now: Any, then: Any) -> None:
        """Note a value that is not what it was, bit for bit."""
        self.compared += 1
        if now is None or then is None:
            same = now is then
        else:
            a, b = np.asarray(now), np.asarray(then)
            same = a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        if not same:
            self.note(vertex)

    def note(self, what: str) -> None:
        self.lost[what] = self.lost.get(what, 0) + 1
