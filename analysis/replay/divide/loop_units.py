"""Beside divisions at any step: the usual binomial schedule over the iterations of one loop, of the head's procedure or
of one that it calls (then over those of all its runs, one after the other).

An iteration is a unit, however long it is: capsules are taken between iterations, a leaf is one iteration, taped whole.
"""

from __future__ import annotations

import numpy as np
from snapset.analysis.replay.divide.capsule import Capsule
from snapset.analysis.replay.divide.divided_run import DividedMachine, StateAdjoint
from snapset.analysis.replay.divide.walker import Walker
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.frames import Bound, Frame
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.cfg.graph import Loop


class _Iterations:
    """Notes the steps at which the iterations of a loop end."""

    def __init__(self, walker: Walker, place: tuple[str, Loop]) -> None:
        self.walker = walker
        self.procedure, self.node = place[0], place[1].step
        self.ends: list[int] = []

    def statement(self, frame: Frame, node: int) -> None:
        if node == self.node and frame.code.procedure.key == self.procedure:
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
        ends = _Iterations(walker, _loop_at(machine.machine, line))
        with np.errstate(all="ignore"):
            walker.run(None, ends)
        if not ends.ends:
            raise InputError(f"--loop {line}: the run on these inputs does not come to the loop; choose others with "
                             "--set")
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


def _loop_at(machine: Machine, line: int) -> tuple[str, Loop]:
    """Of the head's procedure, if one begins there, else of the first that has one, and the key of that procedure.

    Raises:
        InputError: a line without a DO that counts, with those there are.
    """
    keys = [machine.root, *(key for key in machine.codes if key != machine.root)]
    loops = {key: {loop.stmt.span.line: loop for loop in machine.codes[key].flow.loops if loop.step >= 0}
             for key in keys}
    for key, lines in loops.items():
        if line in lines:
            return key, lines[line]
    there = "; ".join(f"{machine.codes[key].procedure.name}: {', '.join(map(str, sorted(lines)))}"
                      for key, lines in loops.items() if lines)
    known = f"such begin at {there}" if there else "the program has none"
    raise InputError(f"--loop {line}: no DO that counts begins there; {known}")
