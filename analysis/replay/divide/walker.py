"""A run that can stop at any step: it walks nodes, and its control stack is data.

The stack of a run that is inside ``call g`` of f is [f at its call, g at a node]. Between two steps the top stands at a
node that costs a step; joins, and the ends of procedures, are passed at once.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Protocol

from snapset.analysis.replay.codegen.elemental_calls import runs
from snapset.analysis.replay.divide.loop_functions import NO_LOOPS, LoopFunctions, loop_functions
from snapset.analysis.replay.divide.step_costs import Costs
from snapset.analysis.replay.divide.tape_counter import Recording, TapeCounter
from snapset.analysis.replay.machine.primal import CALLS, Machine
from snapset.analysis.replay.machine.stack import FAILURES, stopped
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError

PATIENT = 1000  # nodes between two looks at how many there were


@dataclass(slots=True)
class Activation:
    """One run of a procedure that has begun and not ended.

    ``node``: what runs next, or the call that runs, with its ``actuals``, and which of an elemental call's runs that is
    (``element``). ``entered``: the step it began at, which tells it from other runs of the same procedure.
    """

    frame: Frame
    node: int
    entered: int
    actuals: Bound | None = None
    element: int = 0

    @property
    def key(self) -> str:
        return str(self.frame.code.procedure.key)

    @property
    def running_loops(self) -> tuple[int, ...]:
        """The numbers of the loops that it is in, or is about to test."""
        flow = self.frame.code.flow
        return (*flow.nodes[self.node].loops, *(loop.index for loop in flow.loops if loop.test == self.node))


class Recorder(Protocol):
    """Is shown what runs."""

    def statement(self, frame: Frame, node: int) -> None:
        """A statement that is about to run."""
        ...

    def call(self, frame: Frame, node: int) -> Bound:
        """A call that is about to run; its actual arguments."""
        ...


class Walker:
    """A run from wherever it is. ``at``: the steps run since the program's start. ``before``: where the statement that
    reached the last stop began (-1: none did, or it is in a FORALL). ``nodes``: statements, tests and calls that this
    walker has run, which tell an endless program. Loops without calls, each node of which is one step, run as
    functions as far as the stop allows (:class:`LoopFunctions`), unless somebody is shown what runs, and does more than
    to count bytes, or to record."""

    def __init__(self, machine: Machine, costs: Costs, stack: list[Activation], at: int = 0) -> None:
        self.machine = machine
        self.costs = costs
        self.loops = loop_functions(machine, costs)
        self.taping = loop_functions(machine, costs, "taping")
        self.recording = loop_functions(machine, costs, "recording")
        self.stack = stack
        self.at = at
        self.before = -1
        self.nodes = 0
        self.finished = False

    @classmethod
    def of(cls, machine: Machine, costs: Costs, frame: Frame) -> Walker:
        """A run of the root, entered."""
        found = cls(machine, costs, [Activation(frame, frame.code.flow.entry, 0)])
        found.run(0)
        return found

    def run(self, stop: int | None, recorder: Recorder | None = None) -> None:
        """Run until ``stop`` steps have been run since the start, or the first point behind where a stop is possible
        (a FORALL, and an array statement, are not stopped in their middle); None: to the end.

        Raises:
            ReplayError: the program went wrong; its ``span`` says where.
        """
        limit = sys.maxsize if stop is None else stop
        while not self.finished:
            if self.nodes > self.machine.limits.left:
                raise stopped(ReplayError("the program does not end within the steps allowed (--max-steps)"),
                              self.stack[-1].frame.code.flow.nodes[self.stack[-1].node].span)
            top = self.stack[-1]
            try:
                if not self._in(top, limit, recorder):
                    return
            except FAILURES as error:
                raise stopped(error, top.frame.code.flow.nodes[top.node].span, top.frame) from error

    def _in(self, top: Activation, limit: int, recorder: Recorder | None) -> bool:
        """Run the procedure at the top until it calls, ends, has run a thousand nodes (True), or is to stop (False)."""
        frame, node = top.frame, top.node
        code, s, flow = frame.code, frame.s, frame.code.flow
        run, choose, binds, succs, leave = code.run, code.choose, code.binds, flow.succs, flow.exit
        costs, patience = self.costs[code.procedure.key], PATIENT
        loops = self._functions(code.procedure.key, recorder)
        begun_at = loops.loops
        try:
            while node != leave:
                if node in begun_at:
                    room = min(limit - self.at, self.machine.limits.left - self.nodes)
                    store = recorder.store if isinstance(recorder, Recording) else None
                    count, taped, node = loops.run(node, frame, room, store)
                    if count:
                        if isinstance(recorder, TapeCounter):
                            recorder.bytes += taped
                        elif store is not None:
                            store.recorded(count, taped)
                        self.at += count
                        self.nodes += count
                        return True
                chooses = node in choose
                if not chooses and node not in run and node not in binds:
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
                if chooses:
                    node = choose[node](s, frame)
                elif node in run:
                    if recorder is not None:
                        recorder.statement(frame, node)
                    run[node](s, frame)
                    node = succs[node][0]
                else:
                    self.at += cost
                    top.node = node
                    self._call(top, binds[node](s, frame) if recorder is None else recorder.call(frame, node))
                    return True
                self.at += cost
        finally:
            self.nodes += PATIENT - patience
            if top.actuals is None:
                top.node = node
        self._return()
        return True

    def _functions(self, key: str, recorder: Recorder | None) -> LoopFunctions:
        """The loops that may run as functions: none where somebody is shown each statement."""
        if recorder is None:
            return self.loops[key]
        if isinstance(recorder, Recording):
            return self.recording[key]
        return self.taping[key] if isinstance(recorder, TapeCounter) else NO_LOOPS

    def can_stop(self) -> bool:
        """May the run be interrupted here? Not inside a FORALL, whose assignments wait for its end."""
        for one in self.stack:
            forall = one.frame.code.foralls.get(one.node)
            if forall is not None and one.node != forall.init:
                return False
        return True

    def _call(self, top: Activation, actuals: Bound) -> None:
        if len(self.stack) > self.machine.limits.calls:
            raise ReplayError(f"over {CALLS} calls are within each other: the program calls itself without end?")
        top.actuals, top.element = actuals, 0
        if not runs(actuals):
            self._behind(top, 0)
            return
        self._enter(top)

    def _enter(self, top: Activation) -> None:
        assert top.actuals is not None
        inner = self.machine.called(top.frame, runs(top.actuals)[top.element])
        self.stack.append(Activation(inner, inner.code.flow.entry, self.at))

    def _behind(self, top: Activation, alternate: int) -> None:
        top.node = self.machine.after_call(top.frame, top.node, alternate)
        top.actuals, top.element = None, 0

    def _return(self) -> None:
        """The procedure at the top has ended."""
        if len(self.stack) == 1:
            self.finished = True
            return
        ended, top = self.stack.pop(), self.stack[-1]
        assert top.actuals is not None
        top.element += 1
        if top.element < len(runs(top.actuals)):
            self._enter(top)
        else:
            self._behind(top, ended.frame.alternate)
