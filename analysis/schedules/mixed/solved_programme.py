"""Which dynamic programme answers for which sizes, and what bounds the answer where none is within reach.

All steps alike: :mod:`.mixed_constant`, sizes in bytes. Up to 64 steps that differ: :mod:`.mixed_varying`. More:
:mod:`.mixed_grid`, sizes in units of g bytes. Rounded answers are compared with revolve's, so none is worse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import Action, Content, StorageLevel
from snapset.analysis.schedules.mixed.mixed_actions import Programme, StoreChoice, actions_of
from snapset.analysis.schedules.mixed.mixed_constant import ConstantSizes, columns_at_most, programme_of
from snapset.analysis.schedules.mixed.mixed_grid import GridSizes
from snapset.analysis.schedules.mixed.mixed_varying import VaryingSizes
from snapset.analysis.schedules.mixed.revolve_counts import mixed_bound, revolve_steps
from snapset.analysis.schedules.step_sizes import EXACT_VARYING, Cost, StepSizes

MOST_WORK = 12_000_000_000  # sums that numpy forms at about 1e9 a second
MOST_CELLS = 10_000_000

Solved = tuple[Iterable[Action], Cost]


def solved(sizes: StepSizes, budget: int, where: StorageLevel) -> Solved:
    """The actions of the best schedule found, and a cost that no schedule is below. The budget is known to work."""
    if sizes.all_dependencies() <= budget:
        return actions_of(KeepAll(), sizes.steps, budget, where), sizes.first_run()
    if sizes.constant:
        actions, steps = alike(sizes.steps, sizes.r(0), sizes.d(0), budget, where, sizes.by_span)
        return actions, steps * sizes.f(0)
    if sizes.steps <= EXACT_VARYING:
        return _differing(sizes, budget, where)
    return _rounded(sizes, budget, where)


class KeepAll:
    """The programme of a loop all of whose dependencies fit."""

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        return StoreChoice(Content.NOTHING)

    def restart(self, i: int, span: int | None = None) -> int:
        return 0

    def dependencies(self, i: int) -> int:
        return 0


class FirstThatFits:
    """A schedule for every budget that works: one restart as early as it fits, dependencies before it."""

    def __init__(self, sizes: StepSizes) -> None:
        self.restart, self.dependencies = sizes.r, sizes.d

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        if j - i == 1:
            return StoreChoice(Content.NOTHING)
        if self.restart(i, j - 1 - i) <= budget:
            return StoreChoice(Content.RESTART, j - 1)
        return StoreChoice(Content.DEPENDENCIES)


def alike(n: int, r: int, d: int, budget: int, where: StorageLevel,
          by_span: tuple[int, ...] = ()) -> tuple[Iterable[Action], int]:
    """All steps alike, B < (n - 1) d, some schedule fits: the actions, and forward steps that none is below."""
    if within_reach(n, columns_at_most(n, r, d, budget, by_span)):
        exact = programme_of(n, r, d, by_span).up_to(budget)
        return actions_of(exact, n, budget, where), exact.forward_steps(n, budget) or n
    least = min((r, *by_span))
    s, most = _fitting(budget, r, n), _fitting(budget, min(least, d), n)
    lower = (revolve_steps(n, _fitting(budget, least, n)) or n) if d > budget else mixed_bound(n, most)
    g = -(-budget // coarse_columns(n)) if coarse_columns(n) else 0
    found: list[tuple[int, Iterable[Action]]] = []
    if s:
        found.append((revolve_steps(n, s) or n, _revolve(n, s, where)))
    else:
        plain = tuple(actions_of(FirstThatFits(StepSizes.of(n, r, d, by_span=by_span)), n, budget, where))
        found.append((recount(plain, n).forward, plain))
    units = [(1, 1, budget // max(r, d))] if r and d else []
    if g and d <= budget:
        units.append((-(-r // g), -(-d // g), budget // g))
        below = ConstantSizes(n, r // g, d // g, -(-budget // g), tuple(one // g for one in by_span))
        lower = max(lower, below.forward_steps(n, -(-budget // g)) or n)
    for r_units, d_units, fitting in units:
        if within_reach(n, 3 * columns_at_most(n, r_units, d_units, fitting)):
            programme = ConstantSizes(n, r_units, d_units, fitting)
            steps = programme.forward_steps(n, fitting)
            if steps is not None:
                found.append((steps, actions_of(programme, n, fitting, where)))
    return min(found, key=lambda one: one[0])[1], lower


def within_reach(n: int, columns: int) -> bool:
    return n * n // 2 * columns <= MOST_WORK and n * columns <= MOST_CELLS


def coarse_columns(n: int) -> int:
    """How many units a budget is divided into where bytes are out of reach; 0: too few to help."""
    columns = min(MOST_WORK // 4 // (n * n // 2), MOST_CELLS // n) - 1
    return columns if columns >= 16 else 0


def _fitting(budget: int, size: int, n: int) -> int:
    return min(n - 1, budget // size) if size else n - 1


def _revolve(n: int, s: int, where: StorageLevel) -> Iterator[Action]:
    from snapset.analysis.schedules.package_schedules import multistage

    yield from multistage(n, *((0, s) if where is StorageLevel.DISK else (s, 0)))


def _differing(sizes: StepSizes, budget: int, where: StorageLevel) -> Solved:
    n = sizes.steps
    costs, scale = whole_costs([sizes.f(i) for i in range(n)])
    programme = VaryingSizes(tuple(map(sizes.r, range(n))), tuple(map(sizes.d, range(n))), costs, budget, sizes.by_span)
    found = programme.forward_cost(budget)
    lower = Fraction(found or 0) / scale
    return actions_of(programme, n, budget, where), int(lower) if lower.denominator == 1 else float(lower)


def whole_costs(costs: list[Cost]) -> tuple[tuple[int, ...], Fraction]:
    """The costs as whole numbers, and what they were multiplied by: 0.5 and 1.25 are 2 and 5, by 4.

    Where that leaves the range of the machine's integers, they are rounded down to 1e-10 of their sum.
    """
    exact = [Fraction(str(c)) for c in costs]
    scale = Fraction(lcm(*(c.denominator for c in exact)))
    if sum(exact) * scale * len(costs) >= 1 << 46:
        scale = Fraction(1 << 40) / sum(exact)
    return tuple(int(c * scale) for c in exact), scale


def _rounded(sizes: StepSizes, budget: int, where: StorageLevel) -> Solved:
    """More steps than are exact: the best of the grid's answer, revolve's, and one that always works."""
    n = sizes.steps
    r, d, f = [sizes.r(i) for i in range(n)], [sizes.d(i) for i in range(n)], [sizes.f(i) for i in range(n)]
    spans = sizes.by_span
    unit = gcd(*r, *d, *spans) or 1
    columns = min(3_000_000_000 // (n ** 3 // 6), 16_000_000 // (n * n)) - 1
    g = unit if budget // unit <= columns else -(-budget // columns) if columns >= 16 else 0
    found: list[tuple[Programme, int]] = [(FirstThatFits(replace(sizes, by_span=())), budget)]
    lower = sizes.first_run()
    if g:
        fine = GridSizes([-(-x // g) for x in r], [-(-x // g) for x in d], f, budget // g, [-(-x // g) for x in spans])
        below = fine if g == unit else GridSizes(
            [x // g for x in r], [x // g for x in d], f, -(-budget // g), [x // g for x in spans])
        if fine.forward_cost(budget // g) is not None:
            found.append((fine, budget // g))
        lower = max(lower, below.forward_cost(budget // g if below is fine else -(-budget // g)) or 0)
    answers = [tuple(actions_of(programme, n, units, where)) for programme, units in found]
    if max(r) <= budget:
        answers.append(tuple(alike(n, max(r), max(d), budget, where)[0]))
    least = min((*r, *spans))
    if not g and min(d) and least <= budget < (n - 1) * min(d):
        lower = max(lower, alike(n, least, min(d), budget, where)[1] * min(f))
    return min(answers, key=lambda actions: _cost(actions, sizes)), lower


def _cost(actions: tuple[Action, ...], sizes: StepSizes) -> Cost:
    return sum(sizes.f(k) * runs for k, runs in enumerate(recount(actions, sizes.steps).runs))
