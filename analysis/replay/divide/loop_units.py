"""Beside divisions at any step: the usual binomial schedule over the iterations of one loop of the head's procedure.

An iteration is a unit, however long it is: capsules are taken between iterations, a leaf is one iteration, taped whole.
"""

from __future__ import annotations

import numpy as np
from snapset.analysis.replay.divide.capsule import Capsule
from snapset.analysis.replay.divide.divided_run import DividedMachine, StateAdjoint
from snapset.analysis.replay.divide.walker import Walker
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.cfg.graph import FlowGraph, Loop


class _Iterations:
    """Notes the steps at which the iterations of a loop end."""

    def __init__(self, walker: Walker, root: Frame, node: int) -> None:
        self.walker = walker
        self.root = root
        self.node = node
        self.ends: list[int] = []

    def statement(self, frame: Frame, node: int) -> None:
        if node == self.node and frame is self.root:
            self.ends.append(self.walker.at)

    def call(self, frame: Frame, node: int) -> Bound:
        found: Bound = frame.code.binds[node](frame.s, frame)
        return found


class LoopUnits:
    """A program whose steps are the iterations of a loop; what is before it belongs to the first one, what is behind it
    to the last one. ``marks``: the machine's steps at which they begin, and the end."""

    def __init__(self, machine: DividedMachine, line: int) -> None:
        self.machine = machine
        walker = machine.begun()
        root = walker.stack[0].frame
        loop = _loop_at(root, line)
        ends = _Iterations(walker, root, loop.step)
        with np.errstate(all="ignore"):
            walker.run(None, ends)
        self.marks = (0, *ends.ends[:-1], walker.at)
        self._unit = {at: unit for unit, at in enumerate(self.marks)}

    @property
    def iterations(self) -> int:
        return len(self.marks) - 1

    def interrupt(self, capsule: Capsule, steps: int, most: int) -> tuple[Capsule, int]:
        begin = self._unit[capsule.at]
        found, run = self.machine.interrupt(capsule, self.marks[begin + steps] - capsule.at,
                                            self.marks[begin + most] - capsule.at)
        return found, self._unit[capsule.at + run] - begin

    def resume(self, capsule: Capsule) -> Frame:
        return self.machine.resume(capsule)

    def adjoint(self, capsule: Capsule, steps: int, adjoint: StateAdjoint) -> StateAdjoint:
        begin = self._unit[capsule.at]
        return self.machine.adjoint(capsule, self.marks[begin + steps] - capsule.at, adjoint)


def _loop_at(root: Frame, line: int) -> Loop:
    """Raises InputError for a line without a DO that counts, with those there are."""
    flow: FlowGraph = root.code.flow
    loops = {loop.stmt.span.line: loop for loop in flow.loops if loop.step >= 0}
    if line not in loops:
        known = f"those of {root.code.procedure.name} begin at {', '.join(map(str, sorted(loops)))}" if loops else \
            f"{root.code.procedure.name} has none"
        raise InputError(f"--loop {line}: no DO of the head's procedure begins there; {known}")
    return loops[line]
