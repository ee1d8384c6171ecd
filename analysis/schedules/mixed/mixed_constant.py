"""Mixed checkpointing with unequal sizes, all steps alike: the programme over (steps left, bytes free).

With r bytes of restart data, d bytes of dependencies, and P(n, B) forward steps for n steps and B bytes::

    P(n, B) = n                                          if (n - 1) d <= B, else the least of
              1 + P(n - 1, B - d)                        keep the dependencies of the first step
              m + P(n - m, B - r) + P(m, B)              keep restart data, advance m, 1 <= m < n

Only the sums a r + b d matter as values of B: one column for each that fits. Of schedules with equally few forward
steps the one with the fewest stores is taken; going back to restart data that is still there is no store. Both
figures are in one integer: steps * unit + stores.
"""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import NDArray
from snapset.analysis.schedules.actions import Content
from snapset.analysis.schedules.mixed.mixed_actions import StoreChoice

IMPOSSIBLE = 1 << 60
_CHUNK = 1 << 15


def budgets(steps: int, r: int, d: int, most: int) -> NDArray[np.int64]:
    """The sums a r + b d up to ``most``, ascending: the values of B at which something changes."""
    restarts = np.arange(min(steps - 1, most // r) + 1 if r and steps else 1, dtype=np.int64) * r
    kept = np.arange(min(steps - 1, most // d) + 1 if d and steps else 1, dtype=np.int64) * d
    sums = np.add.outer(restarts, kept).ravel()
    return np.unique(sums[sums <= most])


def columns_at_most(steps: int, r: int, d: int, budget: int) -> int:
    """An upper bound of how many columns there are, without making them."""
    most = min(budget, max(steps - 1, 0) * d)
    pairs = sum(min(steps, (most - a * r) // d + 1 if d else 1) for a in range(min(steps, most // r + 1) if r else 1))
    return min(pairs, most // (gcd(r, d) or 1) + 1)


class ConstantSizes:
    """The solved programme for up to ``steps`` steps and up to ``budget`` bytes."""

    def __init__(self, steps: int, r: int, d: int, budget: int) -> None:
        self.r, self.d, self.steps = r, d, steps
        self.unit = 1 << (steps * (steps + 1) // 2).bit_length()
        self.B = budgets(steps, r, d, min(budget, max(steps - 1, 0) * d))
        self.after_r = np.searchsorted(self.B, self.B - r, side="right") - 1
        self.after_d = np.searchsorted(self.B, self.B - d, side="right") - 1
        shape = (len(self.B), steps + 1)
        self.backward = np.full(shape, IMPOSSIBLE, dtype=np.int64)  # P(n, B) with stores at [B, steps - n]
        self.kept = np.full(shape, IMPOSSIBLE, dtype=np.int64)  # the same with restart data there, + n, at [B, n]
        self._solve()

    def _solve(self) -> None:
        N, B, unit = self.steps, self.B, self.unit
        if N:
            self.backward[:, N - 1] = unit
            self.kept[:, 1] = 2 * unit
        for n in range(2, N + 1):
            all_fit = int(np.searchsorted(B, (n - 1) * self.d))
            store = np.full(len(B), n * unit + n - 1, dtype=np.int64)
            store[:all_fit] = np.where(self.after_d[:all_fit] >= 0,
                                       self.backward[self.after_d[:all_fit], N - n + 1] + unit + 1, IMPOSSIBLE)
            again = np.full(len(B), IMPOSSIBLE, dtype=np.int64)
            first, rows = int(np.searchsorted(B, self.r)), max(1, _CHUNK // n)
            for low in range(first, all_fit, rows):
                high = min(low + rows, all_fit)
                split = self.backward[self.after_r[low:high], N - n + 1:N]
                split += self.kept[low:high, 1:n]
                again[low:high] = split.min(axis=1)
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
        if self.r > budget:
            return StoreChoice(Content.DEPENDENCIES)
        split = self.backward[self.after_r[column], N - n + 1:N] + self.kept[column, 1:n]
        m = n - 1 - int(np.argmin(split[::-1]))
        if keep_d <= int(split[m - 1]) + (not kept):
            return StoreChoice(Content.DEPENDENCIES)
        return StoreChoice(Content.RESTART, i + m)

    def restart(self, i: int) -> int:
        return self.r

    def dependencies(self, i: int) -> int:
        return self.d
