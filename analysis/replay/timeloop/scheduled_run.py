"""The adjoint of a head whose time loop follows a schedule: forward to EndForward, then, when the code behind the loop
has been reversed, the rest of the actions.

Whatever a schedule does not hold is destroyed: before restart data is loaded, and before a step is reversed, all that
the loop overwrites. So a location that is missing from a set is a wrong gradient, not one that happens to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate, zip_longest
from typing import Any

from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.machine.function_results import allocatable
from snapset.analysis.replay.machine.plan_tables import PartPlan, Plans, ProcedurePlan
from snapset.analysis.replay.machine.planned_adjoint import PlanRun
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.saved_copies import CopiedMemory, Saved, limits, pieces_there, restore, save
from snapset.analysis.replay.machine.stack import Stack
from snapset.analysis.replay.machine.trace_entries import TraceEntry
from snapset.analysis.replay.memory.allocations import WaitingAdjoints
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.timeloop.held_checkpoints import Held, LoopMeasure, RecordedIteration, counted
from snapset.analysis.replay.timeloop.inner_trips import CountingRun, InnerLoops
from snapset.analysis.replay.timeloop.loop_plan import LoopPlan, StepPlan
from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import (
    Action,
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Free,
    Load,
    Schedule,
    StorageLevel,
)
from snapset.frontend.base.deep_recursion import deep

Scheduler = Callable[["LoopEntrance"], Iterable[Action]]


@dataclass(slots=True)
class LoopEntry(TraceEntry):
    """The loop in the trace of the code around it."""

    run: LoopRun | None = None
    across: Saved = field(default_factory=list)


class ScheduledRun(PlanRun):
    """Runs the adjoint of a machine's root, its time loop under a schedule. ``scheduler``: the actions, the program
    being at the loop. ``measures``: a measure for each time that the loop was entered."""

    def __init__(self, machine: Machine, plans: Plans, loop: LoopPlan, scheduler: Scheduler, period: int = 1,
                 poison: bool = True) -> None:
        super().__init__(machine, plans, poison)
        self.loop = loop
        self.scheduler = scheduler
        self.period = period
        self.measures: list[LoopMeasure] = []

    def part(self, frame: Frame, plan: ProcedurePlan, part: PartPlan, node: int, trace: list[TraceEntry]) -> int:
        """The loop forward to EndForward; any other part as always."""
        if plan.key != self.loop.loop.key or node != self.loop.loop.node:
            return super().part(frame, plan, part, node, trace)
        around, lower = save(self.stack, frame, self.loop.around)
        across, upper = save(self.stack, frame, self.loop.across)
        run = LoopRun(self, frame)
        trace.append(LoopEntry(node, lower + upper, self.variables(frame, plan, node), part=part, sbk=around,
                               lower=lower, run=run, across=across))
        before = self.stack.steps
        run.begin()
        self.recomputed += self.stack.steps - before
        self.destroy(frame, part.idle, run.pieces)
        return self.loop.loop.whole.after

    def undo(self, frame: Frame, plan: ProcedurePlan, entry: TraceEntry) -> None:
        if not isinstance(entry, LoopEntry):
            super().undo(frame, plan, entry)
            return
        assert entry.part is not None
        assert entry.sbk is not None
        assert entry.run is not None
        entry.run.wait()
        self.lose(frame, entry.part.lost_before, entry.across, entry.run.pieces)
        restore(entry.across)
        for slot, value in entry.variables:
            slot.values[()] = value
        entry.run.finish()
        entry.run.waiting.come_back()
        entry.run.lose(entry.sbk, self.loop.changed)
        self.stack.pop(entry.bytes)
        for slot, value in entry.variables:
            slot.values[()] = value
        self.compute_again(frame, entry.again)


class LoopEntrance:
    """The program at the loop: what a scheduler may ask. One that does not ask for ``steps`` is online."""

    def __init__(self, run: LoopRun) -> None:
        self._run = run
        self.frame = run.frame

    @cached_property
    def steps(self) -> int:
        """How many there will be: counted by one run of the loop, everything put back then."""
        return self._run.counted()

    def more(self, i: int) -> bool:
        """Is step i run? The forward is at state i."""
        return self._run.is_at_step()


class LoopRun:
    """One execution of the loop under a schedule."""

    def __init__(self, run: ScheduledRun, frame: Frame) -> None:
        self.run = run
        self.frame = frame
        self.plan = run.loop
        self.loop = run.loop.loop
        self.measure = LoopMeasure()
        run.measures.append(self.measure)
        self.waiting = WaitingAdjoints(())
        self.pieces = pieces_there(frame, self.plan.pieces)
        self.held: dict[tuple[StorageLevel, int], Held] = {}
        self.work: dict[int, Held] = {}
        self.values: list[Any] = []
        self.at = self.loop.whole.enter
        self.state: int | None = 0
        self.ended = False
        self.base = run.stack.height
        self.actions: Iterator[Action] = iter(())
        self.bytes: dict[StorageLevel, int] = dict.fromkeys(StorageLevel, 0)
        self.number = -1
        self.held_to: Mapping[int, int] = {}
        self.loaded_to: Mapping[int, int] = {}
        self.reach: int | None = None

    # ------------------------------------------------------------ both halves

    def begin(self) -> None:
        """Until EndForward."""
        actions = self.run.scheduler(LoopEntrance(self))
        if isinstance(actions, Schedule):  # of one that is asked step by step nobody knows how far it will be run
            counts = recount(actions, actions.steps)
            self.held_to, self.loaded_to = counts.held, counts.reaches
        self.actions = iter(actions)
        self.at = self.between(self.loop.whole.enter)
        self.perform()
        if self.at != self.loop.whole.leave:
            raise ReplayError("the schedule ends the forward run before the loop does")
        self.measure.steps = -(-len(self.values) // self.run.period)

    def finish(self) -> None:
        """From EndForward to EndReverse."""
        self.base = self.run.stack.height - sum(self.bytes.values())
        self.perform()

    def perform(self) -> None:
        stack, outer = self.run.stack, self.run.stack.peak
        stack.peak = stack.height
        # Other elements are parameters, whatever a part of a step may lose.
        self.run.within.append(limits(self.frame, self.pieces))
        for action in self.actions:
            self.number += 1
            if isinstance(action, EndForward | EndReverse):
                break
            self.act(action)
            self.measure.peak = max(self.measure.peak, stack.peak - self.base)
        self.run.within.pop()
        self.ended = True
        stack.peak = max(outer, stack.peak)

    @deep
    def act(self, action: Action) -> None:
        match action:
            case Advance():
                self.advance(action)
            case Load():
                self.load(action)
            case Free(i, where):
                self.forget(where, self.held.pop((where, i)))
            case Adjoint(j, i):
                for k in reversed(range(i, j)):
                    self.reverse(k)
            case _:
                raise ReplayError(f"{action} is no action of a time loop")

    # ------------------------------------------------------------ actions

    def advance(self, action: Advance) -> None:
        if self.state != action.i:
            raise ReplayError(f"{action}: the forward is not there")
        if action.store is Content.RESTART:
            self.keep_restart(action.i, action.where)
        for k in range(action.i, action.j):
            if action.store is Content.DEPENDENCIES:
                self.record(k, action.where)
            else:
                self.plainly(k)
            self.measure.forward += 1
        self.state = action.j

    def keep_restart(self, i: int, where: StorageLevel) -> None:
        memory = CopiedMemory() if self.plan.shared else None
        if self.ended:
            self.set_counter(i * self.run.period)
        pieces = self.plan.at_restart(self.frame, self.pieces)
        saved = [save(self.run.stack, self.frame, one, pieces, memory)
                 for one in self.plan.restart[:self.behind(i, self.held_to.get(self.number)) + 1]]
        size = sum(size for _, size in saved)
        self.held[where, i] = Held(size, saved)
        self.measure.restart.append(size)
        sums = list(accumulate(size for _, size in saved))
        self.measure.chain = [max(pair) for pair in zip_longest(self.measure.chain, sums, fillvalue=0)]
        self.wrote(where, size)

    def behind(self, i: int, reach: int | None) -> int:
        """The iterations run behind the first of step i, on a way to state ``reach`` (None: many)."""
        period, most = self.run.period, len(self.plan.restart)
        return most if reach is None else min(max((reach - i)*period - 1, 0), most)

    def cut(self, action: Load, held: Held) -> None:
        """Keep of restart data what will be needed of it."""
        kept = held.saved[:self.behind(action.i, self.held_to.get(self.number)) + 1]
        less = sum(size for _, size in held.saved[len(kept):])
        held.saved, held.bytes = kept, held.bytes - less
        self.bytes[action.where] -= less
        self.run.stack.pop(less)

    def plainly(self, k: int) -> None:
        level = self.loop.step
        for number in self.iterations(k):
            step = self.step(number)
            self.run.plainly(partial(self.run.machine.stretch, self.frame, level.enter, level.leave, step.running,
                                     step.level.flat_skip))

    def record(self, k: int, where: StorageLevel) -> None:
        before, traces = self.run.stack.height, list[RecordedIteration]()
        for number in self.iterations(k):
            step = self.step(number)
            trace, pieces = list[TraceEntry](), step.copied(self.frame, self.pieces)
            self.run.forward(self.frame, step.procedure, step.level, trace)
            copies, _ = save(self.run.stack, self.frame, step.at_end, pieces,
                             CopiedMemory() if self.plan.shared else None)
            traces.append(RecordedIteration(number, step, trace, copies))
        held = Held(self.run.stack.height - before, traces=traces)
        if where is StorageLevel.WORK:
            self.work[k] = held
        else:
            self.held[where, k] = held
        self.measure.dependencies.append(held.bytes)
        self.wrote(where, held.bytes)

    def load(self, action: Load) -> None:
        held = self.held[action.where, action.i]
        if not action.keep:
            self.forget(action.where, self.held.pop((action.where, action.i)))
        counted(self.measure.reads, action.where, 1)
        counted(self.measure.read, action.where, held.bytes)
        if held.traces is None:
            self.lose([copy for saved, _ in held.saved for copy in saved])
            self.state, self.reach = action.i, self.loaded_to.get(self.number)
            if action.keep:
                self.cut(action, held)
        else:
            traces = [replace(one, trace=list(one.trace)) for one in held.traces]
            self.run.stack.push(held.bytes)
            self.work[action.i] = Held(held.bytes, traces=traces)
            self.wrote(StorageLevel.WORK, held.bytes)
            self.state = None

    def reverse(self, k: int) -> None:
        """The adjoint of one step, from what it left alone."""
        held, stack = self.work.pop(k), self.run.stack
        below, outer = stack.height - held.bytes, stack.peak
        stack.peak = stack.height
        for one in reversed(held.traces or ()):
            self.lose(one.copies)
            self.waiting.come_back()
            self.set_counter(one.number)
            self.run.backward(self.frame, one.plan.procedure, one.trace)
            self.wait()
        self.measure.peaks.append(stack.peak - below)
        stack.peak = max(outer, stack.peak)
        stack.pop(stack.height - below)
        self.bytes[StorageLevel.WORK] -= held.bytes
        counted(self.measure.reads, StorageLevel.WORK, 1)
        self.state = None

    # ------------------------------------------------------------ steps

    def step(self, number: int) -> StepPlan:
        """How an iteration is run: in the first run, or for what comes behind it on the way from what was loaded."""
        if not self.ended:
            return self.plan.first
        most = len(self.plan.again) - 1
        if self.reach is None:
            return self.plan.again[most]
        return self.plan.again[min(max(min(self.reach*self.run.period, len(self.values)) - number - 1, 0), most)]

    def iterations(self, k: int) -> Iterator[int]:
        """The iterations of a step, the program being at each in turn. In the first run it goes on by itself; a span
        that is run again has its DO variable set."""
        for number in range(k * self.run.period, (k + 1) * self.run.period):
            if self.ended:
                if number >= len(self.values):
                    return
                self.set_counter(number)
                yield number
                continue
            if self.at != self.loop.step.enter:
                if number == k * self.run.period:
                    raise ReplayError("the schedule has more steps than the loop")
                return
            self.values.append(None if self.plan.counter is None else self.frame.s[self.plan.counter].values[()])
            yield number
            self.at = self.between(self.loop.step.after)

    def is_at_step(self) -> bool:  # in the first run
        return self.at == self.loop.step.enter

    def set_counter(self, number: int) -> None:
        if self.plan.counter is not None:
            self.frame.s[self.plan.counter].values[()] = self.values[number]

    def between(self, node: int) -> int:
        """Run what is of the loop but of no step, until there is a step or none more."""
        machine, code, loop = self.run.machine, self.frame.code, self.loop
        succs, passed = code.flow.succs, 0
        while node not in (loop.step.enter, loop.whole.leave):
            passed += 1
            if passed > machine.limits.left:
                raise ReplayError("the program does not end within the steps allowed (--max-steps)")
            if node in code.choose:
                self.run.stack.steps += 1
                node = code.choose[node](self.frame.s, self.frame)
                continue
            if node in code.run:
                self.run.stack.steps += 1
                code.run[node](self.frame.s, self.frame)
            elif node in code.binds:
                node = machine.after_call(self.frame, node, machine.call(self.frame, node))
                continue
            node = succs[node][0]
        return node

    def counted(self) -> int:
        """How many steps there will be: the loop is run once to count them, and everything put back."""
        frame, scratch = self.frame, Stack(1)
        locations = [(one, 0) for one in self.plan.written]
        copies, _ = save(scratch, frame, locations)
        slots = [(slot, slot.a, slot.b, slot.lo) for slot, _, _ in copies]
        counter = None if self.plan.counter is None else self.frame.s[self.plan.counter].values[()]
        steps, level, step = self.run.stack.steps, self.loop.step, self.plan.first
        counting = CountingRun(InnerLoops.of(self.loop))
        node, count = self.between(self.loop.whole.enter), 0
        while node != self.loop.whole.leave:
            counting.step(self.run.machine, frame, self.loop, step)
            node, count = self.between(level.after), count + 1
            if count > self.run.machine.limits.left:
                raise ReplayError("the loop does not end within the steps allowed (--max-steps)")
        for slot, a, b, lo in slots:
            slot.a, slot.b, slot.lo = a, b, lo
        restore(copies)
        if self.plan.counter is not None:
            self.frame.s[self.plan.counter].values[()] = counter
        self.run.stack.steps = steps
        self.measure.trips = counting.trips
        return -(-count // self.run.period)

    def wait(self) -> None:
        """The adjoints of what is allocated here, which stay while steps before are run again."""
        self.waiting = WaitingAdjoints(allocatable(self.frame) if self.run.machine.allocates else ())

    def lose(self, saved: Saved, locations: tuple[Location, ...] | None = None) -> None:
        """Poison all that the loop overwrites, and put back what was saved of it."""
        self.run.lose(self.frame, self.plan.lost if locations is None else locations, saved, self.pieces)
        restore(saved)

    def wrote(self, where: StorageLevel, size: int) -> None:
        measure = self.measure
        counted(measure.writes, where, 1)
        counted(measure.written, where, size)
        self.bytes[where] += size
        held = self.bytes[StorageLevel.MEMORY] + self.bytes[StorageLevel.DISK]
        measure.checkpoints = max(measure.checkpoints, held)

    def forget(self, where: StorageLevel, held: Held) -> None:
        self.bytes[where] -= held.bytes
        self.run.stack.pop(held.bytes)
