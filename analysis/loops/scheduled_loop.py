"""A time loop's sets and schedules: what a report shows."""

from __future__ import annotations

from snapset.analysis.loops.checkpoint_room import Room
from snapset.analysis.loops.loop_results import LoopSets
from snapset.analysis.schedules.online_schedules import OnlineOffer
from snapset.analysis.schedules.schedule_table import Offer
from snapset.frontend.base.frozen_records import frozen


@frozen
class DivideOffer:
    """What divide and conquer over the whole run takes in the same memory: ``rerun``, how often the run is run again in
    all. Nothing fits: ``peak`` is the least that some division takes, and ``fits`` is False."""

    peak: int
    rerun: float
    fits: bool


@frozen
class ScheduledLoop:
    """A time loop: its sets; with numbers for all sizes, and bytes for checkpoints, all schedules. ``unknown``: the
    names that numbers lack for. ``measured``: no formula tells the steps' bytes, a run did. ``online``: what holds for
    a number of steps that only the run tells. ``divide``: where inputs are known."""

    sets: LoopSets
    schedules: tuple[Offer, ...] = ()
    unknown: tuple[str, ...] = ()
    restart_bytes: int | None = None
    untrimmed_bytes: int | None = None
    room: Room | None = None
    online: OnlineOffer | None = None
    divide: DivideOffer | None = None
    measured: bool = False

    @property
    def best(self) -> Offer | None:
        """The best one that fits."""
        return next((one for one in self.schedules if one.best), None)
