"""The plan of a time loop as tables: what runs plainly, what is recorded, what is copied, what may be destroyed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.memory.locations import Location
from snapset.analysis.replay.machine.plan_tables import (
    LevelPlan,
    Plans,
    ProcedurePlan,
    Row,
    SavedLocation,
)
from snapset.analysis.replay.machine.saved_copies import Pieces, selected
from snapset.analysis.replay.memory.frames import Frame


@dataclass(frozen=True)
class StepPlan:
    """Of one way to run a step: recorded (``procedure``, ``at_end``: copied when it has run; ``planes``: what finds,
    when it begins, the elements of arrays of which not all are) or plain (``running``)."""

    procedure: ProcedurePlan
    level: LevelPlan
    at_end: tuple[SavedLocation, ...]
    planes: Mapping[Location, Callable[..., Any]]
    running: frozenset[int]

    def copied(self, frame: Frame, pieces: Pieces) -> Pieces:
        """The elements that will be copied when the step has run that begins now; of other arrays ``pieces``."""
        return {**pieces, **selected(frame, self.planes)} if self.planes else pieces


@dataclass(frozen=True)
class LoopPlan:
    """A time loop.

    ``first``: steps of the first run; ``again``: those of spans that are run again, by the iterations that are run
    behind them there, recorded, or plainly for what comes then; the last of them for all more. ``restart``: what is
    copied to restart, by the iterations that are run plainly from there: what each of them adds; ``kept``: what finds
    the elements of an array that restart its step, where those are not all. ``pieces``: what finds the stretch of an
    array. ``changed``: what the loop overwrites, to be destroyed whenever it is restored;
    ``written``: with what shares its memory; ``lost``: of ``changed``, what may be destroyed while steps wait for their
    adjoints. ``around``: copied before the loop and back behind it; ``across``: copied
    before the loop and back when the code behind it has been reversed, which destroys it. ``counter``: the DO
    variable's slot. ``shared``: some locations may be other names of the same memory.
    """

    loop: TimeLoop
    first: StepPlan
    again: tuple[StepPlan, ...]
    restart: tuple[tuple[SavedLocation, ...], ...]
    kept: Mapping[Location, Callable[..., Any]]
    pieces: Mapping[Location, Callable[..., Any]]
    changed: tuple[Location, ...]
    written: tuple[Location, ...]
    lost: tuple[Location, ...]
    around: tuple[SavedLocation, ...]
    across: tuple[SavedLocation, ...]
    counter: int | None
    shared: bool

    def at_restart(self, frame: Frame, pieces: Pieces) -> Pieces:
        """The elements that are copied to restart the step at whose beginning the program is; of other arrays
        ``pieces``."""
        return {**pieces, **selected(frame, self.kept)} if self.kept else pieces

    def without(self, names: frozenset[str], kind: str, rows: tuple[Row, ...]) -> LoopPlan:
        """The plan that does not keep some locations: of the ``restart`` data, or of the ``dependencies``."""
        def others(kept: tuple[SavedLocation, ...]) -> tuple[SavedLocation, ...]:
            return tuple(one for one in kept if one[1] < 0 or not _named(rows[one[1]], names))

        if kind == "restart":
            return replace(self, restart=tuple(map(others, self.restart)))
        return replace(self, first=_lacking(self.first, names, rows, others),
                       again=tuple(_lacking(one, names, rows, others) for one in self.again))


def _lacking(step: StepPlan, names: frozenset[str], rows: tuple[Row, ...],
             others: Callable[[tuple[SavedLocation, ...]], tuple[SavedLocation, ...]]) -> StepPlan:
    plans = Plans({step.procedure.key: step.procedure}, rows)
    index = step.procedure.levels.index(step.level)
    for number, row in enumerate(rows):
        if row.procedure == step.procedure.key and row.kind in ("snp", "sbk", "tape") and _named(row, names):
            plans = plans.without(number)
    procedure = plans.procedures[step.procedure.key]
    return replace(step, procedure=procedure, level=procedure.levels[index], at_end=others(step.at_end))


def _named(row: Row, names: frozenset[str]) -> bool:
    """Is it of one of these locations? What a pointer may lead to is written under all its names."""
    return not names.isdisjoint(row.location.split(", "))
