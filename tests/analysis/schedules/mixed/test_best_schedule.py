"""Mixed checkpointing with unequal sizes: published counts, exhaustive search, and never worse than what there was."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from snapset.analysis.schedules.actions import Schedule, StorageLevel
from snapset.analysis.schedules.best_schedule import (
    BestSchedule,
    InfeasibleBudgetError,
    best_schedule,
    least_budget,
    measured,
)
from snapset.analysis.schedules.mixed.mixed_actions import actions_of
from snapset.analysis.schedules.mixed.mixed_constant import ConstantSizes
from snapset.analysis.schedules.mixed.mixed_grid import GridSizes
from snapset.analysis.schedules.mixed.mixed_varying import _least
from snapset.analysis.schedules.mixed.revolve_counts import mixed_bound, revolve_steps
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.frontend.base.diagnostics import InputError

from tests.analysis.schedules.mixed.exhaustive import least_cost
from tests.analysis.schedules.published import rows, varying


def steps_or_none(**given: Any) -> int | None:
    """The schedule's forward cost, its actions carried out; None if no budget of that size works."""
    try:
        found = best_schedule(**given)
    except InfeasibleBudgetError:
        return None
    assert found.exact
    assert found.peak <= given["budget"]
    assert found.counts.adjoint == given["steps"]
    assert found.counts.peak(StorageLevel.WORK) == 1
    return int(found.forward_cost)


def test_steps_of_revolve_and_mixed() -> None:
    table = rows("schedule-steps")
    assert len(table) == 211
    for n in {row["n"] for row in table}:
        most = max(int(row["s"]) for row in table if row["n"] == n)
        equal = ConstantSizes(int(n), 1, 1, most)
        for row in table:
            if row["n"] == n:
                s = int(row["s"])
                assert revolve_steps(int(n), s) == int(row["revolve"])
                assert equal.forward_steps(int(n), s) == int(row["mixed"])
                assert mixed_bound(int(n), s) <= int(row["mixed"])


def test_steps_with_a_restart_in_place() -> None:
    """Equation (2): p0(n, s) = the least with restart data of the first step there already, s more units free.

    Its case s = 0 lets the restart's own unit be reused, so one unit more is there once the restart is gone.
    """
    for row in rows("schedule-steps"):
        n, s = int(row["n"]), int(row["s"])
        if row["p0"] != "-":
            equal = ConstantSizes(n, 1, 1, s + 1)
            with_restart = min(m + equal.forward_steps(m, s + 1) + equal.forward_steps(n - m, s)
                               for m in range(1, n) if equal.forward_steps(n - m, s) is not None)
            assert with_restart == int(row["p0"])


def test_unequal_sizes() -> None:
    table = rows("schedule-unequal")
    assert len(table) == 674
    for row in table:
        n, r, d, budget = (int(row[name]) for name in ("n", "r", "d", "B"))
        found = steps_or_none(steps=n, restart=r, dependencies=d, budget=budget)
        assert ("-" if found is None else str(found)) == row["steps"], row


def test_varying_sizes() -> None:
    assert len(varying()) == 60
    for case in varying():
        assert steps_or_none(steps=len(case["r"]), restart=case["r"], dependencies=case["d"],
                             budget=case["B"]) == case["steps"], case


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(60))
def test_against_exhaustive_search(seed: int) -> None:
    found = random_case(seed)
    assert steps_or_none(**found[0]) == least_cost(*found[1])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 800))
def test_against_exhaustive_search_more(seed: int) -> None:
    found = random_case(seed)
    assert steps_or_none(**found[0]) == least_cost(*found[1])


def random_case(seed: int) -> tuple[dict[str, Any], tuple[list[int], list[int], list[int], int]]:
    """Sizes and costs that differ from step to step, or not; sometimes 0."""
    rng = random.Random(seed)
    n = rng.randint(1, 6)
    alike = seed % 3 == 0
    def draw(low: int, high: int) -> list[int]:
        return [rng.randint(low, high)] * n if alike else [rng.randint(low, high) for _ in range(n)]
    least = int(n > 4)  # with data of no bytes there are too many states to search
    r, d, f, budget = draw(least, 6), draw(least, 6), draw(1, 4), rng.randint(0, 14)
    return {"steps": n, "restart": r, "dependencies": d, "cost": f, "budget": budget}, (r, d, f, budget)


def spans_case(seed: int) -> tuple[dict[str, Any], tuple[Any, ...]]:
    """Restart data that takes less for short spans; the other sizes differ from step to step, or not."""
    rng = random.Random(seed)
    n, alike = rng.randint(2, 4 if seed < 60 else 5), seed % 2 == 0
    spans = sorted(rng.randint(1, 7) for _ in range(rng.randint(2, 3)))
    d = [rng.randint(1, 6)] * n if alike else [rng.randint(1, 6) for _ in range(n)]
    f = [1] * n if alike else [rng.randint(1, 3) for _ in range(n)]
    budget = rng.randint(0, 16)
    return ({"steps": n, "restart": spans[-1], "dependencies": d, "cost": f, "budget": budget,
             "restart_by_span": spans}, ([spans[-1]] * n, d, f, budget, spans))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(60))
def test_sizes_by_span_against_exhaustive_search(seed: int) -> None:
    given, searched = spans_case(seed)
    assert steps_or_none(**given) == least_cost(*searched)
    least = least_budget(StepSizes.of(len(searched[1]), searched[0][0], searched[1], searched[2], searched[4]))
    assert least == 0 or least_cost(*searched[:3], least - 1, searched[4]) is None
    assert steps_or_none(**{**given, "budget": least}) is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 500))
def test_sizes_by_span_against_exhaustive_search_more(seed: int) -> None:
    test_sizes_by_span_against_exhaustive_search(seed)


@pytest.mark.wide
def test_sizes_by_span_of_long_loops() -> None:
    """Beyond exhaustive search: never more steps than with the longest span's bytes, and the budget holds; by units
    (70 steps that differ), and where the exact programme is out of reach."""
    for n, spans, d, budget in ((100, (7984, 15968), 7984, 80_000), (300, (3, 8, 20), 9, 100),
                                (70, (512, 2048), [1024 * (1 + k % 3) for k in range(70)], 9 * 1024),
                                (30_000, (999, 1001), 1000, 60_000)):
        less = best_schedule(steps=n, restart=spans[-1], dependencies=d, budget=budget, restart_by_span=spans)
        more = best_schedule(steps=n, restart=spans[-1], dependencies=d, budget=budget)
        bounded(less, budget)
        assert less.forward_steps <= more.forward_steps
        assert less.lower_bound <= more.lower_bound


@pytest.mark.parametrize("seed", range(40))
def test_sizes_by_span_in_units_against_exhaustive_search(seed: int) -> None:
    """The programme of long loops; all sizes are multiples of its unit here, so that it is exact."""
    given, searched = spans_case(seed)
    expected, n = least_cost(*searched), given["steps"]
    if expected is None:
        return
    grid = GridSizes(searched[0], searched[1], searched[2], searched[3], searched[4])
    assert grid.forward_cost(searched[3]) == expected
    actions = tuple(actions_of(grid, n, searched[3], StorageLevel.MEMORY))
    found = measured(Schedule("units", n, actions), StepSizes.of(n, searched[4][-1], *searched[1:3], searched[4]))
    assert found.forward_cost == expected
    assert found.peak <= searched[3]


@pytest.mark.parametrize("seed", range(30))
def test_the_last_step_s_dependencies_decide_nothing(seed: int) -> None:
    """A last step of fewer iterations: the programme of steps that are alike is exact, as exhaustive search says."""
    rng = random.Random(seed)
    n, r, d, budget = rng.randint(2, 5), rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 14)
    each = [d]*(n - 1) + [rng.randint(0, 2*d)]
    sizes = StepSizes.of(n, r, each)
    assert sizes.planned().constant
    assert steps_or_none(steps=n, restart=r, dependencies=each, budget=budget) == \
        least_cost([r]*n, each, [1]*n, budget)


@pytest.mark.parametrize("seed", range(300))
def test_never_worse_than_what_there_was(seed: int) -> None:
    better_than_all_others(seed)


def better_than_all_others(seed: int) -> bool | None:
    """Never worse; is it strictly better? None: the sizes leave no room for that."""
    rng = random.Random(seed)
    n, r, d = rng.randint(5, 30), rng.randint(1, 12), rng.randint(1, 12)
    budget = rng.randint(0, max(r, d) * n)
    others = [steps for steps in (revolve_steps(n, budget // r), n if (n - 1) * d <= budget else None,
                                  ConstantSizes(n, 1, 1, budget // max(r, d)).forward_steps(n, budget // max(r, d)))
              if steps is not None]
    found = steps_or_none(steps=n, restart=r, dependencies=d, budget=budget)
    assert all(found is not None and found <= other for other in others)
    if r == d or not r <= budget < (n - 1) * d:
        return None
    return found is not None and all(found < other for other in others)


def test_often_strictly_better() -> None:
    verdicts = [better_than_all_others(seed) for seed in range(1000, 1600)]
    room = [verdict for verdict in verdicts if verdict is not None]
    assert len(room) > 150
    assert sum(room) >= 0.7 * len(room)


@pytest.mark.parametrize(("r", "d", "budget", "steps"), [(1, 10, 20, 266), (10, 1, 40, 189)])
def test_figures_of_a_hundred_steps(r: int, d: int, budget: int, steps: int) -> None:
    assert best_schedule(steps=100, restart=r, dependencies=d, budget=budget).forward_steps == steps


def test_budgets_at_the_edge() -> None:
    """Nothing, exactly the need, one byte less: for 0, 1, 2 and 5 steps, and all dependencies."""
    for n in (0, 1):
        assert best_schedule(steps=n, restart=3, dependencies=2, budget=0).forward_steps == n
    assert best_schedule(steps=2, restart=3, dependencies=2, budget=2).forward_steps == 2
    assert best_schedule(steps=5, restart=3, dependencies=2, budget=8).forward_steps == 5
    for budget in (3, 4, 7):
        found = best_schedule(steps=5, restart=3, dependencies=2, budget=budget)
        assert found.forward_steps == least_cost([3] * 5, [2] * 5, [1] * 5, budget)
    for n, budget, least in ((2, 1, 2), (5, 2, 3), (5, 0, 3)):
        with pytest.raises(InfeasibleBudgetError, match=f"the least budget that works is {least} bytes") as caught:
            best_schedule(steps=n, restart=3, dependencies=2, budget=budget)
        assert caught.value.least == least
    assert best_schedule(steps=7, restart=9, dependencies=0, budget=0).forward_steps == 7
    assert best_schedule(steps=7, restart=0, dependencies=9, budget=0).forward_steps == 13


@pytest.mark.parametrize("seed", range(100))
def test_the_least_budget_works_and_one_byte_less_does_not(seed: int) -> None:
    given, (r, d, f, _) = random_case(seed)
    least = least_budget(StepSizes.of(len(f), r, d, f))
    assert least_cost(r, d, f, least) is not None
    assert least == 0 or least_cost(r, d, f, least - 1) is None
    assert steps_or_none(**{**given, "budget": least}) is not None


def test_fewest_stores_of_equally_good_schedules() -> None:
    """With s = 1 and d too large to keep, one restart serves all: it is written once and kept."""
    found = best_schedule(steps=6, restart=1, dependencies=5, budget=1)
    assert (found.forward_steps, found.counts.writes[StorageLevel.MEMORY]) == (21, 1)


def test_the_stores_that_the_programme_counts_are_those_that_are_made() -> None:
    """Coming back to restart data that is still there is no store."""
    for n, r, d, budget in ((12, 1, 9, 2), (20, 2, 3, 7), (30, 3, 1, 8), (9, 1, 1, 1), (40, 5, 4, 23)):
        programme = ConstantSizes(n, r, d, budget)
        found = best_schedule(steps=n, restart=r, dependencies=d, budget=budget)
        counted = int(programme.backward[programme.column(budget), 0]) % programme.unit
        assert counted == found.counts.writes[StorageLevel.MEMORY]


def test_costs_weigh() -> None:
    """A step that takes long is not run twice; a cost of 0.5 is exact."""
    dear = best_schedule(steps=4, restart=1, dependencies=1, budget=1, cost=[1, 1, 100, 1])
    assert dear.counts.runs[2] < 3
    half = best_schedule(steps=4, restart=1, dependencies=1, budget=1, cost=[0.5, 1.25, 0.5, 0.5])
    assert half.exact
    assert half.forward_cost == least_cost([1] * 4, [1] * 4, [2, 5, 2, 2], 1) / 4  # type: ignore[operator]


def bounded(found: BestSchedule, budget: int) -> None:
    assert found.peak <= budget
    assert found.lower_bound <= found.forward_cost


@pytest.mark.wide
def test_long_loops_are_bounded() -> None:
    """100,000 steps that are alike; 90 and 1,200 that are not: the budget holds, and a bound is given."""
    alike = best_schedule(steps=20_000, restart=1001, dependencies=1000, budget=100_000)
    bounded(alike, 100_000)
    assert alike.forward_steps <= (revolve_steps(20_000, 99) or 0)
    assert 0 < alike.gap < 1
    rng = random.Random(7)
    for n in (90, 1200):
        r, d = ([rng.randint(1, 10**6) for _ in range(n)] for _ in range(2))
        bounded(best_schedule(steps=n, restart=r, dependencies=d, budget=5 * 10**6), 5 * 10**6)
        least = least_budget(StepSizes.of(n, r, d))
        bounded(best_schedule(steps=n, restart=r, dependencies=d, budget=least), least)


def test_rounding_is_exact_where_units_allow_it() -> None:
    """Seventy steps: too many for the exact programme, but all sizes are multiples of a kilobyte."""
    rng = random.Random(3)
    r, d = ([1024 * rng.randint(1, 4) for _ in range(70)] for _ in range(2))
    found = best_schedule(steps=70, restart=r, dependencies=d, budget=20 * 1024)
    assert found.exact
    assert found.forward_steps <= (revolve_steps(70, 5) or 0)


def test_large_numbers_and_numpy_s_are_numbers() -> None:
    assert best_schedule(steps=50, restart=2**50, dependencies=2**49, budget=10**30).forward_steps == 50
    few = best_schedule(steps=50, restart=2**50, dependencies=2**49, budget=2**53)
    assert few.forward_steps == best_schedule(steps=50, restart=2, dependencies=1, budget=16).forward_steps
    given = best_schedule(steps=np.int64(3), restart=np.array([1, 2, 3]), dependencies=(1, 2, 3), budget=np.int64(1),
                          cost=np.float64(2))
    assert (given.forward_steps, given.forward_cost) == (5, 10.0)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"steps": -1}, "steps: -1 is no number of steps"),
    ({"steps": 1.5}, "steps: 1.5 is no number"),
    ({"steps": 10**12}, "more than"),
    ({"steps": 200_001}, "take several iterations as one step"),
    ({"restart": 2**60}, "more than a petabyte"),
    ({"restart": -3}, "restart: -3 is no number of bytes"),
    ({"restart": "8*n"}, "restart: '8*n' is no number"),
    ({"dependencies": [1, 2]}, "dependencies: 2 numbers for 4 steps"),
    ({"dependencies": [1, 2, 3, -4]}, "dependencies of step 3: -4"),
    ({"cost": 0}, "cost: 0 is no cost"),
    ({"cost": [1, 1, float("nan"), 1]}, "cost of step 2: nan"),
    ({"cost": float("inf")}, "cost: inf"),
    ({"budget": -1}, "budget: -1"),
    ({"budget": True}, "budget: True"),
    ({"budget": None}, "budget: None"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD)
def test_what_is_no_size_is_refused(wrong: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"steps": 4, "restart": 1, "dependencies": 2, "budget": 3}
    with pytest.raises(InputError, match=re.escape(message)):
        best_schedule(**{**good, **wrong})


def test_a_budget_with_which_recording_is_no_dearer_than_storing() -> None:
    """Of budget 1 restart data and one run more, of budget 2 the dependencies: what follows costs as much with both,
    what is stored does not."""
    found = _least(np.array([1, 2]), np.array([9, 5]), np.array([5, 5]))
    assert [list(one) for one in (found.budget, found.cost, found.kept)] == [[1, 2], [6, 5], [5, 5]]
