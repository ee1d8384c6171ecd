"""A head's time loop under schedules: is the gradient the store-all adjoint's, and does it cost what was said?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from snapset.analysis.loops.loop_analysis import LoopAnalysis, loop_sets
from snapset.analysis.loops.step_spans import varying
from snapset.analysis.replay.experiment.compare_strategies import Standard, differences, doubts, limited
from snapset.analysis.replay.experiment.gradient import Gradient
from snapset.analysis.replay.experiment.measurements import Why
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.timeloop.held_checkpoints import LoopMeasure
from snapset.analysis.replay.timeloop.loop_plan import LoopPlan
from snapset.analysis.replay.timeloop.loop_planner import plan_loop
from snapset.analysis.replay.timeloop.loop_runs import LoopRuns, every_step
from snapset.analysis.replay.timeloop.schedule_chooser import (
    CHECKPOINTS,
    Chooser,
    NotOfferedError,
    SchedulesWanted,
    check_name,
    fitting,
    found_by_running,
)
from snapset.analysis.replay.timeloop.schedule_results import (
    LoopFigures,
    LoopReplay,
    LossSet,
    LostLocation,
    ScheduleRun,
)
from snapset.analysis.replay.timeloop.scheduled_run import ScheduledRun, Scheduler
from snapset.analysis.schedules.actions import Schedule
from snapset.analysis.schedules.basic_schedules import all_in_memory, restart_from_first
from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError
from snapset.frontend.base.diagnostics import Diagnostic, InputError


def compare_schedules(found: LoopAnalysis, with_: Standard, wanted: SchedulesWanted,
                      heard: Callable[[str], None] = lambda doing: None) -> LoopReplay:
    """Run the head's adjoint with its loop under each schedule.

    Raises InputError for a budget that is too small, or a name of no schedule.
    """
    for name in wanted.schedules:
        check_name(name)
    trial = _Trial(found, with_, wanted)
    heard("replaying the loop step by step")
    probed = trial.runs.measured()
    runs = []
    try:
        for name in trial.names(probed):
            heard(f"replaying schedule {name}")
            try:
                runs.append(trial.under(trial.chooser(name, probed)))
            except NotOfferedError:  # the worse side of a branch is predicted, and the runs before took the other
                if "all" not in wanted.schedules:
                    raise
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
        max((size for one in probed for size in one.dependencies), default=0), tuple(runs), lost,
        (*doubts(with_), *found.hazards, *trial.varying(probed)))


class _Trial:
    """One head's loop, ready to run under any schedule."""

    def __init__(self, found: LoopAnalysis, with_: Standard, wanted: SchedulesWanted) -> None:
        self.found = found
        self.with_ = with_
        self.wanted = wanted
        self.weighing = found.weighing(wanted.period)
        self.runs = LoopRuns(found.analysis.head(), with_.machine, with_.inputs, plan_loop(with_.machine, found),
                             wanted.period)
        self.plans, self.plan = self.runs.plans, self.runs.plan

    def names(self, probed: Sequence[LoopMeasure]) -> Sequence[str]:
        """The schedules asked for; all: those that fit whenever the program comes to the loop."""
        if "all" not in self.wanted.schedules or not probed:
            return self.wanted.schedules
        several = [one for one in probed if one.steps > 1] or probed[:1]
        chooser = self.chooser("all", probed)
        every = dict.fromkeys(found_by_running(one, probed, self.wanted.period) for one in several)
        first, *others = [fitting(chooser.table(one)) for one in every]
        return tuple(name for name in first if all(name in other for other in others))

    def chooser(self, name: str, probed: Sequence[LoopMeasure]) -> Chooser:
        return Chooser(name, self.weighing, self.wanted, probed, not self.found.loop.is_counted())

    def run(self, plan: LoopPlan, scheduler: Scheduler, poison: bool) -> tuple[Gradient, ScheduledRun]:
        return self.runs.run(plan, scheduler, poison)

    def varying(self, probed: Sequence[LoopMeasure]) -> Iterable[Diagnostic]:
        """SN501 with what was measured, where the steps did not leave the same number of bytes."""
        for one in probed[:1]:
            if len(set(one.dependencies)) > 1:
                unknown = set(self.weighing.figures.unknown(self.weighing.left))
                name = self.found.loop.model.procedure.name
                trips = {line: every for line, every in one.trips.items() if f"trips({name}:{line})" in unknown}
                yield varying(self.weighing.figures, self.weighing.left, one.dependencies, trips)

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
            (all_in_memory,) if kind == "dependencies" else (restart_from_first, _in_halves, every_step)))

    def differs(self, plan: LoopPlan, make: Callable[[int], Schedule], poison: bool) -> bool:
        try:
            gradient, _ = self.run(plan, lambda loop: make(loop.steps), poison)
        except ReplayError:
            return True
        return not gradient.same(self.with_.gradient)


def _in_halves(steps: int) -> Schedule:
    from snapset.analysis.schedules.package_schedules import multistage

    return multistage(steps, max(1, steps//2))


def _figures(one: LoopMeasure) -> LoopFigures:
    return LoopFigures(one.checkpoints, one.peak, one.forward, sum(one.writes.get(level, 0) for level in CHECKPOINTS),
                       sum(one.reads.get(level, 0) for level in CHECKPOINTS),
                       sum(one.written.get(level, 0) for level in CHECKPOINTS),
                       sum(one.read.get(level, 0) for level in CHECKPOINTS))


def together(every: Iterable[LoopFigures]) -> LoopFigures:
    """All times that the loop was entered: the most bytes, the sum of what was done."""
    found = list(every)
    return LoopFigures(max((f.stored for f in found), default=0), max((f.peak for f in found), default=0),
                       sum(f.forward for f in found), sum(f.writes for f in found), sum(f.reads for f in found),
                       sum(f.written for f in found), sum(f.read for f in found))
