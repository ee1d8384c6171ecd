"""The steps of a time loop counted and weighed by runs: how many there are, how often loops inside run, their bytes."""

from __future__ import annotations

from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.loops.loop_analysis import LoopAnalysis
from snapset.analysis.loops.step_numbers import StepNumbers
from snapset.analysis.loops.step_weights import StepWeights
from snapset.analysis.replay.experiment.compare_strategies import assumed
from snapset.analysis.replay.experiment.endless_programs import check_end
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.used_inputs import check_inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES, program_stopped
from snapset.analysis.replay.timeloop.loop_planner import plan_loop
from snapset.analysis.replay.timeloop.loop_runs import LoopRuns
from snapset.analysis.replay.timeloop.schedule_chooser import found_by_running
from snapset.analysis.replay.timeloop.scheduled_run import LoopEntrance
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
    """What a run on some inputs tells of the loop's steps: of the longest of its executions, where there are several.
    ``numbers``: of names, which count before those of the run.

    A loop in a callee runs under a schedule when the callee's adjoint does, so the adjoint of the head is run, in which
    the loop runs plainly, and nothing is reversed of it.

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
        runs = _runs(found, machine, inputs, 1)
        _, run = runs.run(runs.plan, plainly, False)
    except FAILURES as error:
        raise program_stopped(error, found.loop.span) from error
    if not entries:
        raise InputError("the run on these inputs does not come to the loop; choose others with --set", found.loop.span)
    own = valued({**assumed(used), **numbers})
    name = found.loop.model.procedure.name
    longest = max(range(len(entries)), key=lambda k: run.measures[k].steps)

    def given(sym: Sym) -> int | None:
        known = own(sym)
        return entries[longest].get(sym) if known is None else known

    trips = {f"trips({name}:{line})": each for line, each in run.measures[longest].trips.items()}
    return StepNumbers(given, run.measures[longest].steps, trips)


def measure_steps(found: LoopAnalysis, inputs: Inputs, period: int) -> StepWeights:
    """The bytes of the loop's steps as a run that records every one of them finds them, where no formula tells.

    Raises:
        InputError: as :func:`count_steps`.
    """
    try:
        measures = _runs(found, counted_machine(found), inputs, period).measured()
    except FAILURES as error:
        raise program_stopped(error, found.loop.span) from error
    return found_by_running(max(measures, key=lambda one: one.steps), measures, period)


def _runs(found: LoopAnalysis, machine: Machine, inputs: Inputs, period: int) -> LoopRuns:
    return LoopRuns(found.analysis.head(), machine, inputs, plan_loop(machine, found), period)
