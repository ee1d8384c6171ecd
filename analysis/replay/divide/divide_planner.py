"""The tree of a divided run with its bytes, from plain runs alone.

The first run counts the steps, and where array statements or FORALLs are in the way of stops, it tells all stretches
that are not cut: the tree follows from that. Two more take the sizes of all capsules, and what the leaves will tape.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import StoppingRule
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.divide.tree import CheckpointTree, TreeRecorder
from snapset.analysis.replay.divide.capsule import control_bytes, control_of, live_bytes
from snapset.analysis.replay.divide.capsule_liveness import Control
from snapset.analysis.replay.divide.divide_results import CapsuleSize, DividePlan
from snapset.analysis.replay.divide.divided_run import DividedMachine
from snapset.analysis.replay.divide.memory_image import image_of
from snapset.analysis.replay.divide.walker import Walker
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Slot

MOST_STRETCHES = 4_000_000  # of 24 bytes each; of a run with more the stops are looked for as they are wanted


@dataclass(slots=True)
class UncutStretches:
    """Where a run cannot be stopped: `b(2:9) = c(2:9)` at step 20 is the stretch from 20 to 28, and a run that is to
    stop at 25 stops at 28, or before the end of an interval that ends there, at 20.

    ``begins``, ``ends``: of each, in order, as steps; ``before``: where the run stops that must not come to the end, -1
    in a FORALL. ``steps``: of the run (0: every statement is one step, and nothing had to run to tell).
    """

    begins: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    before: array[int] = field(default_factory=lambda: array("q"))
    steps: int = 0

    @property
    def complete(self) -> bool:
        return len(self.ends) < MOST_STRETCHES

    def note(self, begin: int, end: int, cut: bool) -> None:
        """A statement from a step to another. ``cut``: the run can stop before it; else it goes on with the stretch
        before."""
        if not cut:
            self.ends[-1], self.before[-1] = end, -1
        elif self.complete:
            self.begins.append(begin)
            self.ends.append(end)
            self.before.append(begin)

    def stop(self, point: int) -> tuple[int, int]:
        """Where a run stops that is to stop at a step, and where it does that must not come so far."""
        k = bisect_left(self.ends, point)
        inside = k < len(self.ends) and self.begins[k] < point < self.ends[k]
        return (self.ends[k], self.before[k]) if inside else (point, point - 1)

    @classmethod
    def of(cls, machine: DividedMachine) -> UncutStretches:
        """Of a run to its end; without one where every statement is one step."""
        found, codes = cls(), machine.machine.codes
        foralls = any(code.foralls for code in codes.values())
        if not foralls and not any(machine.costs.values()):
            return found
        walker = machine.begun()
        walker.costs = {key: {node: partial(found.met, walker, node, machine.costs[key].get(node), foralls)
                              for node in {*machine.costs[key], *code.foralls}} for key, code in codes.items()}
        machine.go(walker, None)
        found.steps = walker.at
        return found

    def met(self, walker: Walker, node: int, cost: Callable[..., int] | None, foralls: bool, s: list[Slot],
            frame: Frame) -> int:
        """The steps of a node that is about to run. ``cost``: what tells them (None: one); ``foralls``: there are
        any."""
        steps = 1 if cost is None else cost(s, frame)
        if foralls:
            walker.stack[-1].node = node
            if node in frame.code.foralls or not walker.can_stop():
                self.note(walker.at, walker.at + steps, walker.can_stop())
                return steps
        if steps > 1:
            self.note(walker.at, walker.at + steps, True)
        return steps


class _KnownStops:
    """A program of steps whose stops are known, or asked for. ``stop``: where a run stops that is to stop at a step, as
    :meth:`UncutStretches.stop`; None: nobody knows."""

    def __init__(self, stop: Callable[[int], tuple[int, int] | None]) -> None:
        self.stop = stop
        self.wanted: set[int] = set()

    def interrupt(self, capsule: int, steps: int, most: int) -> tuple[int, int]:
        known = self.stop(capsule + steps)
        if known is None:
            self.wanted.add(capsule + steps)
            return capsule + steps, steps
        at, before = known
        if at >= capsule + most:
            at = before
        return at, max(0, at - capsule)

    def resume(self, capsule: int) -> None:
        return None

    def adjoint(self, capsule: int, steps: int, adjoint: int) -> int:
        return capsule


class DividePlanner:
    """Plans for one head on one input. ``steps``: PRIMOPS. What runs have found is kept: the bytes taped up to a step,
    the bytes of a capsule for an interval, samples of both; a plan of points that are known runs nothing."""

    def __init__(self, machine: DividedMachine, driver: str = "binary") -> None:
        self.machine = machine
        self.driver = driver
        self.stops: dict[int, tuple[int, int]] = {}
        self.controls: dict[int, Control] = {}
        self.taped: dict[int, int] = {}
        self.held: dict[tuple[int, int], int] = {}
        self.profiles: dict[int, tuple[tuple[int, int, int], ...]] = {}

    @cached_property
    def steps(self) -> int:
        return self.stretches.steps or self.machine.steps()

    @cached_property
    def stretches(self) -> UncutStretches:
        return UncutStretches.of(self.machine)

    def stop(self, point: int) -> tuple[int, int] | None:
        """Where a run stops that is to stop at a step; None: that has to be looked for."""
        return self.stretches.stop(point) if self.stretches.complete else self.stops.get(point)

    def tree(self, rule: StoppingRule, mid: str) -> CheckpointTree:
        """The tree that the driver will make."""
        return self.trees((rule,), mid)[0]

    def trees(self, rules: Sequence[StoppingRule], mid: str) -> list[CheckpointTree]:
        """Of several rules: runs look for the stops of all of them at once."""
        found, missing = dict[StoppingRule, CheckpointTree](), set(rules)
        while missing:
            wanted = set[int]()
            for rule in missing:
                program, recorder = _KnownStops(self.stop), TreeRecorder()
                DRIVERS[self.driver](program, 0, self.steps, rule, MIDS[mid], self.steps, recorder)
                wanted |= program.wanted
                if not program.wanted:
                    found[rule] = recorder.tree(self.steps)
            missing -= found.keys()
            if wanted:
                self._look(wanted)
        return [found[rule] for rule in rules]

    def _look(self, points: Iterable[int]) -> None:
        """Where a run stops that is to stop at each of some points, and in which control."""
        walker = self.machine.begun()
        for point in sorted(points):
            self.machine.go(walker, point)
            self.stops[point] = walker.at, walker.before
            self.stops.setdefault(walker.at, (walker.at, walker.before))
            self.controls[walker.at] = control_of(walker.stack)

    def _know(self, points: Iterable[int]) -> None:
        """The control at points where a run can stop."""
        missing = [at for at in points if at not in self.controls and at < self.steps]
        if missing:
            self._look(missing)

    def plan(self, rule: StoppingRule, mid: str) -> DividePlan:
        """The tree with the bytes of its capsules and tapes."""
        tree = self.tree(rule, mid)
        ends = {split.kappa: split.phi for split in tree.splits}
        points = sorted({0, *ends, *(leaf.phi for leaf in tree.leaves)} - {self.steps})
        self._know(points)
        sizes = dict[int, CapsuleSize]()
        walker, counter = self.machine.counting_walker()
        with np.errstate(all="ignore"):
            for at in points:
                walker.run(at, counter.recorder)
                self.taped[at] = counter.bytes
                if at == 0 or at in ends:
                    sizes[at] = self.size(walker, self.controls.get(ends.get(at, self.steps)))
            walker.run(None, counter.recorder)
        self.taped[self.steps] = counter.bytes
        return DividePlan(mid, rule, tree, sizes[0], {at: sizes[at] for at in ends},
                          tuple(self.taped[leaf.phi] - self.taped[leaf.sigma] for leaf in tree.leaves))

    def weigh(self, intervals: Iterable[tuple[int, int]], points: Iterable[int]) -> None:
        """Find ``held`` of some intervals, from a step to another, and ``taped`` up to some steps, by one run."""
        wanted = dict[int, list[int]]()
        for at, end in set(intervals) - self.held.keys():
            wanted.setdefault(at, []).append(end)
        left = sorted((set(points) - self.taped.keys()) | wanted.keys())
        if not left:
            return
        self._know({*wanted, *(end for ends in wanted.values() for end in ends)})
        walker, counter = self.machine.counting_walker()
        with np.errstate(all="ignore"):
            for at in left:
                walker.run(None if at >= self.steps else at, counter.recorder)
                self.taped[at] = counter.bytes
                for end in wanted.get(at, ()):
                    self.held[at, end] = self.bytes(walker, self.controls.get(end))

    def bytes(self, walker: Walker, end: Control | None) -> int:
        """Of a capsule of a run where it is."""
        control = control_of(walker.stack)
        live = self.machine.alive(walker, control, end if self.machine.shrinking else None)
        return control_bytes(walker) + live_bytes(walker, *live)

    def size(self, walker: Walker, end: Control | None) -> CapsuleSize:
        """The bytes of a capsule of a run where it is, with what they are of."""
        machine, control = self.machine, control_of(walker.stack)
        end = end if machine.shrinking else None
        ways = [machine.alive(walker, control, until) for until in ((end, None) if end is not None else (None,))]
        held = control_bytes(walker)
        data = [live_bytes(walker, *live) for live in ways]
        top = walker.stack[-1]
        span = top.frame.code.flow.nodes[top.node].span
        names = machine.liveness.names(control[-1].key, ways[0][0][-1])
        return CapsuleSize(walker.at, data[0], held, data[-1], image_of(walker.stack)[0].state_bytes,
                           f"{span.file}:{span.line}", len(control), names)

    def profile(self, samples: int) -> tuple[tuple[int, int, int], ...]:
        """At even points of the run: the step, what is taped so far, a capsule's bytes there."""
        if samples not in self.profiles:
            self.profiles[samples] = tuple(self._profile(samples))
        return self.profiles[samples]

    def _profile(self, samples: int) -> Iterator[tuple[int, int, int]]:
        walker, counter = self.machine.counting_walker()
        with np.errstate(all="ignore"):
            for number in range(samples + 1):
                walker.run(number * self.steps // samples, counter.recorder)
                yield walker.at, counter.bytes, self.bytes(walker, None)
