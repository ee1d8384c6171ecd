"""The steps of a time loop counted by a plain run: how many there are, and how often loops inside run in each."""

from __future__ import annotations

import numpy as np
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.loops.loop_analysis import LoopAnalysis
from snapset.analysis.loops.step_numbers import StepNumbers
from snapset.analysis.replay.experiment.compare_strategies import assumed
from snapset.analysis.replay.experiment.endless_programs import check_end
from snapset.analysis.replay.experiment.gradient import entered
from snapset.analysis.replay.experiment.inputs import Inputs, check_inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES, stopped
from snapset.analysis.replay.timeloop.loop_planner import plan_loop
from snapset.analysis.replay.timeloop.scheduled_run import LoopEntrance, ScheduledRun
from snapset.analysis.replay.timeloop.step_names import names_in
from snapset.analysis.schedules.actions import Action, Advance, EndForward
from snapset.analysis.symbolic.atoms import Sym
from snapset.frontend.base.diagnostics import InputError


def counted_machine(found: LoopAnalysis) -> Machine:
    """A machine for the head of a loop's program."""
    analysis = found.analysis.prepared()
    root = analysis.models.by_key[find_procedure(analysis.models.program, analysis.head).key]
    check_end(root)
    return Machine(analysis.models.program, root.procedure.key)


def count_steps(found: LoopAnalysis, inputs: Inputs, numbers: dict[str, int]) -> StepNumbers:
    """What a run on some inputs tells of the loop's steps, the first time that it is entered. ``numbers``: of names,
    which count before those of the run.

    Raises:
        InputError: an input that the head has not, a run that stops, a loop that it does not come to.
    """
    machine = counted_machine(found)
    names, figures = found.weighing().names(), found.bytes()
    entries: list[dict[Sym, int | None]] = []

    def plainly(entrance: LoopEntrance) -> list[Action]:
        there = names_in(entrance.frame, figures)
        entries.append({sym: there(sym) for sym in names})
        return [*([Advance(0, entrance.steps)] if entrance.steps else []), EndForward()]

    try:
        used = check_inputs(machine, inputs)
        plans, loop = plan_loop(machine, found)
        with np.errstate(all="ignore"):
            run = ScheduledRun(machine, plans, loop, plainly, poison=False)
            plan = plans.procedures[machine.root]
            run.forward(entered(machine, inputs), plan, plan.levels[0], [])
    except FAILURES as error:
        failure = stopped(error, found.loop.span)
        raise InputError(f"the program stopped on these inputs: {failure}; choose others with --set",
                         failure.span) from error
    if not entries:
        raise InputError("the run on these inputs does not come to the loop; choose others with --set", found.loop.span)
    own = valued({**assumed(used), **numbers})
    name = found.loop.model.procedure.name

    def given(sym: Sym) -> int | None:
        known = own(sym)
        return entries[0].get(sym) if known is None else known

    trips = {f"trips({name}:{line})": each for line, each in run.measures[0].trips.items()}
    return StepNumbers(given, run.measures[0].steps, trips)
