"""Mixed checkpointing with unequal sizes, all steps alike: the programme over (steps left, bytes free).

With r bytes of restart data, d bytes of dependencies, and P(n, B) forward steps for n steps and B bytes::

    P(n, B) = n                                          if (n - 1) d <= B, else the least of
              1 + P(n - 1, B - d)                        keep the dependencies of the first step
              m + P(n - m, B - r) + P(m, B)              keep restart data, advance m, 1 <= m < n

Where restart data takes less for short spans, r is that of the m steps that are run from it (R_(m-1)): what only a
longer span needs is dropped when the checkpoint is read and kept. Only the sums a r + b d, a for each r, matter as
values of B: one column for each that fits. Of schedules with equally few forward steps the one with the fewest stores
is taken; going back to restart data that is still there is no store. Both figures are in one integer: steps * unit +
stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray
from snapset.analysis.schedules.actions import Content
from snapset.analysis.schedules.mixed.mixed_actions import StoreChoice

IMPOSSIBLE = 1 << 60
MOST_KEPT = 1 << 20  # cells, 16 bytes each, of a programme that is kept for other budgets
_CHUNK = 1 << 15


def budgets(steps: int, r: int, d: int, most: int, by_span: Sequence[int] = ()) -> NDArray[np.int64]:
    """The sums a r + b d up to ``most``, ascending: the values of B at which something changes."""
    found = np.zeros(1, dtype=np.int64)
    for size in dict.fromkeys((d, *(by_span or (r,)))):
        several = np.arange(min(steps - 1, most // size) + 1 if size and steps else 1, dtype=np.int64) * size
        sums = np.add.outer(found, several).ravel()
        found = np.unique(sums[sums <= most])
    return found


def columns_at_most(steps: int, r: int, d: int, budget: int, by_span: Sequence[int] = ()) -> int:
    """An upper bound of how many columns there are, without making them."""
    most = min(budget, max(steps - 1, 0) * d)
    pairs = sum(min(steps, (most - a * r) // d + 1 if d else 1) for a in range(min(steps, most // r + 1) if r else 1))
    for size in by_span[:-1]:
        pairs *= min(steps, most // size + 1) if size and size != d else 1
    return min(pairs, most // (gcd(r, d, *by_span) or 1) + 1)


class ConstantSizes:
    """The solved programme for up to ``steps`` steps and up to ``budget`` bytes. ``by_span``: r for spans of 1, 2 ...
    steps; ``r`` for all longer ones."""

    def __init__(self, steps: int, r: int, d: int, budget: int, by_span: Sequence[int] = ()) -> None:
        self.r, self.d, self.steps = r, d, steps
        self.short = tuple(by_span[:-1])
        self.unit = 1 << (steps * (steps + 1) // 2).bit_length()
        self.B = budgets(steps, r, d, min(budget, max(steps - 1, 0) * d), by_span)
        self.after_r = np.searchsorted(self.B, self.B - r, side="right") - 1
        self.after_short = [np.searchsorted(self.B, self.B - one, side="right") - 1 for one in self.short]
        self.after_d = np.searchsorted(self.B, self.B - d, side="right") - 1
        shape = (len(self.B), steps + 1)
        self.backward = np.full(shape, IMPOSSIBLE, dtype=np.int64)  # P(n, B) with stores at [B, steps - n]
        self.kept = np.full(shape, IMPOSSIBLE, dtype=np.int64)  # the same with restart data there, + n, at [B, n]
        self._solve()

    def _solve(self) -> None:
        N, B, unit = self.steps, self.B, self.unit
        first = int(np.searchsorted(B, self.r))
        fits = np.searchsorted(B, np.arange(N)*self.d).tolist()  # the columns with which n + 1 steps keep everything
        if N:
            self.backward[:, N - 1] = unit
            self.kept[:, 1] = 2 * unit
        for n in range(2, N + 1):
            all_fit = fits[n - 1]
            store = np.full(len(B), n * unit + n - 1, dtype=np.int64)
            store[:all_fit] = np.where(self.after_d[:all_fit] >= 0,
                                       self.backward[self.after_d[:all_fit], N - n + 1] + unit + 1, IMPOSSIBLE)
            again = np.full(len(B), IMPOSSIBLE, dtype=np.int64)
            rows = max(1, _CHUNK // n)
            for low in range(first, all_fit, rows):
                high = min(low + rows, all_fit)
                split = self.backward[self.after_r[low:high], N - n + 1:N]
                split += self.kept[low:high, 1:n]
                again[low:high] = split.min(axis=1)
            for m, (size, after) in enumerate(zip(self.short[:n - 1], self.after_short, strict=False), 1):
                low = int(np.searchsorted(B, size))
                if low < all_fit:
                    split = self.backward[after[low:all_fit], N - n + m] + self.kept[low:all_fit, m]
                    again[low:all_fit] = np.minimum(again[low:all_fit], split)
            self.backward[:, N - n] = np.minimum(np.minimum(store, again + 1), IMPOSSIBLE)
            self.kept[:, n] = np.minimum(np.minimum(store, again), IMPOSSIBLE) + n * unit

    def column(self, budget: int) -> int:
        return int(np.searchsorted(self.B, budget, side="right")) - 1

    def forward_steps(self, n: int, budget: int) -> int | None:
        """P(n, B), or None where it is impossible."""
        if n == 0:
            return 0
        found = int(self.backward[self.column(budget), self.steps - n])
        return None if found >= IMPOSSIBLE else found // self.unit

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        """Ties: dependencies before restart data, then the longest advance (Maddison, section 4.3)."""
        n, N, column = j - i, self.steps, self.column(budget)
        if (n - 1) * self.d <= budget:
            return StoreChoice(Content.NOTHING)
        keep_d = IMPOSSIBLE
        if self.d <= budget:
            keep_d = int(self.backward[self.after_d[column], N - n + 1]) + self.unit + 1
        if self.restart(i, 1) > budget:
            return StoreChoice(Content.DEPENDENCIES)
        split = np.full(n - 1, IMPOSSIBLE, dtype=np.int64)
        if self.r <= budget:
            split[:] = self.backward[self.after_r[column], N - n + 1:N] + self.kept[column, 1:n]
        for m, (size, after) in enumerate(zip(self.short[:n - 1], self.after_short, strict=False), 1):
            if size <= budget:
                split[m - 1] = self.backward[after[column], N - n + m] + self.kept[column, m]
        m = n - 1 - int(np.argmin(split[::-1]))
        if keep_d <= int(split[m - 1]) + (not kept):
            return StoreChoice(Content.DEPENDENCIES)
        return StoreChoice(Content.RESTART, i + m)

    def restart(self, i: int, span: int | None = None) -> int:
        return self.short[span - 1] if span is not None and span <= len(self.short) else self.r

    def dependencies(self, i: int) -> int:
        return self.d


class GrowingProgramme:
    """The programme of one loop for whatever budget it is asked. The second time that it is asked for more than it was
    solved for, it is solved for twice as much at least: a table of fifty budgets is solved seven times."""

    def __init__(self, steps: int, r: int, d: int, by_span: Sequence[int]) -> None:
        self.steps, self.r, self.d, self.by_span = steps, r, d, by_span
        self.most = -1
        self.solved: ConstantSizes | None = None

    def up_to(self, budget: int) -> ConstantSizes:
        """The programme solved for a budget, or for more."""
        if self.solved is not None and budget <= self.most:
            return self.solved
        more = max(budget, 2*self.most)
        if self.cells(more) > MOST_KEPT:
            more = budget
        found = ConstantSizes(self.steps, self.r, self.d, more, self.by_span)
        if self.cells(more) <= MOST_KEPT:
            self.solved, self.most = found, more
        return found

    def cells(self, budget: int) -> int:
        return self.steps*columns_at_most(self.steps, self.r, self.d, budget, self.by_span)


@lru_cache(maxsize=2)
def programme_of(steps: int, r: int, d: int, by_span: tuple[int, ...] = ()) -> GrowingProgramme:
    """That of a loop, as far as it has been solved before."""
    return GrowingProgramme(steps, r, d, by_span)
