"""A head divided in each way that was asked for: planned, run, compared with store-all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from snapset.analysis.activity.differentiation_head import Head, find_procedure
from snapset.analysis.dataflow.bitsets import union
from snapset.analysis.divide.drivers import DRIVERS, Interruptible, Interval
from snapset.analysis.divide.pick import HALVES, StoppingRule, pick
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.memory.locations import Location
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.replay.divide.capsule import Capsule, take
from snapset.analysis.replay.divide.divide_budgets import LeastMemoryError, within_leaf, within_memory
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divide_results import (
    ActiveProcedure,
    CapsuleView,
    DivideComparison,
    DividedResult,
    DividePlan,
    LoopScheduleResult,
    StoredAll,
)
from snapset.analysis.replay.divide.divided_run import CapsuleLog, DividedMachine, StateAdjoint
from snapset.analysis.replay.divide.elements.held_memory import LiveElements, owner_of
from snapset.analysis.replay.divide.leaves.leaf_plans import leaf_options, leaf_plans, unmarked
from snapset.analysis.replay.divide.loop_units import LoopUnits
from snapset.analysis.replay.divide.memory_image import memory_of
from snapset.analysis.replay.divide.step_costs import Unit
from snapset.analysis.replay.divide.walker import Activation
from snapset.analysis.replay.experiment.compare_strategies import (
    ExperimentOptions,
    Standard,
    differences,
    standard,
)
from snapset.analysis.replay.experiment.endless_programs import check_end
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.used_inputs import check_inputs
from snapset.analysis.replay.machine.plan_tables import Plans
from snapset.analysis.replay.machine.primal import ENDLESS, ROOM, Limits, Machine
from snapset.analysis.replay.machine.stack import FAILURES, program_stopped
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir import Program

LEAVES = 1000  # of a run whose leaf nobody chose


@frozen
class DivideOptions:
    """How to divide. ``space``: snapshots d; ``time``: reruns t; ``log``: d = t; ``leaf``: steps (None: a thousandth of
    the run); ``leaf_bytes``: what a leaf may tape; ``memory``: bytes altogether, which choose the others. ``mids``: the
    choices of split points. ``plan``: no adjoint runs. ``loop``: a line where a DO begins, whose iterations are to be
    scheduled beside that, with ``loop_snapshots``. ``leaf_plan``: leaves tape what their adjoint needs, where the
    program allows it."""

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
    loop: int | None = None
    loop_snapshots: int = 40
    leaf_plan: bool = False
    limit: int = ENDLESS
    room: int = ROOM


def check_options(wanted: DivideOptions) -> None:
    """Raises InputError for options that contradict each other."""
    if wanted.memory is not None and (wanted.space is not None or wanted.time is not None or wanted.log
                                      or wanted.leaf is not None or wanted.leaf_bytes is not None):
        raise InputError("--memory chooses snapshots, reruns and leaves itself: leave out --space, --time, --log and "
                         "--leaf")
    if wanted.log and (wanted.space is not None or wanted.time is not None):
        raise InputError("--log chooses snapshots and reruns itself: leave out --space and --time")


def divide(program: Program, head: Head, wanted: DivideOptions, inputs: Inputs | None = None,
           options: AnalysisOptions | None = None, heard: Callable[[str], None] = lambda doing: None,
           shared: Callable[[float], None] = lambda done: None) -> DivideComparison:
    """Divide one head's run. ``heard``: told what is being done; ``shared``: how much of the divided runs is done.

    Raises:
        InputError: what :func:`prepare` raises, code that the machine does not execute, inputs that do not fit,
            a program that goes wrong on them, options that contradict each other, a budget that is too small.
    """
    check_options(wanted)
    options = options or AnalysisOptions()
    analysis = prepare(unmarked(program), head, leaf_options(options)) if wanted.leaf_plan else prepare(
        program, head, options)
    begun = process_time()
    given = inputs or Inputs()
    found = None if wanted.plan else standard(analysis, given, ExperimentOptions(limit=wanted.limit, room=wanted.room),
                                              heard)
    whole = process_time() - begun
    machine = head_machine(analysis, wanted) if found is None else found.machine
    leaves = leaf_plans(analysis, machine) if wanted.leaf_plan else None
    by_plan = None if isinstance(leaves, str) else leaves
    try:
        used = check_inputs(machine, given)
        heard("counting steps")
        planner = DividePlanner(DividedMachine(head, analysis.models, machine, given, wanted.unit, plans=by_plan),
                                wanted.driver)
        plans, too_large = _plans(planner, wanted)
    except FAILURES as error:
        raise program_stopped(error, machine.program.procedures[machine.root].span) from error
    runs = []
    every, ended = sum(len(plan.tapes) for plan in plans), 0
    for plan in plans if found is not None else ():
        heard(f"replaying {wanted.driver}, {plan.mid}, {len(plan.tapes)} leaves")
        assert found is not None
        runs.append(run_plan(analysis, found, plan, wanted, whole,
                             lambda done, ended=ended: shared((ended + done)/every), by_plan))  # type: ignore[misc]
        ended += len(plan.tapes)
    reference = None if found is None else StoredAll(found.run.stack.peak, found.run.steps)
    loop = None
    if wanted.loop is not None and found is not None:
        heard("replaying the loop's schedule")
        loop = run_loop(analysis, found, wanted.loop, wanted, whole, by_plan)
    return DivideComparison(head.text, used, wanted.unit, wanted.driver, planner.steps, plans, tuple(runs), reference,
                            loop, too_large=too_large, leaf_plan=by_plan is not None,
                            why_store_all=leaves if isinstance(leaves, str) else "")


def head_machine(analysis: Analysis, wanted: DivideOptions) -> Machine:
    """A machine for a head, with the limits that options give."""
    root = analysis.models.by_key[find_procedure(analysis.models.program, analysis.head).key]
    check_end(root)
    machine = Machine(analysis.models.program, root.procedure.key)
    machine.limits = Limits(wanted.limit, wanted.room)
    return machine


def _plans(planner: DividePlanner, wanted: DivideOptions
           ) -> tuple[tuple[DividePlan, ...], tuple[tuple[str, int], ...]]:
    """For each of the split points its plan, or the least memory that it works with. Raises LeastMemoryError where none
    keeps within what there is."""
    plans, errors = list[DividePlan](), dict[str, LeastMemoryError]()
    for mid in wanted.mids:
        try:
            plans.append(plan_for(planner, mid, wanted))
        except LeastMemoryError as error:
            errors[mid] = error
    if errors and not plans:
        raise min(errors.values(), key=lambda one: one.least)
    return tuple(plans), tuple((mid, one.least) for mid, one in errors.items())


def plan_for(planner: DividePlanner, mid: str, wanted: DivideOptions) -> DividePlan:
    """The plan that options ask for. Raises InputError for a budget that is too small."""
    if wanted.memory is not None:
        return within_memory(planner, mid, wanted.memory)
    log = wanted.log or (wanted.space is None and wanted.time is None)
    leaf = wanted.leaf
    if leaf is None and (wanted.space is None or wanted.time is None):
        leaf = max(1, -(-planner.steps // LEAVES))
    if wanted.leaf_bytes is not None:
        return within_leaf(planner, mid, wanted.leaf_bytes, wanted.space, wanted.time, log)
    try:
        return planner.plan(pick(planner.steps, leaf, wanted.space, wanted.time, log, mid == HALVES), mid)
    except ValueError as error:
        raise InputError(f"{error}") from error


def run_plan(analysis: Analysis, reference: Standard, plan: DividePlan, wanted: DivideOptions,
             whole: float = 0.0, ended: Callable[[int], None] = lambda leaves: None,
             leaves: Plans | None = None) -> DividedResult:
    """Run a planned division. ``whole``: the CPU seconds that store-all took. ``ended``: told how many leaves have
    been. ``leaves``: by which leaves tape (None: they store all)."""
    machine = DividedMachine(analysis.head, analysis.models, reference.machine, reference.inputs, wanted.unit,
                             plans=leaves)
    try:
        ran = RanDivision(machine, machine, plan.tree.n, plan.rule, plan.mid, wanted.driver, ended)
    except ReplayError as error:
        where = f"{error.span.file}:{error.span.line}: " if error.span else ""
        return DividedResult(plan.mid, False, plan, error=f"{where}{error}")
    wrong = differences(reference.gradient, ran.gradient)
    return DividedResult(plan.mid, not wrong, plan, wrong, None, ran.peak, ran.tape, ran.held, ran.largest,
                         machine.spent.plain, ran.seconds / whole if whole > 0 else None)


def run_loop(analysis: Analysis, reference: Standard, line: int, wanted: DivideOptions,
             whole: float = 0.0, leaves: Plans | None = None) -> LoopScheduleResult:
    """Run the binomial schedule over a loop's iterations. Raises InputError for a line where none begins."""
    machine = DividedMachine(analysis.head, analysis.models, reference.machine, reference.inputs, wanted.unit,
                             plans=leaves)
    units = LoopUnits(machine, line)
    rule = pick(units.iterations, 1, d=wanted.loop_snapshots)
    ran = RanDivision(machine, units, units.iterations, rule, "optimal", "binary")
    return LoopScheduleResult(
        line, wanted.loop_snapshots, units.iterations, not differences(reference.gradient, ran.gradient), ran.peak,
        ran.tape, ran.live, ran.held, ran.largest, machine.spent.plain, ran.seconds / whole if whole > 0 else None)


@dataclass
class _ToldLog(CapsuleLog):
    """``ended``: told at each leaf how many have been."""

    ended: Callable[[int], None] = lambda leaves: None

    def leaf(self, interval: Interval[Capsule]) -> None:  # type: ignore[override]
        CapsuleLog.leaf(self, interval)
        self.ended(len(self.at_leaf))


class RanDivision:
    """One division, run: what it held and taped, in bytes."""

    def __init__(self, machine: DividedMachine, program: Interruptible[Capsule, StateAdjoint], n: int,
                 rule: StoppingRule, mid: str, driver: str, ended: Callable[[int], None] = lambda leaves: None) -> None:
        log, begun = _ToldLog(ended=ended), process_time()
        start = machine.start()
        adjoint = DRIVERS[driver](program, start, n, rule, MIDS[mid], StateAdjoint(), log)
        self.seconds = process_time() - begun
        assert isinstance(adjoint, StateAdjoint)
        assert adjoint.gradient is not None
        self.gradient = adjoint.gradient
        tapes = machine.spent.tapes
        self.peak = start.bytes + max((held + tape for held, tape in zip(log.at_leaf, tapes, strict=True)), default=0)
        self.tape = max(tapes, default=0)
        self.held = start.bytes + log.most_held
        self.largest = max(start.bytes, log.largest)
        self.live = log.tree(n).live


# ---------------------------------------------------------------- one capsule


def capsule_at(program: Program, head: Head, at: int, wanted: DivideOptions, inputs: Inputs | None = None,
               options: AnalysisOptions | None = None) -> CapsuleView:
    """The capsule at a step. Raises InputError: see :func:`divide`, and a step that the run has not."""
    analysis = prepare(program, head, options or AnalysisOptions())
    machine = head_machine(analysis, wanted)
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
        raise program_stopped(error, machine.program.procedures[machine.root].span) from error
    capsule = take(walker, [()] * len(walker.stack))
    live, elements = planner.machine.alive(walker, capsule.control, None)
    below = [{id(owner_of(slot.a)) for inner in range(depth, len(live)) for location in live[inner]
              for slot in memory_of(walker.stack, inner, location) if slot.a is not None}
             for depth in range(1, len(live) + 1)]
    rows = tuple(_active(analysis, walker.stack, *row, elements)
                 for row in zip(range(len(live)), live, below, strict=True))
    return CapsuleView(head.text, walker.at, planner.steps, wanted.unit, size, rows)


def _active(analysis: Analysis, stack: list[Activation], depth: int, live: tuple[Location, ...],
            inner: set[int], elements: LiveElements) -> ActiveProcedure:
    """``inner``: the memory that is live in what this procedure calls; ``elements``: of what not all is live."""
    one = stack[depth]
    code, model = one.frame.code, analysis.models.by_key[one.key]
    node = code.flow.nodes[one.node]
    state = one.frame.loops
    loops = tuple((code.flow.loops[n].stmt.span.line, state[n][0]) for n in node.loops if n in state)
    known, found, dead = set(live), [], []
    read = union(effect.use for effect in model.effects)
    for number, (location, info) in enumerate(zip(model.space.locations, model.space.infos, strict=True)):
        memory = [slot.a for slot in memory_of(stack, depth, location) if slot.a is not None]
        size = sum(int(array.nbytes) for array in memory)
        if location in known:
            which = elements.get((depth, location))
            found.append((info.name, size if which is None else int(which.sum())*memory[0].itemsize))
        elif size and not location.is_association:
            why = "written before it is read again, or read no more" if read >> number & 1 else "nothing here reads it"
            if all(id(owner_of(array)) in inner for array in memory):
                why = "held for what is called"
            dead.append((info.name, size, why))
    return ActiveProcedure(model.procedure.name, node.span.file, node.span.line, one.entered, loops,
                           tuple(sorted(found)), tuple(sorted(dead)))
