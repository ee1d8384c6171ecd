"""One head under a choice of S and U for each region: is the gradient right, and what did the tape hold?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.dag.fortran.level_problem import level_problem
from snapset.analysis.dag.solvers.solve import Options, solve
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.replay.dag.dag_adjoint import DagRun
from snapset.analysis.replay.dag.section_plans import Choices, dag_plans
from snapset.analysis.replay.experiment.compare_strategies import differences
from snapset.analysis.replay.experiment.gradient import Gradient, entered, gradient_of, seed, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import Difference
from snapset.analysis.replay.experiment.used_inputs import InputUsed, check_inputs
from snapset.analysis.replay.machine.primal import ENDLESS, Limits, Machine
from snapset.analysis.replay.machine.stack import FAILURES, program_stopped
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir import Program

TOLERANCE = 1e-9
SINGLE = 1e-4  # where there is single precision


@frozen
class DagReplay:
    """What a run through S, U and recomputation found.

    ``lost``: required values that were not found again as they had been, bit for bit, and how often (none: all of
    the ``compared`` were). ``largest``: the greatest difference from the store-all gradient, relative to the largest
    element of each independent's; ``differences``: where the two are not equal bit for bit. They need not be:
    preaccumulated partials are multiplied in another order, so that ``tolerance`` is allowed. ``error``: how the run
    failed, if it did.
    ``places_bytes``, ``values_bytes``, ``control_bytes``: what was stored at places of S, of U, and of control; all
    of it goes on the tape, which is never higher than ``peak_bytes``. ``store_all_bytes``: what store-all writes.
    """

    head: str
    inputs: tuple[InputUsed, ...]
    compared: int
    lost: Mapping[str, int]
    largest: float
    tolerance: float
    differences: tuple[Difference, ...]
    error: str | None
    places_bytes: int
    values_bytes: int
    control_bytes: int
    peak_bytes: int
    store_all_bytes: int

    @property
    def equal(self) -> bool:
        """Every required value was found again, and the gradient is store-all's but for rounding."""
        return self.error is None and not self.lost and self.largest <= self.tolerance

    @property
    def tape_bytes(self) -> int:
        """All bytes ever written on the tape."""
        return self.places_bytes + self.values_bytes + self.control_bytes


def replay_dag(program: Program, head: Head, choices: Choices | None = None, inputs: Inputs | None = None,
               options: AnalysisOptions | None = None, poison: bool = True, limit: int = ENDLESS) -> DagReplay:
    """Run a head's adjoint under the given choice of each region, and compare it with store-all.

    ``choices``: by procedure key and level; a region that is not among them is solved here, by Algorithm 2.
    ``poison``: destroy what is overwritten and not saved, and what a part leaves behind.

    Raises:
        InputError: code that cannot be analysed or executed, inputs that do not fit, or a program that goes wrong.
    """
    root = find_procedure(program, head)
    analysis = prepare(program, head, options or AnalysisOptions())
    prepared = PreparedReplay(program, analysis, root.key, inputs or Inputs(), limit)
    return replay_analysed(prepared, choices or {}, poison)


class PreparedReplay:
    """A head with its inputs and store-all gradient, to be run under one choice after another."""

    def __init__(self, program: Program, analysis: Analysis, root: str, inputs: Inputs, limit: int = ENDLESS) -> None:
        self.analysis = analysis
        self.inputs = inputs
        self.machine = Machine(analysis.models.program, root)
        self.machine.limits = Limits(limit)
        try:
            self.used = check_inputs(self.machine, inputs)
            self.expected, self.reference = store_all(analysis.head, self.machine, inputs)
        except FAILURES as error:
            raise program_stopped(error, program.procedures[root].span) from error


def every_choice(analysis: Analysis, given: Choices) -> Choices:
    """The choices with those of the regions that have none yet."""
    result = dict(given)
    for key in analysis.order:
        adjoint = analysis.adjoints.by_key[key]
        for index in range(len(adjoint.levels)):
            if (key, index) not in result:
                level = level_problem(adjoint, index)
                result[key, index] = level, solve(level.problem, Options(method="biclique")).choice
    return result


def replay_analysed(ready: PreparedReplay, choices: Choices, poison: bool = True) -> DagReplay:
    """As :func:`replay_dag`, for what is analysed and has its reference already."""
    head, machine = ready.analysis.head, ready.machine
    plans = dag_plans(machine, ready.analysis, every_choice(ready.analysis, choices))
    run = DagRun(machine, plans, poison)
    error, gradient = None, None
    try:
        with np.errstate(all="ignore"):
            frame = entered(machine, ready.inputs)
            run.adjoint(frame, plans.plans.procedures[machine.root], 0, lambda: seed(head, machine, frame))
        gradient = gradient_of(head, machine, frame)
    except ReplayError as failed:
        where = f"{failed.span.file}:{failed.span.line}: " if failed.span else ""
        error = f"{where}{failed}"
    held = plans.held
    sums = {"U": 0, "S": 0, "control": 0}
    for number, (row, count) in enumerate(zip(plans.plans.rows, run.stack.bytes, strict=True)):
        sums["U" if number in held else "control" if row.kind in ("control", "mask") else "S"] += count
    different = () if gradient is None else differences(ready.expected, gradient)
    largest = float("inf") if gradient is None else largest_difference(ready.expected, gradient)
    return DagReplay(head.text, ready.used, run.compared, dict(run.lost), largest, tolerance(machine), different, error,
                     sums["S"], sums["U"], sums["control"], run.stack.peak, ready.reference.stack.traffic)


def tolerance(machine: Machine) -> float:
    """What rounding may come to in the narrowest real numbers a program has."""
    single = any(place.leaf.dtype == "f4" for code in machine.codes.values() for place in code.layout.slots)
    return SINGLE if single else TOLERANCE


def largest_difference(expected: Gradient, found: Gradient) -> float:
    """Over all independents, the greatest difference of an element over the greatest element.

    Where the reference is no number, nothing can be compared.
    """
    worst = 0.0
    for name, right in expected.values.items():
        finite = np.isfinite(right)
        if not finite.any():
            continue
        off = np.abs(found.values[name][finite] - right[finite])
        scale = float(np.max(np.abs(right[finite]))) or 1.0
        worst = max(worst, float(np.max(np.where(np.isnan(off), np.inf, off))) / scale)
    return worst
