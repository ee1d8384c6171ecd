"""Mixed checkpointing in memory and on a disk that takes time, with unequal sizes, all steps alike.

With x bytes of memory free and y of disk, f the time of a step, and the disk's time for writing and for reading r or d
bytes, the least time W(n, x, y) to reverse n steps, the forward being at the first, is f for n = 1, else the least of

    f + W(n-1, x-d, y)                                  its dependencies in memory
    f + write d + read d + W(n-1, x, y-d)               ... on disk
    m f + W(n-m, x-r, y) + W(m, x, y)                   restart data in memory
    m f + write r + W(n-m, x, y-r) + read r + K(m, x, y)      ... on disk

and K(n, x, y), its restart data being on disk already (y counts that room as free), the least of W and

    m f + W(n-m, x, y-r) + read r + K(m, x, y)          keep it there

Memory takes no time, so storing there again is free. No proof says that nothing outside this structure is better;
exhaustive search over short loops has found nothing. (A copy in memory beside the one on disk gained nothing either.)
"""

from __future__ import annotations

from enum import Enum, auto
from math import inf

import numpy as np
from numpy.typing import NDArray
from snapset.analysis.schedules.mixed.mixed_constant import budgets, columns_at_most
from snapset.frontend.base.frozen_records import frozen

MOST_WORK = 1_000_000_000
MOST_CELLS = 8_000_000
Times = NDArray[np.float64]
Columns = NDArray[np.int64]


@frozen
class DiskTimes:
    """Seconds: ``step`` for a step, ``write`` and ``read`` for a byte on disk."""

    step: float
    write: float
    read: float


class Storing(Enum):
    """What to do at the first of n steps."""

    RECORD = auto()
    DEPENDENCIES_IN_MEMORY = auto()
    RESTART_IN_MEMORY = auto()
    KEEP_ON_DISK = auto()
    DEPENDENCIES_ON_DISK = auto()
    RESTART_ON_DISK = auto()


class TwoStorages:
    """The solved programme for steps that are alike; the last row and column stand for "does not fit"."""

    def __init__(self, steps: int, r: int, d: int, memory: int, disk: int, times: DiskTimes) -> None:
        self.steps, self.r, self.d, self.times = steps, r, d, times
        self.X, self.Y = budgets(steps, r, d, _useful(steps, d, memory)), _disk_columns(steps, r, d, disk)
        self.x_r, self.x_d = _after(self.X, r), _after(self.X, d)
        endless = _endless(steps, r, d, disk)
        self.y_r, self.y_d = (np.zeros(1, dtype=np.int64),) * 2 if endless else (_after(self.Y, r), _after(self.Y, d))
        self.W: Times = np.full((steps + 1, len(self.X) + 1, len(self.Y) + 1), inf)
        self.K: Times = self.W.copy()
        if steps:
            self.W[1, :-1, :-1] = self.K[1, :-1, :-1] = times.step
        for n in range(2, steps + 1):
            self._solve(n)

    def _solve(self, n: int) -> None:
        W, K, t = self.W, self.K, self.times
        late, early = W[n - 1:0:-1], W[1:n, :-1, :-1]
        run = (np.arange(1, n) * t.step)[:, None, None]
        in_memory = np.minimum(W[n - 1][self.x_d, :-1], (late[:, self.x_r, :-1] + early + run).min(axis=0) - t.step)
        kept = (late[:, :-1][:, :, self.y_r] + K[1:n, :-1, :-1] + run).min(axis=0) + self.r * t.read
        on_disk = W[n - 1][:-1, self.y_d] + t.step + self.d * (t.write + t.read)
        best = np.minimum(np.minimum(in_memory + t.step, on_disk), kept + self.r * t.write)
        W[n, :-1, :-1] = best
        K[n, :-1, :-1] = np.minimum(best, kept)

    def seconds(self, n: int, memory: int, disk: int) -> float:
        """The least time, adjoint steps not counted; infinite where it is impossible."""
        return float(self.W[n, self.column(self.X, memory), self.column(self.Y, disk)]) if n else 0.0

    def column(self, columns: Columns, budget: int) -> int:
        return int(np.searchsorted(columns, budget, side="right")) - 1

    def choice(self, n: int, memory: int, disk: int, stored: bool) -> tuple[Storing, int]:
        """What to do, and how far to advance; ``stored``: restart data of the first step is on disk.

        Of equal times the first in the order of :class:`Storing`, and the longest advance.
        """
        if n == 1:
            return Storing.RECORD, 1
        W, K, t = self.W, self.K, self.times
        x, y = self.column(self.X, memory), self.column(self.Y, disk)
        x_r, x_d, y_r, y_d = self.x_r[x], self.x_d[x], self.y_r[y], self.y_d[y]
        m = np.arange(n - 1, 0, -1)
        run, late = m * t.step, W[n - m]
        disk_time = self.r * t.read
        found = {
            Storing.DEPENDENCIES_IN_MEMORY: W[n - 1, x_d, y:y + 1] + t.step,
            Storing.RESTART_IN_MEMORY: run + late[:, x_r, y] + W[m, x, y],
            Storing.KEEP_ON_DISK: run + late[:, x, y_r] + K[m, x, y] + (disk_time if stored else inf),
            Storing.DEPENDENCIES_ON_DISK: W[n - 1, x:x + 1, y_d] + t.step + self.d * (t.write + t.read),
            Storing.RESTART_ON_DISK: run + late[:, x, y_r] + K[m, x, y] + disk_time + self.r * t.write,
        }
        least = min(float(values.min()) for values in found.values()) * (1 + 1e-12)
        for what, values in found.items():
            if float(values.min()) <= least:
                one = what in (Storing.DEPENDENCIES_IN_MEMORY, Storing.DEPENDENCIES_ON_DISK)
                return what, 1 if one else int(m[int(np.argmin(values))])
        raise AssertionError("one of the values is the least")


def within_two_reaches(steps: int, r: int, d: int, memory: int, disk: int) -> bool:
    """Are the programme's tables small enough to be solved in about a second?"""
    x = columns_at_most(steps, r, d, memory)
    y = 1 if _endless(steps, r, d, disk) else columns_at_most(steps, r, d or 1, min(disk, steps * max(r, d)))
    return steps * x * y <= MOST_CELLS and steps * steps * x * y <= MOST_WORK


def _useful(steps: int, d: int, memory: int) -> int:
    return min(memory, max(steps - 1, 0) * d)


def _endless(steps: int, r: int, d: int, disk: int) -> bool:
    """Is there room on the disk for one checkpoint of every step?"""
    return disk >= max(steps - 1, 0) * max(r, d)


def _disk_columns(steps: int, r: int, d: int, disk: int) -> Columns:
    if _endless(steps, r, d, disk):
        return np.zeros(1, dtype=np.int64)
    return budgets(steps, r, d, disk)


def _after(columns: Columns, size: int) -> Columns:
    """For each column the one that is left when ``size`` bytes are taken; -1, the last, where they do not fit."""
    return np.searchsorted(columns, columns - size, side="right") - 1
