"""A head's program as the three functions that the drivers want: interrupt, resume, adjoint of an interval."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.divide.drivers import Interval
from snapset.analysis.divide.tree import TreeRecorder
from snapset.analysis.memory.locations import Location
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.replay.divide.capsule import Capsule, control_of, take
from snapset.analysis.replay.divide.capsule_liveness import CapsuleLiveness, Control, common_depth
from snapset.analysis.replay.divide.elements.held_memory import ALL, LiveElements
from snapset.analysis.replay.divide.elements.stack_elements import StackElements
from snapset.analysis.replay.divide.leaves.leaf_walker import LeafWalker
from snapset.analysis.replay.divide.leaves.planned_leaf import PlannedLeaf
from snapset.analysis.replay.divide.memory_image import adjoint_blocks, image_of
from snapset.analysis.replay.divide.step_costs import CountingMachine, Unit, step_costs
from snapset.analysis.replay.divide.tape_counter import Recording, TapeCounter
from snapset.analysis.replay.divide.walker import Activation, Walker
from snapset.analysis.replay.experiment.gradient import (
    Dependents,
    Gradient,
    dependents_of,
    entered,
    gradient_of,
    seed,
)
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.store_all import StoreAll
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.frontend.base.frozen_records import frozen


@frozen
class StateAdjoint:
    """The adjoint of the state at a point: by number of the blocks that hold adjoints. None: of the program's end,
    where the dependents have theirs. ``gradient``: at the beginning."""

    blocks: tuple[Array, ...] | None = None
    gradient: Gradient | None = None


@dataclass(slots=True)
class Spent:
    """What a divided run took. ``plain``: steps run without recording; ``tapes``: the bytes of each leaf's tape;
    ``derivatives``: statement adjoints."""

    plain: int = 0
    derivatives: int = 0
    tapes: list[int] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)


class DividedMachine:
    """A head on given inputs, interruptible at any step.

    ``live``: capsules hold what is live (else all memory); ``shrinking``: to the end of their interval (else to the
    program's); ``sections``: of arrays the elements that are live (else all of them). ``whole``: resumed runs are to
    end in the whole state, not only to give its adjoint. ``plans``: by which leaves tape what their adjoint needs
    (None: they store all).
    """

    def __init__(self, head: Head, models: Models, machine: Machine, inputs: Inputs, unit: Unit = "elements",
                 live: bool = True, shrinking: bool = True, whole: bool = False,
                 plans: Plans | None = None, sections: bool = True) -> None:
        self.head = head
        self.machine = machine
        self.inputs = inputs
        self.costs = step_costs(machine, unit)
        self.liveness = CapsuleLiveness(models)
        self.elements = StackElements(models)
        self.sections = sections
        self.live = live
        self.shrinking = shrinking
        self.whole = whole
        self.plans = plans
        self.ends: dict[int, Control] = {}
        self.spent = Spent()
        self.dependents: Dependents | None = None  # when the last interval has run

    @cached_property
    def counting(self) -> CountingMachine:
        return CountingMachine(self.machine, self.costs)

    def begun(self) -> Walker:
        with np.errstate(all="ignore"):
            return Walker.of(self.machine, self.costs, entered(self.machine, self.inputs))

    def steps(self) -> int:
        """PRIMOPS: the steps of a plain run."""
        machine = self.counting
        machine.in_callees = machine.more = 0
        with np.errstate(all="ignore"):
            return machine.run(entered(machine, self.inputs)) + machine.in_callees + machine.more

    def start(self) -> Capsule:
        """The capsule at the beginning."""
        return self.take(self.begun(), None)

    def go(self, walker: Walker, stop: int | None) -> None:
        with np.errstate(all="ignore"):
            walker.run(stop)

    def take(self, walker: Walker, end: int | None) -> Capsule:
        """A capsule for the interval to step ``end`` (None: to the program's end)."""
        control = control_of(walker.stack)
        self.ends[walker.at] = control
        if self.live:
            until = self.ends.get(end) if self.shrinking and end is not None and not self.whole else None
            capsule = take(walker, *self.alive(walker, control, until))
        else:
            capsule = take(walker, None)
        self.spent.taken.append(capsule.bytes)
        return capsule

    def alive(self, walker: Walker, control: Control, end: Control | None
              ) -> tuple[tuple[tuple[Location, ...], ...], LiveElements]:
        """What is live where a run is: locations by active procedure, and of which of them some elements alone."""
        live = self.liveness.live(control, end, self.whole)
        if not self.sections:
            return live, ALL
        frames = self.liveness.frames(control, end, self.whole)
        return live, self.elements.live(walker.stack, frames, end, common_depth(control, end))

    def walker(self, capsule: Capsule) -> Walker:
        """A run resumed from a capsule."""
        return Walker(self.machine, self.costs, capsule.resumed(), capsule.at)

    # ------------------------------------------------------------ the three functions

    def interrupt(self, capsule: Capsule, steps: int, most: int) -> tuple[Capsule, int]:
        """Run ``steps`` steps on from a capsule, or to the next point where a stop is possible; where that is the end
        of the interval (``most``), to the last one before."""
        begin, end = capsule.at, capsule.at + most
        walker = self.walker(capsule)
        self.go(walker, begin + steps)
        self.spent.plain += walker.at - begin
        if walker.finished or walker.at >= end:
            before = walker.before
            if before <= begin:
                return capsule, 0
            walker = self.walker(capsule)
            self.go(walker, before)
            self.spent.plain += walker.at - begin
        return self.take(walker, end), walker.at - begin

    def resume(self, capsule: Capsule) -> Frame:
        """Run to the end; the head's procedure as it is then."""
        walker = self.walker(capsule)
        self.go(walker, None)
        return walker.stack[0].frame

    def counting_walker(self) -> tuple[Walker, TapeCounter | PlannedLeaf]:
        """A run that has begun, and who counts what its leaves would tape."""
        begun = self.begun()
        if self.plans is None:
            return begun, TapeCounter()
        leaf = PlannedLeaf(self.machine, self.plans, keeps=False)
        return LeafWalker(self.machine, self.costs, begun.stack, leaf), leaf

    def adjoint(self, capsule: Capsule, steps: int, adjoint: StateAdjoint) -> StateAdjoint:
        """Record an interval and take it back, its ends wherever they are."""
        stack = capsule.resumed()
        recorded: Recording | PlannedLeaf
        if self.plans is None:
            walker, recorded = Walker(self.machine, self.costs, stack, capsule.at), Recording(StoreAll(self.machine))
        else:
            recorded = PlannedLeaf(self.machine, self.plans)
            walker = LeafWalker(self.machine, self.costs, stack, recorded, capsule.at)
        first = adjoint_blocks(image_of(walker.stack)[1])
        root = walker.stack[0].frame
        with np.errstate(all="ignore"):
            walker.run(None if adjoint.blocks is None else capsule.at + steps, recorded.recorder)
            assert walker.at == capsule.at + steps, "an interval that does not end where the next one begins"
            if adjoint.blocks is None:
                seed(self.head, self.machine, root)
                self.dependents = dependents_of(self.head, self.machine, root)
            else:
                _bring(adjoint.blocks, walker.stack)
            self.spent.tapes.append(recorded.bytes)
            self.spent.derivatives += recorded.take_all_back()
        gradient = gradient_of(self.head, self.machine, root) if capsule.at == 0 else None
        return StateAdjoint(tuple(block.reshape(-1, order="A").copy() for block in first), gradient)


def _bring(values: tuple[Array, ...], stack: list[Activation]) -> None:
    """Give a state's memory the adjoints that were found for it."""
    blocks = adjoint_blocks(image_of(stack)[1])
    assert len(blocks) == len(values), "the same point with other memory"
    for block, value in zip(blocks, values, strict=True):
        block.reshape(-1, order="A")[...] = value


@dataclass(slots=True)
class CapsuleLog(TreeRecorder):
    """Hears a driver: what capsules hold at once. ``start``: the bytes of the first one, which stands all the time."""

    start: int = 0
    held: int = 0
    most_held: int = 0
    largest: int = 0
    at_leaf: list[int] = field(default_factory=list)

    def split(self, whole: Interval[Capsule], kappa: int, right: Interval[Capsule]) -> None:  # type: ignore[override]
        TreeRecorder.split(self, whole, kappa, right)  # type: ignore[arg-type]
        self.held += right.capsule.bytes
        self.most_held = max(self.most_held, self.held)
        self.largest = max(self.largest, right.capsule.bytes)

    def leaf(self, interval: Interval[Capsule]) -> None:  # type: ignore[override]
        TreeRecorder.leaf(self, interval)  # type: ignore[arg-type]
        self.at_leaf.append(self.held)

    def released(self, interval: Interval[Capsule]) -> None:  # type: ignore[override]
        self.held -= interval.capsule.bytes
