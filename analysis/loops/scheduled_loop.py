"""A time loop's sets and schedules: what a report shows."""

from __future__ import annotations

from dataclasses import dataclass

from snapset.analysis.loops.checkpoint_room import Room
from snapset.analysis.loops.loop_results import LoopSets
from snapset.analysis.schedules.online_schedules import OnlineOffer
from snapset.analysis.schedules.schedule_table import Offer


@dataclass(frozen=True, slots=True)
class ScheduledLoop:
    """A time loop: its sets; with numbers for all sizes, and bytes for checkpoints, all schedules. ``unknown``: the
    names that numbers lack for. ``online``: what holds for a number of steps that only the run tells."""

    sets: LoopSets
    schedules: tuple[Offer, ...] = ()
    unknown: tuple[str, ...] = ()
    restart_bytes: int | None = None
    untrimmed_bytes: int | None = None
    room: Room | None = None
    online: OnlineOffer | None = None

    @property
    def best(self) -> Offer | None:
        """The best one that fits."""
        return next((one for one in self.schedules if one.best), None)
