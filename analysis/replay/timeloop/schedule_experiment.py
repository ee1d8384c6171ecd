"""A head's time loop under schedules: is the gradient the store-all adjoint's, and does it cost what was said?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from snapset.analysis.loops.checkpoint_room import Room
from snapset.analysis.loops.loop_analysis import LoopAnalysis, loop_sets
from snapset.analysis.loops.step_weights import StepWeighing, StepWeights, weights
from snapset.analysis.replay.experiment.compare_strategies import Standard, differences, doubts, limited
from snapset.analysis.replay.experiment.gradient import Gradient, entered, gradient_of, seed
from snapset.analysis.replay.experiment.measurements import Why
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.timeloop.loop_plan import LoopPlan
from snapset.analysis.replay.timeloop.loop_planner import plan_loop
from snapset.analysis.replay.timeloop.schedule_results import (
    LoopFigures,
    LoopReplay,
    LossSet,
    LostLocation,
    ScheduleRun,
)
from snapset.analysis.replay.timeloop.scheduled_run import LoopMeasure, ScheduledRun
from snapset.analysis.replay.timeloop.step_names import names_in
from snapset.analysis.schedules.abstract_machine import Recount
from snapset.analysis.schedules.actions import Action, Adjoint, Schedule, StorageLevel
from snapset.analysis.schedules.basic_schedules import all_in_memory, restart_from_first
from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError, measured
from snapset.analysis.schedules.schedule_table import Offer, Storages, offers
from snapset.analysis.schedules.storage_text import Disk
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.nearest_name import nearest

CHECKPOINTS = (StorageLevel.MEMORY, StorageLevel.DISK)
SHORT = {"store-all": "all in memory", "mixed": "mixed, unequal sizes", "equal": "mixed, equal units"}
NAMES = ("best", "all", *SHORT, "revolve", "none", "multistage", "two-level", "h-revolve", "disk-revolve",
         "periodic disk", "all on disk")


@dataclass(frozen=True, slots=True)
class SchedulesWanted:
    """``memory``: bytes for checkpoints, beside the working storage of one step unless ``with_step``. ``schedules``: by
    name. ``period``: iterations that make a step. ``necessity``: leave out each location of the sets in turn."""

    memory: int
    schedules: tuple[str, ...] = ("best",)
    with_step: bool = False
    disk: Disk | None = None
    step_time: float = 1.0
    period: int = 1
    poison: bool = True
    necessity: bool = False

    def storages(self, peak: int) -> Storages:
        """Those there are where the working storage takes so much. Raises InputError where that is too much."""
        return Room(self.memory, self.with_step, self.disk, self.step_time).storages(peak)


@dataclass
class Chooser:
    """Makes the schedule of a name whenever the program comes to the loop, and remembers what that should cost.

    ``probed``: what a run that records every step measured, for each time that the loop is entered.
    """

    name: str
    weighing: StepWeighing
    wanted: SchedulesWanted
    probed: Sequence[LoopMeasure]
    predicted: list[LoopFigures] = field(default_factory=list)
    by_formula: bool = True

    def __call__(self, steps: int, frame: Frame) -> Iterable[Action]:
        found = self.weighing.known(steps, names_in(frame))
        if found is None:
            found = _probed(self.probed[len(self.predicted)], self.probed)
            self.by_formula = False
        schedule = chosen(self.name, self.table(found)).measured.schedule
        self.predicted.append(prediction(schedule, found))
        return schedule

    def table(self, found: StepWeights) -> Sequence[Offer]:
        """What there is for steps of these bytes."""
        return offers(found.sizes, self.wanted.storages(max(found.peaks, default=0)))


def chosen(name: str, table: Sequence[Offer]) -> Offer:
    """The schedule of a name. Raises InputError where there is none, or it does not fit."""
    if name == "best":
        return next(one for one in table if one.best)
    wanted = SHORT.get(name, name).lower()
    found = next((one for one in table if one.name.lower().startswith(wanted)), None)
    if found is None and table[0].measured.schedule.steps <= 1:
        return chosen("best", table)  # of one step there is nothing to choose
    if found is None:
        raise InputError(f"--schedule {name}: with this much memory there is no such schedule; there are "
                         f"{', '.join(one.name for one in table)}")
    if not found.fits:
        raise InputError(f"--schedule {name}: {found.name} takes {found.measured.total} bytes with the working "
                         "storage, too many; give more with --memory, or take best")
    return found


def check_name(name: str) -> None:
    """Raises InputError for what is no schedule's name."""
    if name not in NAMES:
        raise InputError(f"--schedule {name}: no such schedule; there are {', '.join(NAMES)}{nearest(name, NAMES)}")


def _fitting(table: Sequence[Offer]) -> Sequence[str]:
    """The names of what fits, without the number that a table says: ``revolve, 5 checkpoints`` is ``revolve``."""
    return tuple(dict.fromkeys(re.sub(r", [^,]*\d[^,]*$", "", one.name) for one in table if one.fits))


def prediction(schedule: Schedule, weighed: StepWeights) -> LoopFigures:
    """What a schedule should cost, from the bytes of the steps."""
    found = measured(schedule, weighed.sizes)
    counts = found.counts
    return LoopFigures(found.peak, _peak(schedule, counts, weighed), counts.forward,
                       sum(counts.writes[level] for level in CHECKPOINTS),
                       sum(counts.reads[level] for level in CHECKPOINTS))


def _peak(schedule: Schedule, counts: Recount, weighed: StepWeights) -> int:
    """The most bytes of checkpoints and working storage together; while a step is reversed it takes its own peak."""
    sizes, changes = weighed.sizes, [0]*(counts.actions + 1)
    for one in counts.checkpoints:
        changes[one.written] += sizes.bytes_of(one)
        changes[counts.actions if one.freed is None else one.freed] -= sizes.bytes_of(one)
    held = most = 0
    for number, action in enumerate(schedule):
        if isinstance(action, Adjoint):
            below = held
            for k in reversed(range(action.i, action.j)):
                below -= sizes.d(k)
                most = max(most, below + weighed.peak(k))
        held += changes[number]
        most = max(most, held)
    return most


def _probed(measure: LoopMeasure, every: Sequence[LoopMeasure]) -> StepWeights:
    """The bytes of the steps as a run found them."""
    restart = max((size for one in every for size in one.restart), default=0)
    return weights(measure.steps, restart, measure.dependencies, measure.peaks or measure.dependencies, 1, False)


def compare_schedules(found: LoopAnalysis, with_: Standard, wanted: SchedulesWanted,
                      heard: Callable[[str], None] = lambda doing: None) -> LoopReplay:
    """Run the head's adjoint with its loop under each schedule.

    Raises InputError for a budget that is too small, or a name of no schedule.
    """
    for name in wanted.schedules:
        check_name(name)
    trial = _Trial(found, with_, wanted)
    heard("replaying the loop step by step")
    probed = trial.probed()
    runs = []
    try:
        for name in trial.names(probed):
            heard(f"replaying schedule {name}")
            runs.append(trial.under(Chooser(name, trial.weighing, wanted, probed)))
    except InfeasibleBudgetError as error:
        raise InputError(f"{error.message}; give that with --memory", found.loop.span) from error
    lost = None
    if wanted.necessity:
        heard("replaying without each location")
        lost = tuple(trial.lost())
    loop = found.loop
    return LoopReplay(
        found.analysis.head().text, loop.place.file, loop.place.line, with_.used, tuple(one.steps for one in probed),
        wanted.memory, max((size for one in probed for size in one.restart), default=0),
        max((size for one in probed for size in one.dependencies), default=0), tuple(runs), lost, doubts(with_))


class _Trial:
    """One head's loop, ready to run under any schedule."""

    def __init__(self, found: LoopAnalysis, with_: Standard, wanted: SchedulesWanted) -> None:
        self.found = found
        self.with_ = with_
        self.wanted = wanted
        self.head = found.analysis.head()
        self.weighing = StepWeighing(found, wanted.period)
        self.plans, self.plan = plan_loop(with_.machine, found)

    def names(self, probed: Sequence[LoopMeasure]) -> Sequence[str]:
        """The schedules asked for; all: those that fit whenever the program comes to the loop."""
        if "all" not in self.wanted.schedules or not probed:
            return self.wanted.schedules
        several = [one for one in probed if one.steps > 1] or probed[:1]
        chooser = Chooser("all", self.weighing, self.wanted, probed)
        first, *others = [_fitting(chooser.table(one))
                          for one in dict.fromkeys(_probed(one, probed) for one in several)]
        return tuple(name for name in first if all(name in other for other in others))

    def run(self, plan: LoopPlan, scheduler: Callable[[int, Frame], Iterable[Action]],
            poison: bool) -> tuple[Gradient, ScheduledRun]:
        machine = self.with_.machine
        with np.errstate(all="ignore"):
            frame = entered(machine, self.with_.inputs)
            run = ScheduledRun(machine, self.plans, plan, scheduler, self.wanted.period, poison)
            run.adjoint(frame, self.plans.procedures[machine.root], 0, lambda: seed(self.head, machine, frame))
            return gradient_of(self.head, machine, frame), run

    def probed(self) -> Sequence[LoopMeasure]:
        """What each step leaves, each time that the loop is entered: with every step recorded, and with restarts."""
        try:
            _, every = self.run(self.plan, lambda steps, frame: all_in_memory(steps), False)
            _, again = self.run(self.plan, lambda steps, frame: _every_step(steps), False)
        except ReplayError as error:
            raise InputError(f"the loop cannot be run step by step: {error}", error.span) from error
        for one, other in zip(every.measures, again.measures, strict=True):
            one.restart = other.restart
            one.peaks = list(reversed(other.peaks))[:one.steps] if other.peaks else []
        return every.measures

    def under(self, chooser: Chooser) -> ScheduleRun:
        try:
            gradient, run = self.run(self.plan, chooser, self.wanted.poison)
        except ReplayError as error:
            where = f"{error.span.file}:{error.span.line}: " if error.span else ""
            return ScheduleRun(chooser.name, False, error=f"{where}{error}")
        different = differences(self.with_.gradient, gradient)
        return ScheduleRun(chooser.name, not different, different, None, together(map(_figures, run.measures)),
                           together(chooser.predicted), chooser.by_formula)

    def lost(self) -> Iterable[LostLocation]:
        """Leave out each location alone; names that lead to the same memory together."""
        sets = loop_sets(self.found)
        cases: list[tuple[LossSet, frozenset[str]]] = []
        cases += [("restart", one) for one in self.same_memory(one.name for one in sets.restart)]
        cases += [("dependencies", one) for one in self.same_memory(one.name for one in sets.dependencies)]
        with limited(self.with_.machine, 40*(self.with_.run.steps + 1000)):
            for kind, names in cases:
                plan = self.plan.without(names, kind, self.plans.rows)
                changed = self.changes(plan, kind, False)
                why: Why | None = None if changed else "unchanged" if self.changes(plan, kind, True) else "unused"
                yield LostLocation(kind, ", ".join(sorted(names)), why)

    def same_memory(self, names: Iterable[str]) -> Iterable[frozenset[str]]:
        """Names of a set, those together that may lead to the same memory."""
        space, left = self.found.loop.model.space, list(names)
        while left:
            reached = space.names(space.with_aliases(space.with_aliases(space.named(left[0]))))
            group = frozenset(one for one in left if one == left[0] or one in reached)
            left = [one for one in left if one not in group]
            yield group

    def changes(self, plan: LoopPlan, kind: LossSet, poison: bool) -> bool:
        """Does the gradient change under some schedule? Restart data counts where spans of all lengths are run again,
        from the first step or from later ones; dependencies where all steps wait for their adjoints."""
        return any(self.differs(plan, make, poison) for make in (
            (all_in_memory,) if kind == "dependencies" else (restart_from_first, _in_halves, _every_step)))

    def differs(self, plan: LoopPlan, make: Callable[[int], Schedule], poison: bool) -> bool:
        try:
            gradient, _ = self.run(plan, lambda steps, frame: make(steps), poison)
        except ReplayError:
            return True
        return not gradient.same(self.with_.gradient)


def _in_halves(steps: int) -> Schedule:
    from snapset.analysis.schedules.package_schedules import multistage

    return multistage(steps, max(1, steps//2))


def _every_step(steps: int) -> Schedule:
    from snapset.analysis.schedules.package_schedules import multistage

    return multistage(steps, max(1, steps - 1))


def _figures(one: LoopMeasure) -> LoopFigures:
    return LoopFigures(one.checkpoints, one.peak, one.forward, sum(one.writes.get(level, 0) for level in CHECKPOINTS),
                       sum(one.reads.get(level, 0) for level in CHECKPOINTS))


def together(every: Iterable[LoopFigures]) -> LoopFigures:
    """All times that the loop was entered: the most bytes, the sum of what was done."""
    found = list(every)
    return LoopFigures(max((f.stored for f in found), default=0), max((f.peak for f in found), default=0),
                       sum(f.forward for f in found), sum(f.writes for f in found), sum(f.reads for f in found))
