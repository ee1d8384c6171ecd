"""A head divided in each way that was asked for: planned, run, compared with store-all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.divide.drivers import DRIVERS
from snapset.analysis.divide.pick import pick
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.memory.locations import Location
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.replay.divide.capsule import take
from snapset.analysis.replay.divide.divide_budgets import within_leaf, within_memory
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divide_results import (
    ActiveProcedure,
    CapsuleView,
    DivideComparison,
    DividedResult,
    DividePlan,
    StoredAll,
)
from snapset.analysis.replay.divide.divided_run import CapsuleLog, DividedMachine, StateAdjoint
from snapset.analysis.replay.divide.step_costs import Unit
from snapset.analysis.replay.divide.walker import Activation
from snapset.analysis.replay.experiment.compare_strategies import (
    ExperimentOptions,
    Standard,
    differences,
    standard,
)
from snapset.analysis.replay.experiment.gradient import Gradient
from snapset.analysis.replay.experiment.inputs import Inputs, check_inputs
from snapset.analysis.replay.machine.primal import ENDLESS, ROOM, Limits, Machine
from snapset.analysis.replay.machine.stack import FAILURES, stopped
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Program


@dataclass(frozen=True, slots=True)
class DivideOptions:
    """How to divide. ``space``: snapshots d; ``time``: reruns t; ``log``: d = t; ``leaf``: steps, ``leaf_bytes``: bytes;
    ``memory``: bytes altogether, which choose the others. ``mids``: the choices of split points. ``plan``: no adjoint
    runs."""

    driver: str = "binary"
    mids: tuple[str, ...] = tuple(MIDS)
    space: int | None = None
    time: int | None = None
    log: bool = False
    leaf: int | None = None
    leaf_bytes: int | None = None
    memory: int | None = None
    unit: Unit = "elements"
    plan: bool = False
    limit: int = ENDLESS
    room: int = ROOM


def check_options(wanted: DivideOptions) -> None:
    """Raises InputError for options that contradict each other."""
    if wanted.memory is not None and (wanted.space is not None or wanted.time is not None or wanted.log
                                      or wanted.leaf is not None or wanted.leaf_bytes is not None):
        raise InputError("--memory chooses snapshots, reruns and leaves itself: leave out --space, --time, --log, --leaf")
    if wanted.log and (wanted.space is not None or wanted.time is not None):
        raise InputError("--log chooses snapshots and reruns itself: leave out --space and --time")


def divide(program: Program, head: Head, wanted: DivideOptions, inputs: Inputs | None = None,
           options: AnalysisOptions | None = None, heard: Callable[[str], None] = lambda doing: None
           ) -> DivideComparison:
    """Divide one head's run.

    Raises:
        InputError: what :func:`prepare` raises, code that the machine does not execute, inputs that do not fit,
            a program that goes wrong on them, options that contradict each other, a budget that is too small.
    """
    check_options(wanted)
    analysis = prepare(program, head, options or AnalysisOptions())
    begun = process_time()
    given = inputs or Inputs()
    found = None if wanted.plan else standard(analysis, given, ExperimentOptions(limit=wanted.limit, room=wanted.room),
                                              heard)
    whole = process_time() - begun
    machine = Machine(analysis.models.program, find_procedure(analysis.models.program, analysis.head).key) if found is None else found.machine
    if found is None:
        machine.limits = Limits(wanted.limit, wanted.room)
    try:
        used = check_inputs(machine, given)
        heard("counting steps")
        planner = DividePlanner(DividedMachine(head, analysis.models, machine, given, wanted.unit), wanted.driver)
        plans = tuple(_plan(planner, mid, wanted) for mid in wanted.mids)
    except FAILURES as error:
        failure = stopped(error, machine.program.procedures[machine.root].span)
        raise InputError(f"the program stopped on these inputs: {failure}; choose others with --set",
                         failure.span) from error
    runs = []
    for plan in plans if found is not None else ():
        heard(f"replaying {wanted.driver}, {plan.mid}")
        assert found is not None
        runs.append(run_plan(analysis, found, plan, wanted, whole))
    reference = None if found is None else StoredAll(found.run.stack.peak, found.run.steps)
    return DivideComparison(head.text, used, wanted.unit, wanted.driver, planner.steps, plans, tuple(runs), reference)


def _plan(planner: DividePlanner, mid: str, wanted: DivideOptions) -> DividePlan:
    if wanted.memory is not None:
        return within_memory(planner, mid, wanted.memory)
    log = wanted.log or (wanted.space is None and wanted.time is None)
    if wanted.leaf_bytes is not None:
        return within_leaf(planner, mid, wanted.leaf_bytes, wanted.space, wanted.time, log)
    try:
        return planner.plan(pick(planner.steps, wanted.leaf, wanted.space, wanted.time, log), mid)
    except ValueError as error:
        raise InputError(f"{error}") from error


def run_plan(analysis: Analysis, reference: Standard, plan: DividePlan, wanted: DivideOptions,
             whole: float = 0.0) -> DividedResult:
    """Run a planned division. ``whole``: the CPU seconds that store-all took."""
    machine = DividedMachine(analysis.head, analysis.models, reference.machine, reference.inputs, wanted.unit)
    log, begun = CapsuleLog(), process_time()
    try:
        start = machine.start()
        adjoint = DRIVERS[wanted.driver](machine, start, plan.tree.n, plan.rule, MIDS[plan.mid], StateAdjoint(), log)
    except ReplayError as error:
        where = f"{error.span.file}:{error.span.line}: " if error.span else ""
        return DividedResult(plan.mid, False, plan, error=f"{where}{error}")
    seconds = process_time() - begun
    assert isinstance(adjoint, StateAdjoint)
    gradient = adjoint.gradient
    assert isinstance(gradient, Gradient)
    wrong = differences(reference.gradient, gradient)
    tapes = machine.spent.tapes
    return DividedResult(
        plan.mid, not wrong, plan, wrong,
        peak_bytes=start.bytes + max((held + tape for held, tape in zip(log.at_leaf, tapes, strict=True)), default=0),
        tape_bytes=max(tapes, default=0), capsule_bytes=start.bytes + log.most_held,
        largest_bytes=max(start.bytes, log.largest), recomputed_steps=machine.spent.plain,
        slowdown=seconds / whole if whole > 0 else None)


# ---------------------------------------------------------------- one capsule


def capsule_at(program: Program, head: Head, at: int, wanted: DivideOptions, inputs: Inputs | None = None,
               options: AnalysisOptions | None = None) -> CapsuleView:
    """The capsule at a step. Raises InputError: see :func:`divide`, and a step that the run has not."""
    analysis = prepare(program, head, options or AnalysisOptions())
    machine = Machine(analysis.models.program, find_procedure(analysis.models.program, analysis.head).key)
    machine.limits = Limits(wanted.limit, wanted.room)
    given = inputs or Inputs()
    try:
        check_inputs(machine, given)
        planner = DividePlanner(DividedMachine(head, analysis.models, machine, given, wanted.unit))
        if not 0 <= at <= planner.steps:
            raise InputError(f"--at {at}: the run has {planner.steps} steps")
        walker = planner.machine.begun()
        planner.machine.go(walker, at)
        size = planner.size(walker, None)
    except FAILURES as error:
        failure = stopped(error, machine.program.procedures[machine.root].span)
        raise InputError(f"the program stopped on these inputs: {failure}; choose others with --set",
                         failure.span) from error
    capsule = take(walker, [()] * len(walker.stack))
    live = planner.machine.liveness.live(capsule.control)
    rows = tuple(_active(analysis, one, found) for one, found in zip(walker.stack, live, strict=True))
    return CapsuleView(head.text, walker.at, planner.steps, wanted.unit, size, rows)


def _active(analysis: Analysis, one: Activation, live: tuple[Location, ...]) -> ActiveProcedure:
    code, model = one.frame.code, analysis.models.by_key[one.key]
    node = code.flow.nodes[one.node]
    loops = tuple((code.flow.loops[n].stmt.span.line, one.frame.loops[n][0]) for n in node.loops if n in one.frame.loops)
    known, found, dead = set(live), [], []
    read = {i for effect in model.effects for i in range(len(model.space)) if effect.use >> i & 1}
    for number, (location, info) in enumerate(zip(model.space.locations, model.space.infos, strict=True)):
        if location.is_association:
            continue
        size = sum(slot.a.nbytes for slot in one.frame.pieces(location) if slot.a is not None)
        if location in known:
            found.append((info.name, int(size)))
        elif size:
            why = "nothing here reads it" if number not in read else "written before it is read again, or read no more"
            dead.append((info.name, int(size), why))
    return ActiveProcedure(model.procedure.name, node.span.file, node.span.line, one.entered, loops,
                           tuple(sorted(found)), tuple(sorted(dead)))
