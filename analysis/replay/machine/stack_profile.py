"""The stack's height over a run, thinned while it is recorded: highest and lowest in each stretch of time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen

Mark: TypeAlias = tuple[str, int]  # code key, node of a checkpointed part
Moment: TypeAlias = Literal["taken", "restored"]
FEW = 1024


@frozen
class Profile:
    """Height over time. Bucket k holds the steps from k*width on: ``low`` and ``high`` bytes in it, ``last`` at its
    end. ``turn``: the step at which the backward sweep begins. ``taken``, ``restored``: by part the buckets in which
    one of its snapshots was pushed, or popped.
    """

    width: int
    low: tuple[int, ...]
    high: tuple[int, ...]
    last: tuple[int, ...]
    turn: int
    taken: Mapping[Mark, tuple[int, ...]]
    restored: Mapping[Mark, tuple[int, ...]]


class HeightRecorder:
    """Records heights as they change. Holds at most ``limit`` buckets, doubling their width when there are more."""

    def __init__(self, limit: int = FEW) -> None:
        self.limit = limit
        self.width = 1
        self.turn = 0
        self.low: list[int] = [0]
        self.high: list[int] = [0]
        self.last: list[int] = [0]
        self.marks: dict[tuple[Moment, Mark], set[int]] = {}

    def note(self, time: int, height: int) -> None:
        """The height is ``height`` from step ``time`` on."""
        place = self.bucket(time)
        if height < self.low[place]:
            self.low[place] = height
        elif height > self.high[place]:
            self.high[place] = height
        self.last[place] = height

    def mark(self, time: int, moment: Moment, part: Mark) -> None:
        """A part's snapshot is taken or restored."""
        place = self.bucket(time)
        self.marks.setdefault((moment, part), set()).add(place)

    def turned(self, time: int) -> None:
        """The backward sweep begins."""
        self.turn = time

    def bucket(self, time: int) -> int:
        """The bucket of a step, made if it is new."""
        place = time // self.width
        while place >= self.limit:
            self.halve()
            place = time // self.width
        while place >= len(self.last):
            for row in (self.low, self.high):
                row.append(self.last[-1])
            self.last.append(self.last[-1])
        return place

    def halve(self) -> None:
        """Two buckets become one."""
        self.low = [min(self.low[i:i + 2]) for i in range(0, len(self.low), 2)]
        self.high = [max(self.high[i:i + 2]) for i in range(0, len(self.high), 2)]
        self.last = [self.last[min(i + 1, len(self.last) - 1)] for i in range(0, len(self.last), 2)]
        self.marks = {key: {place // 2 for place in places} for key, places in self.marks.items()}
        self.width *= 2

    def parts(self) -> frozenset[Mark]:
        """The parts of which a snapshot was taken."""
        return frozenset(part for _, part in self.marks)

    def profile(self, end: int) -> Profile:
        """What was recorded, up to step ``end``."""
        self.bucket(end)
        by_moment: dict[Moment, dict[Mark, tuple[int, ...]]] = {"taken": {}, "restored": {}}
        for (moment, part), places in sorted(self.marks.items()):
            by_moment[moment][part] = tuple(sorted(places))
        return Profile(self.width, tuple(self.low), tuple(self.high), tuple(self.last), self.turn,
                       by_moment["taken"], by_moment["restored"])
