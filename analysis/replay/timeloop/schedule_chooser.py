"""The schedule of a name, made whenever the program comes to its time loop, and what that should cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from snapset.analysis.loops.checkpoint_room import Room
from snapset.analysis.loops.step_numbers import StepNumbers
from snapset.analysis.loops.step_weights import StepWeighing, StepWeights, by_steps, weights
from snapset.analysis.replay.timeloop.held_checkpoints import LoopMeasure
from snapset.analysis.replay.timeloop.schedule_results import LoopFigures
from snapset.analysis.replay.timeloop.scheduled_run import LoopEntrance
from snapset.analysis.replay.timeloop.step_names import names_in
from snapset.analysis.schedules.actions import Action, StorageLevel
from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError, MeasuredSchedule
from snapset.analysis.schedules.online_schedules import online_runs
from snapset.analysis.schedules.schedule_table import Offer, Storages, offers, online_sizes
from snapset.analysis.schedules.storage_text import Disk
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.nearest_name import nearest

CHECKPOINTS = (StorageLevel.MEMORY, StorageLevel.DISK)
SHORT = {"store-all": "all in memory", "mixed": "mixed, unequal sizes", "equal": "mixed, equal units",
         "online": "online,"}
NAMES = ("best", "all", *SHORT, "revolve", "none", "multistage", "two-level", "h-revolve", "disk-revolve",
         "periodic disk", "all on disk", "online mixed", "online two-level")


@frozen
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

    ``probed``: what a run that records every step measured, for each time that the loop is entered. ``online``: offer
    what need not know the number of steps. Of an online schedule the forward run is not told that number; the
    prediction is for as many steps as the probing run had.
    """

    name: str
    weighing: StepWeighing
    wanted: SchedulesWanted
    probed: Sequence[LoopMeasure]
    online: bool = False
    predicted: list[LoopFigures] = field(default_factory=list)
    by_formula: bool = True

    def __call__(self, entrance: LoopEntrance) -> Iterable[Action]:
        probed = self.probed[len(self.predicted)]
        online = self.name.startswith("online")
        numbers = StepNumbers(names_in(entrance.frame, self.weighing.figures))
        found = self.weighing.known(probed.steps if online else entrance.steps, numbers)
        if found is None:
            found = found_by_running(probed, self.probed, self.wanted.period)
            self.by_formula = False
        offer = self.named(found) or chosen(self.name, self.table(found))
        self.predicted.append(prediction(offer.measured))
        if online and offer.name.startswith("online"):
            return online_runs(*online_sizes(found.sizes, self.storages(found)))[offer.name](entrance.more)
        return offer.measured.schedule

    def table(self, found: StepWeights, named: str = "") -> Sequence[Offer]:
        """What there is for steps of these bytes, as :func:`offers` says."""
        return offers(found.sizes, self.storages(found), self.online or self.name.startswith("online"), found.peaks,
                      named)

    def named(self, found: StepWeights) -> Offer | None:
        """The schedule that was asked for by name, without a search for the best of all; None where it is not offered,
        or too large: who says so looks at the whole table."""
        if self.name in ("best", "all"):
            return None
        begins = beginning(self.name)
        try:
            table = self.table(found, begins)
        except InfeasibleBudgetError:
            return None
        return next((one for one in table if one.fits and one.name.lower().startswith(begins)), None)

    def storages(self, found: StepWeights) -> Storages:
        return self.wanted.storages(max(found.peaks, default=0))


def beginning(name: str) -> str:
    """How the name of a schedule begins in a table, in small letters."""
    return SHORT.get(name, name).lower()


class NotOfferedError(InputError):
    """A schedule that there is not with these bytes."""


def chosen(name: str, table: Sequence[Offer]) -> Offer:
    """The schedule of a name. Raises NotOfferedError where there is none, or it does not fit."""
    if name == "best":
        return next(one for one in table if one.best)
    found = next((one for one in table if one.name.lower().startswith(beginning(name))), None)
    if found is None and table[0].measured.schedule.steps <= 1:
        return chosen("best", table)  # of one step there is nothing to choose
    if found is None:
        raise NotOfferedError(f"--schedule {name}: with this much memory there is no such schedule; there are "
                              f"{', '.join(one.name for one in table)}")
    if not found.fits:
        raise NotOfferedError(f"--schedule {name}: {found.name} takes {found.measured.total} bytes with the working "
                              "storage, too many; give more with --memory, or take best")
    return found


def check_name(name: str) -> None:
    """Raises InputError for what is no schedule's name."""
    if name not in NAMES:
        raise InputError(f"--schedule {name}: no such schedule; there are {', '.join(NAMES)}{nearest(name, NAMES)}")


def fitting(table: Sequence[Offer]) -> Sequence[str]:
    """The names of what fits, without the number that a table says: ``revolve, 5 checkpoints`` is ``revolve``."""
    return tuple(dict.fromkeys(re.sub(r", [^,]*\d[^,]*$", "", one.name) for one in table if one.fits))


def prediction(found: MeasuredSchedule) -> LoopFigures:
    """What a schedule should cost, from its actions and the bytes of the steps."""
    counts, bytes_of = found.counts, found.sizes.bytes_of
    return LoopFigures(found.peak, found.total, counts.forward, sum(counts.writes[level] for level in CHECKPOINTS),
                       sum(counts.reads[level] for level in CHECKPOINTS),
                       counts.written(*CHECKPOINTS, size=bytes_of), counts.read(*CHECKPOINTS, size=bytes_of))


def found_by_running(measure: LoopMeasure, every: Sequence[LoopMeasure], period: int) -> StepWeights:
    """The bytes of the steps as a run found them; ``period``: iterations that make one."""
    chains = [one.chain for one in every if one.chain]
    chain = by_steps([max(sizes) for sizes in zip(*chains, strict=True)], period)
    return weights(measure.steps, chain, measure.ways, 1, False)
