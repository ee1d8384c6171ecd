"""The tree of a divided run with its bytes, from plain runs alone.

The first run counts the steps. Where every step can be stopped at, the tree follows from that; where an array
statement or a FORALL is in the way, a run tells where the next stop is, and the tree is made again. Another run takes
the sizes of all capsules, and what the leaves will tape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import StoppingRule
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.divide.tree import CheckpointTree, TreeRecorder
from snapset.analysis.replay.divide.capsule import control_of, take
from snapset.analysis.replay.divide.capsule_liveness import Control
from snapset.analysis.replay.divide.divide_results import CapsuleSize, DividePlan
from snapset.analysis.replay.divide.divided_run import DividedMachine
from snapset.analysis.replay.divide.tape_counter import TapeCounter
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
    """Plans for one head on one input. ``steps``: PRIMOPS."""

    def __init__(self, machine: DividedMachine, driver: str = "binary") -> None:
        self.machine = machine
        self.driver = driver
        self.steps = machine.steps()
        self.stops: dict[int, tuple[int, int]] = {}
        self.controls: dict[int, Control] = {}

    def tree(self, rule: StoppingRule, mid: str) -> CheckpointTree:
        """The tree that the driver will make."""
        while True:
            program, recorder = _KnownStops(self.stops), TreeRecorder()
            DRIVERS[self.driver](program, 0, self.steps, rule, MIDS[mid], self.steps, recorder)
            if not program.wanted:
                return recorder.tree(self.steps)
            self._look(program.wanted)

    def _look(self, points: Iterable[int]) -> None:
        """Where a run stops that is to stop at each of some points, and in which control."""
        walker = self.machine.begun()
        for point in sorted(points):
            self.machine.go(walker, point)
            self.stops[point] = walker.at, walker.before
            self.stops.setdefault(walker.at, (walker.at, walker.before))
            self.controls[walker.at] = control_of(walker.stack)

    def plan(self, rule: StoppingRule, mid: str) -> DividePlan:
        """The tree with the bytes of its capsules and tapes."""
        tree = self.tree(rule, mid)
        ends = {split.kappa: split.phi for split in tree.splits}
        points = sorted({0, *ends, *(leaf.phi for leaf in tree.leaves)} - {self.steps})
        missing = [at for at in points if at not in self.controls]
        if missing:
            self._look(missing)
        sizes, tapes, counter = dict[int, CapsuleSize](), dict[int, int](), TapeCounter()
        walker = self.machine.begun()
        with np.errstate(all="ignore"):
            for at in points:
                walker.run(at, counter)
                tapes[at] = counter.bytes
                if at == 0 or at in ends:
                    sizes[at] = self.size(walker, self.controls.get(ends.get(at, self.steps)))
            walker.run(None, counter)
        tapes[self.steps] = counter.bytes
        return DividePlan(mid, rule, tree, sizes[0], {at: sizes[at] for at in ends},
                          tuple(tapes[leaf.phi] - tapes[leaf.sigma] for leaf in tree.leaves))

    def size(self, walker: Walker, end: Control | None) -> CapsuleSize:
        """The bytes of a capsule of a run where it is."""
        machine, control = self.machine, control_of(walker.stack)
        end = end if machine.shrinking else None
        ways = [machine.liveness.live(control, until) for until in ((end, None) if end is not None else (None,))]
        data = [take(walker, live).data_bytes for live in ways]
        image = take(walker, [()] * len(control)).image
        top = walker.stack[-1]
        span = top.frame.code.flow.nodes[top.node].span
        names = machine.liveness.names(control[-1].key, ways[0][-1])
        return CapsuleSize(walker.at, data[0], image.control_bytes, data[-1], image.state_bytes,
                           f"{span.file}:{span.line}", len(control), names)

    def profile(self, samples: int) -> Iterator[tuple[int, int, int]]:
        """At even points of the run: the step, what is taped so far, a capsule's bytes there."""
        walker, counter = self.machine.begun(), TapeCounter()
        with np.errstate(all="ignore"):
            for number in range(samples + 1):
                walker.run(number * self.steps // samples, counter)
                yield walker.at, counter.bytes, self.size(walker, None).bytes
