"""What a run of a time loop holds, and what it measures."""

from __future__ import annotations

from dataclasses import dataclass, field

from snapset.analysis.replay.machine.saved_copies import Saved
from snapset.analysis.replay.machine.trace_entries import TraceEntry
from snapset.analysis.replay.timeloop.loop_plan import StepPlan
from snapset.analysis.schedules.actions import StorageLevel
from snapset.frontend.base.frozen_records import frozen


@dataclass(slots=True)
class LoopMeasure:
    """What one run of the loop did. ``peak``: bytes of restart data and dependencies at once; ``checkpoints``: outside
    of the working storage. ``forward``: steps run; ``writes``, ``reads``: how many by storage, ``written``, ``read``:
    their bytes; ``restart``, ``dependencies``: the bytes of each checkpoint written;
    ``chain``: the most bytes of R_0, R_1 ...; ``peaks``: of each step reversed, what it took at most; ``trips``: of
    loops inside, by line, the iterations in each step (where the steps were counted). ``ways``: what the steps left,
    and their peaks, by the way they were recorded (:class:`RecordedWay`), where several runs found them."""

    steps: int = 0
    forward: int = 0
    peak: int = 0
    checkpoints: int = 0
    writes: dict[StorageLevel, int] = field(default_factory=dict)
    reads: dict[StorageLevel, int] = field(default_factory=dict)
    written: dict[StorageLevel, int] = field(default_factory=dict)
    read: dict[StorageLevel, int] = field(default_factory=dict)
    restart: list[int] = field(default_factory=list)
    chain: list[int] = field(default_factory=list)
    dependencies: list[int] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)
    trips: dict[int, list[int]] = field(default_factory=dict)
    ways: tuple[tuple[list[int], list[int]], ...] = ()

    def by_step(self) -> tuple[list[int], list[int]]:
        """What each step left, and its peak, where every step was recorded once, the last one first."""
        return self.dependencies[::-1], self.peaks[::-1]


@frozen
class RecordedIteration:
    """``copies``: of what was copied at its end."""

    number: int
    plan: StepPlan
    trace: list[TraceEntry]
    copies: Saved


@dataclass(slots=True)
class Held:
    """Restart data (``saved``: R_0, what R_1 adds to it ... with its bytes), or the dependencies of a step: its
    iterations (``traces``)."""

    bytes: int
    saved: list[tuple[Saved, int]] = field(default_factory=list)
    traces: list[RecordedIteration] | None = None


def counted(figures: dict[StorageLevel, int], where: StorageLevel, more: int) -> None:
    """Add to the figure of a storage."""
    figures[where] = figures.get(where, 0) + more
