"""How often loops inside a step run, step by step: what no formula tells (an adaptive grid's rows)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.timeloop.loop_plan import StepPlan


@dataclass(frozen=True)
class InnerLoops:
    """Of a time loop's procedure: the loops in its step, ``lines`` by the node of their test; ``ends``: where that
    leads when a loop is over."""

    lines: Mapping[int, int]
    ends: Mapping[int, int]

    @classmethod
    def of(cls, loop: TimeLoop) -> InnerLoops:
        """Those of one step."""
        found = [one for one in loop.model.flow.loops if one.test in loop.step.nodes]
        return cls({one.test: one.stmt.span.line for one in found}, {one.test: one.end for one in found})


@dataclass(slots=True)
class CountingRun:
    """Plain runs of a step that count; ``trips``: of each loop, by line, its iterations in each step so far."""

    inner: InnerLoops
    trips: dict[int, list[int]] = field(default_factory=dict)

    def step(self, machine: Machine, frame: Frame, loop: TimeLoop, plan: StepPlan) -> None:
        """As :meth:`Machine.stretch` runs a step."""
        counts = dict.fromkeys(self.inner.lines, 0)
        code, node, passed = frame.code, loop.step.enter, 0
        while node != loop.step.leave:
            passed += 1
            if passed > machine.limits.left:
                raise ReplayError("the program does not end within the steps allowed (--max-steps)")
            if node not in plan.running and code.flow.nodes[node].kind != "join":
                following = code.flow.succs[node]
                node = following[0] if len(following) == 1 else plan.level.flat_skip[node]
                continue
            before = node
            if node in code.choose:
                node = code.choose[node](frame.s, frame)
                if before in counts and node != self.inner.ends[before]:
                    counts[before] += 1
                continue
            if node in code.run:
                code.run[node](frame.s, frame)
            elif node in code.binds:
                node = machine.after_call(frame, node, machine.call(frame, node))
                continue
            node = code.flow.succs[node][0]
        for test, times in counts.items():
            self.trips.setdefault(self.inner.lines[test], []).append(times)
