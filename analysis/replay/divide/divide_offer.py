"""What divide and conquer over a whole run takes beside the schedules of its time loop."""

from __future__ import annotations

from snapset.analysis.head_analysis import Analysis
from snapset.analysis.loops.scheduled_loop import DivideOffer
from snapset.analysis.replay.divide.divide_budgets import LeastMemoryError, within_memory
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divided_run import DividedMachine
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine


def divide_offer(analysis: Analysis, machine: Machine, inputs: Inputs, memory: int) -> DivideOffer:
    """Of a head, on inputs that it runs on, within so many bytes, tape and capsules together."""
    planner = DividePlanner(DividedMachine(analysis.head, analysis.models, machine, inputs))
    try:
        plan = within_memory(planner, "optimal", memory)
    except LeastMemoryError as error:
        return DivideOffer(error.least, 0.0, False)
    return DivideOffer(plan.peak_bytes, plan.tree.recomputed / max(1, planner.steps), True)
