"""The programme of :mod:`.mixed_varying` for long loops: budgets are multiples of a unit, forward cost only.

Sizes rounded up to the unit and the budget rounded down give a schedule that fits. Sizes rounded down and the budget
rounded up give a cost that no schedule can be below. ``P[i, j, B]`` is one array; minima over m and all B at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from snapset.analysis.schedules.actions import Content
from snapset.analysis.schedules.mixed.mixed_actions import StoreChoice
from snapset.analysis.schedules.step_sizes import running_sums

NEVER = np.float64(np.inf)


class GridSizes:
    """The solved programme; sizes in units, ``budget`` the most units. ``by_span``: restart data for spans of 1, 2 ...
    steps."""

    def __init__(self, restart: Sequence[int], dependencies: Sequence[int], cost: Sequence[float], budget: int,
                 by_span: Sequence[int] = ()) -> None:
        self.r, self.d = restart, dependencies
        self.short = tuple(by_span[:-1])
        self.steps, self.most = len(cost), budget
        self.sum_d, self.sum_f = np.array(running_sums(dependencies)), np.array(running_sums(cost), dtype=np.float64)
        self.P = np.full((self.steps + 1, self.steps + 1, budget + 1), NEVER)
        for n in range(1, self.steps + 1):
            for i in range(self.steps - n + 1):
                self._solve(i, i + n)

    def _solve(self, i: int, j: int) -> None:
        P, most, r, d = self.P[i, j], self.most, self.r[i], self.d[i]
        everything = int(self.sum_d[j - 1] - self.sum_d[i])
        if d <= most and j - i > 1:
            P[d:] = self.P[i + 1, j, :most + 1 - d] + self.run(i, i + 1)
        if r <= most and j - i > 1:
            run = (self.sum_f[i + 1:j] - self.sum_f[i])[:, None]
            again = self.P[i + 1:j, j, :most + 1 - r] + self.P[i, i + 1:j, r:] + run
            np.minimum(P[r:], again.min(axis=0), out=P[r:])
        for m, size in enumerate(self.short[:j - i - 1], i + 1):
            if size <= most:
                again = self.P[m, j, :most + 1 - size] + self.P[i, m, size:] + self.run(i, m)
                np.minimum(P[size:], again, out=P[size:])
        if everything <= most:
            P[everything:] = self.run(i, j)

    def run(self, i: int, m: int) -> float:
        return float(self.sum_f[m] - self.sum_f[i])

    def forward_cost(self, budget: int) -> float | None:
        """P(0, n, B), or None where it is impossible."""
        found = float(self.P[0, self.steps, budget])
        return None if found == NEVER else found

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        """Ties: dependencies before restart data, then the longest advance."""
        if self.sum_d[j - 1] - self.sum_d[i] <= budget:
            return StoreChoice(Content.NOTHING)
        keep_d = self.run(i, i + 1) + float(self.P[i + 1, j, budget - self.d[i]]) if self.d[i] <= budget else NEVER
        again = np.full(j - i - 1, NEVER)
        if self.r[i] <= budget:
            run = self.sum_f[i + 1:j] - self.sum_f[i]
            again[:] = self.P[i + 1:j, j, budget - self.r[i]] + self.P[i, i + 1:j, budget] + run
        for m, size in enumerate(self.short[:j - i - 1], i + 1):
            if size <= budget:
                again[m - i - 1] = self.P[m, j, budget - size] + self.P[i, m, budget] + self.run(i, m)
        at = len(again) - 1 - int(np.argmin(again[::-1]))
        return StoreChoice(Content.DEPENDENCIES) if keep_d <= again[at] else StoreChoice(Content.RESTART, i + 1 + at)

    def restart(self, i: int, span: int | None = None) -> int:
        return self.r[i] if span is None or span > len(self.short) else self.short[span - 1]

    def dependencies(self, i: int) -> int:
        return self.d[i]
