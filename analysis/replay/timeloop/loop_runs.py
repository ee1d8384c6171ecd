"""Runs of a head's adjoint in which its time loop follows a schedule, and what they measure of the loop's steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.replay.experiment.gradient import Gradient, entered, gradient_of, seed
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.timeloop.held_checkpoints import LoopMeasure
from snapset.analysis.replay.timeloop.loop_plan import LoopPlan
from snapset.analysis.replay.timeloop.scheduled_run import ScheduledRun, Scheduler
from snapset.analysis.schedules.actions import Action, Schedule
from snapset.analysis.schedules.basic_schedules import all_in_memory
from snapset.analysis.schedules.online_schedules import dynamic, simulated
from snapset.frontend.base.diagnostics import InputError

_Step = tuple[list[int], list[int]]


class LoopRuns:
    """One head's loop, ready to run on its inputs under any schedule. ``planned``: the plans of all codes, and the
    loop's. ``period``: iterations that make a step."""

    def __init__(self, head: Head, machine: Machine, inputs: Inputs, planned: tuple[Plans, LoopPlan],
                 period: int) -> None:
        self.head = head
        self.machine = machine
        self.inputs = inputs
        self.period = period
        self.plans, self.plan = planned

    def run(self, plan: LoopPlan, scheduler: Scheduler, poison: bool) -> tuple[Gradient, ScheduledRun]:
        """The adjoint, from an input to the gradient."""
        machine = self.machine
        with np.errstate(all="ignore"):
            frame = entered(machine, self.inputs)
            run = ScheduledRun(machine, self.plans, plan, scheduler, self.period, poison)
            run.adjoint(frame, self.plans.procedures[machine.root], 0, lambda: seed(self.head, machine, frame))
            return gradient_of(self.head, machine, frame), run

    def measured(self) -> Sequence[LoopMeasure]:
        """What each step leaves, each time that the loop is entered: with every step recorded, and with restarts, from
        which the run goes on, or ends behind one step (calls that nothing needs then are not run first).

        Raises:
            InputError: the loop cannot be run so.
        """
        try:
            _, every = self.run(self.plan, lambda loop: all_in_memory(loop.steps), False)
            _, again = self.run(self.plan, lambda loop: _actions(every_step(loop.steps)), False)
            alone = again  # but where what is run behind a step makes a difference
            if len(self.plan.again) > 1 or len(self.plan.restart) > 1:
                _, alone = self.run(self.plan, lambda loop: every_step(loop.steps), False)
        except ReplayError as error:
            raise InputError(f"the loop cannot be run step by step: {error}", error.span) from error
        for one, other, last in zip(every.measures, again.measures, alone.measures, strict=True):
            one.restart, one.chain = other.restart, other.chain
            first = one.dependencies, one.peaks[::-1]
            one.ways = first, *self.between(last.by_step(), other.by_step())
        return every.measures

    def between(self, alone: _Step, again: _Step) -> Iterator[_Step]:
        """Of steps behind which 0, 1 ... steps are run: those of the ends, and in between the most of both."""
        several = -(-(len(self.plan.again) - 1)//self.period)
        most = tuple([max(pair) for pair in zip(*both, strict=True)] for both in zip(alone, again, strict=True))
        yield from (alone, *[(most[0], most[1])]*(several - 1), again)[:several + 1]


def every_step(steps: int) -> Schedule:
    """Restart data of each step, the last one too: a loop of unknown length does not know that it is."""
    return simulated("restart data of each step", steps, lambda more: dynamic(max(steps, 1), more))


def _actions(schedule: Schedule) -> Iterator[Action]:
    """Of which a run does not know how far it goes from a checkpoint: so all of R_0, R_1 ... is copied and measured."""
    return iter(schedule)
