"""What the tests of divided runs share: a head ready to be divided, and its state bit for bit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from snapset.analysis.activity.differentiation_head import Head, find_procedure, parse_heads
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import StoppingRule
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.replay.divide.divided_run import CapsuleLog, DividedMachine, StateAdjoint
from snapset.analysis.replay.divide.leaves.leaf_plans import leaf_options, leaf_plans, unmarked
from snapset.analysis.replay.divide.memory_image import image_of
from snapset.analysis.replay.divide.step_costs import Unit
from snapset.analysis.replay.divide.walker import Walker
from snapset.analysis.replay.experiment.gradient import Gradient, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.frames import Frame
from snapset.frontend.ir import Program
from snapset.frontend.load import load_program, load_text

from tests.analysis.replay.machine import test_replay
from tests.support.corpus import CORPUS, parse_expected

# The programs that the machine does not refuse.
SOURCES, PROGRAMS = test_replay.SOURCES, test_replay.PROGRAMS


@dataclass(frozen=True)
class Divisible:
    """A head on inputs: what a division needs, and what store-all gives."""

    head: Head
    machine: Machine
    analysis: Analysis
    inputs: Inputs
    expected: Gradient
    steps: int  # as store-all counts them: statements, tests, calls
    program: Program

    @cached_property
    def by_plan(self) -> tuple[Analysis, Machine, Plans] | str:
        """What its leaves tape by, where they need not store all; or why they do."""
        analysis = prepare(unmarked(self.program), self.head, leaf_options(AnalysisOptions()))
        machine = Machine(analysis.models.program, find_procedure(analysis.models.program, self.head).key)
        plans = leaf_plans(analysis, machine)
        return plans if isinstance(plans, str) else (analysis, machine, plans)

    def planned(self, unit: Unit = "statements") -> DividedMachine:
        """With leaves that tape what their adjoint needs."""
        assert not isinstance(self.by_plan, str)
        analysis, machine, plans = self.by_plan
        return DividedMachine(self.head, analysis.models, machine, self.inputs, unit, plans=plans)

    def divided(self, unit: Unit = "statements", **more: bool) -> DividedMachine:
        return DividedMachine(self.head, self.analysis.models, self.machine, self.inputs, unit, **more)

    def gradient(self, rule: StoppingRule, mid: str, driver: str, unit: Unit = "statements",
                 planned: bool = False, **more: bool) -> tuple[Gradient | None, CapsuleLog, DividedMachine]:
        machine, log = self.planned(unit) if planned else self.divided(unit, **more), CapsuleLog()
        found = DRIVERS[driver](machine, machine.start(), machine.steps(), rule, MIDS[mid], StateAdjoint(), log)
        assert isinstance(found, StateAdjoint)
        return found.gradient, log, machine


@cache
def from_corpus(name: str) -> Divisible:
    """Forty coupled steps of the shallow water program need calm water."""
    head = parse_expected((CORPUS / f"{name}.expected").read_text()).head
    return ready(load_program([str(SOURCES[name])]), head, Inputs({"dt": 1e-3} if name == "calls" else {}))


def from_text(text: str, head: str, **given: float) -> Divisible:
    return ready(load_text(text), head, Inputs(given))


def ready(program: Program, text: str, inputs: Inputs) -> Divisible:
    (head,) = parse_heads(text)
    analysis = prepare(program, head)
    machine = Machine(analysis.models.program, find_procedure(program, head).key)
    expected, run = store_all(head, machine, inputs)
    return Divisible(head, machine, analysis, inputs, expected, run.steps, program)


def outside(one: Divisible, frame: Frame) -> list[bytes]:
    """All that outlives the head: its arguments and the globals, bit for bit."""
    model = one.analysis.models.by_key[one.machine.root]
    locations = [location for at, location in enumerate(model.space.locations) if model.visible >> at & 1]
    return [np.asarray(slot.a).tobytes() for location in locations for slot in frame.pieces(location)
            if slot.a is not None and slot.a.dtype.kind != "O"]


def everything(walker: Walker) -> list[bytes]:
    """All values that the control stack leads to."""
    image, places = image_of(walker.stack)
    return [owner.tobytes() for owner, block in zip(places.owners, image.blocks, strict=True)
            if not block.adjoint and block.held is None]
