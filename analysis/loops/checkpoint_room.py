"""What there is for a time loop's checkpoints."""

from __future__ import annotations

from snapset.analysis.schedules.schedule_table import Storages
from snapset.analysis.schedules.storage_text import Disk, bytes_of, disk_of
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen


@frozen
class Room:
    """What there is for checkpoints: ``memory`` in bytes, beside the working storage of one step unless ``with_step``;
    perhaps a disk. ``step_time``: seconds that a step takes."""

    memory: int
    with_step: bool = False
    disk: Disk | None = None
    step_time: float = 1.0

    def storages(self, peak: int) -> Storages:
        """Those there are where the working storage takes so much. Raises InputError where that is too much."""
        left = self.memory - (peak if self.with_step else 0)
        if left < 0:
            raise InputError(f"--memory: {self.memory} bytes are too few for the working storage of one step, which "
                             f"takes {peak}; give more")
        return Storages(left, self.disk, self.step_time)


def parse_room(memory: str, disk: str | None = None, step_time: float = 1.0) -> Room:
    """``80KB``, or ``80KB+step``: with the working storage of one step; a disk ``200GB@1.5GB/s``. Raises InputError."""
    size, plus, word = memory.partition("+")
    if plus and word.strip().lower() != "step":
        raise InputError(f"--memory {memory[:40]}: write bytes, or bytes+step, such as 80KB+step")
    if not 0 < step_time < float("inf"):
        raise InputError(f"--step-time {step_time}: no number of seconds above 0")
    return Room(bytes_of(size), bool(plus), None if disk is None else disk_of(disk), step_time)
