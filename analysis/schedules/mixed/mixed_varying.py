"""Mixed checkpointing with sizes and costs that differ from step to step: the programme over (i, j, B), exactly.

With forward cost f_i, restart bytes r_i, dependency bytes d_i, the least forward cost to bring the adjoint from j to
i, the forward being at i and B bytes free, is::

    P(i, j, B) = f_i + .. + f_(j-1)                            if d_i + .. + d_(j-2) <= B, else the least of
                 f_i + P(i + 1, j, B - d_i)                    keep the dependencies of step i
                 f_i + .. + f_(m-1) + P(m, j, B - r_i) + P(i, m, B)      keep restart data, i < m < j

P falls as B grows, in jumps: for each (i, j) the jumps are kept, so no size needs to be rounded. Costs and stores are
in one integer as in :mod:`.mixed_constant`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from snapset.analysis.schedules.actions import Content
from snapset.analysis.schedules.mixed.mixed_actions import StoreChoice
from snapset.analysis.schedules.mixed.mixed_constant import IMPOSSIBLE
from snapset.analysis.schedules.step_sizes import running_sums
from snapset.frontend.base.frozen_records import frozen

Numbers = NDArray[np.int64]
NONE: Numbers = np.empty(0, dtype=np.int64)


@frozen
class Jumps:
    """P(i, j, B) as a function of B: ``cost[k]`` from ``budget[k]`` bytes on; ``kept``: restart data of i is there."""

    budget: Numbers
    cost: Numbers
    kept: Numbers

    def at(self, budget: int, kept: bool = False) -> int:
        k = int(np.searchsorted(self.budget, budget, side="right")) - 1
        return IMPOSSIBLE if k < 0 else int((self.kept if kept else self.cost)[k])


class VaryingSizes:
    """The solved programme; ``restart``, ``dependencies`` and ``cost`` are whole numbers, one for each step."""

    def __init__(self, restart: tuple[int, ...], dependencies: tuple[int, ...], cost: tuple[int, ...],
                 budget: int, by_span: tuple[int, ...] = ()) -> None:
        """``by_span``: restart data of every step, for spans of 1, 2 ... steps."""
        self.r, self.d, self.f, self.by_span = restart, dependencies, cost, by_span
        self.steps, self.most = len(cost), budget
        self.unit = 1 << (self.steps * (self.steps + 1) // 2).bit_length()
        self.sum_d, self.sum_f = running_sums(dependencies), running_sums(cost)
        self.jumps: dict[tuple[int, int], Jumps] = {}
        for n in range(1, self.steps + 1):
            for i in range(self.steps - n + 1):
                self.jumps[i, i + n] = self._solve(i, i + n)

    def _solve(self, i: int, j: int) -> Jumps:
        everything = int(self.sum_d[j - 1] - self.sum_d[i])
        all_cost = self.run(i, j) * self.unit + j - i - 1
        most = min(self.most, everything - 1)
        budgets, stored, again = [], [], []
        if everything <= self.most:
            budgets.append(np.array([everything]))
            stored.append(np.array([all_cost]))
            again.append(np.array([IMPOSSIBLE]))
        if j - i > 1 and self.d[i] <= most:
            rest = self.jumps[i + 1, j]
            budgets.append(rest.budget + self.d[i])
            stored.append(rest.cost + (self.run(i, i + 1) * self.unit + 1))
            again.append(np.full(len(rest.budget), IMPOSSIBLE))
        for m in range(i + 1, j):
            r = self.restart(i, m - i)
            if r <= most:
                at, cost = _together(self.jumps[m, j], self.jumps[i, m], r, most)
                budgets.append(at)
                stored.append(np.full(len(at), IMPOSSIBLE))
                again.append(cost + self.run(i, m) * self.unit)
        return _least(np.concatenate(budgets or [NONE]), np.concatenate(stored or [NONE]),
                      np.concatenate(again or [NONE]))

    def run(self, i: int, m: int) -> int:
        return int(self.sum_f[m] - self.sum_f[i])

    def forward_cost(self, budget: int) -> int | None:
        """P(0, n, B), or None where it is impossible."""
        if not self.steps:
            return 0
        found = self.jumps[0, self.steps].at(budget)
        return None if found >= IMPOSSIBLE else found // self.unit

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        """Ties: dependencies before restart data, then the longest advance (Maddison, section 4.3)."""
        if self.sum_d[j - 1] - self.sum_d[i] <= budget:
            return StoreChoice(Content.NOTHING)
        best, found = IMPOSSIBLE, StoreChoice(Content.DEPENDENCIES)
        if self.d[i] <= budget:
            best = self.jumps[i + 1, j].at(budget - self.d[i]) + self.run(i, i + 1) * self.unit + 1
        for m in range(j - 1, i, -1):
            r = self.restart(i, m - i)
            if r <= budget:
                value = self.jumps[m, j].at(budget - r) + self.jumps[i, m].at(budget, kept=True)
                value += self.run(i, m) * self.unit + (not kept)
                if value < best:
                    best, found = value, StoreChoice(Content.RESTART, m)
        return found

    def restart(self, i: int, span: int | None = None) -> int:
        if span is not None and self.by_span:
            return self.by_span[min(span, len(self.by_span)) - 1]
        return self.r[i]

    def dependencies(self, i: int) -> int:
        return self.d[i]


def _together(late: Jumps, early: Jumps, r: int, most: int) -> tuple[Numbers, Numbers]:
    """P(m, j, B - r) + P(i, m, B) at each B where one of them jumps and both are possible."""
    if not len(late.budget) or not len(early.budget):
        return NONE, NONE
    at = np.concatenate((late.budget + r, early.budget))
    at = at[(at >= max(int(late.budget[0]) + r, int(early.budget[0]))) & (at <= most)]
    return at, (late.cost[np.searchsorted(late.budget, at - r, side="right") - 1]
                + early.kept[np.searchsorted(early.budget, at, side="right") - 1])


def _least(budgets: Numbers, stored: Numbers, again: Numbers) -> Jumps:
    """The running minimum over growing B, without the places where nothing changes."""
    if not len(budgets):
        return Jumps(NONE, NONE, NONE)
    order = np.argsort(budgets, kind="stable")
    at = budgets[order]
    store, rerun = np.minimum.accumulate(stored[order]), np.minimum.accumulate(again[order])
    cost, kept = np.minimum(store, rerun + 1), np.minimum(store, rerun)
    last = np.append(at[1:] != at[:-1], True)
    at, cost, kept = at[last], cost[last], kept[last]
    change = np.append(True, (cost[1:] != cost[:-1]) | (kept[1:] != kept[:-1]))
    return Jumps(at[change], cost[change], kept[change])
