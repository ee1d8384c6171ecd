"""The tree of a divided run with its bytes, from plain runs alone.

The first run counts the steps. Where every step can be stopped at, the tree follows from that; where an array
statement or a FORALL is in the way, a run tells where the next stop is, and the tree is made again. Another run takes
the sizes of all capsules, and what the leaves will tape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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


class _KnownStops:
    """A program of steps whose stops are known, or asked for."""

    def __init__(self, stops: dict[int, tuple[int, int]]) -> None:
        self.stops = stops
        self.wanted: set[int] = set()

    def interrupt(self, capsule: int, steps: int, most: int) -> tuple[int, int]:
        at, before = self.stops.get(capsule + steps, (-1, -1))
        if at < 0:
            self.wanted.add(capsule + steps)
            return capsule + steps, steps
        if at >= capsule + most:
            at = before
        return at, max(0, at - capsule)

    def resume(self, capsule: int) -> None:
        return None

    def adjoint(self, capsule: int, steps: int, adjoint: int) -> int:
        return capsule


class DividePlanner:
    """Plans for one head on one input. ``steps``: PRIMOPS. What runs have found is kept: the bytes taped up to a step,
    the bytes of a capsule for an interval; a plan of points that are known runs nothing."""

    def __init__(self, machine: DividedMachine, driver: str = "binary") -> None:
        self.machine = machine
        self.driver = driver
        self.steps = machine.steps()
        self.stops: dict[int, tuple[int, int]] = {}
        self.controls: dict[int, Control] = {}
        self.taped: dict[int, int] = {}
        self.held: dict[tuple[int, int], int] = {}

    def tree(self, rule: StoppingRule, mid: str) -> CheckpointTree:
        """The tree that the driver will make."""
        return self.trees((rule,), mid)[0]

    def trees(self, rules: Sequence[StoppingRule], mid: str) -> list[CheckpointTree]:
        """Of several rules: runs look for the stops of all of them at once."""
        found, missing = dict[StoppingRule, CheckpointTree](), set(rules)
        while missing:
            wanted = set[int]()
            for rule in missing:
                program, recorder = _KnownStops(self.stops), TreeRecorder()
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

    def profile(self, samples: int) -> Iterator[tuple[int, int, int]]:
        """At even points of the run: the step, what is taped so far, a capsule's bytes there."""
        walker, counter = self.machine.counting_walker()
        with np.errstate(all="ignore"):
            for number in range(samples + 1):
                walker.run(number * self.steps // samples, counter.recorder)
                yield walker.at, counter.bytes, self.bytes(walker, None)
