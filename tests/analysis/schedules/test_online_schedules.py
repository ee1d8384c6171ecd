"""Schedules for loops of unknown length: they end, hold what they may, and repeat no step more than promised."""

from __future__ import annotations

from itertools import islice

import pytest
from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import Advance, Content, StorageLevel
from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError, best_schedule
from snapset.analysis.schedules.mixed.revolve_counts import repetition, revolve_steps
from snapset.analysis.schedules.online_schedules import (
    dynamic,
    dynamic_mixed,
    online_schedules,
    simulated,
    two_level_online,
)
from snapset.analysis.schedules.schedule_table import Storages, online_offers
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.analysis.schedules.storage_text import Disk
from snapset.frontend.base.diagnostics import InputError

MEMORY, DISK, WORK = StorageLevel.MEMORY, StorageLevel.DISK, StorageLevel.WORK


@pytest.mark.parametrize("s", range(1, 11))
def test_minimal_repetition(s: int) -> None:
    """n up to 40: with t the least number for which n <= C(s + t, t), no step is run more than t + 2 times."""
    for n in range(41):
        found = recount(simulated("online", n, lambda more: dynamic(s, more)), n)
        assert found.adjoint == n
        assert found.peak(MEMORY, freed=True) <= s
        assert found.peak(WORK) <= 1
        assert max(found.runs, default=0) <= repetition(n, s) + 2
        assert all(one.freed is not None for one in found.checkpoints)
        assert found.forward <= n + (revolve_steps(n, s) or 0)


def test_the_first_run_with_two_checkpoints_is_the_paper_s() -> None:
    """One stays at the start, the other moves to 1, 3, 6, 10: as far as one, two, three, four repetitions reach."""
    stored = [action.i for action in islice(dynamic(2, lambda i: i < 11), 16)
              if isinstance(action, Advance) and action.store is Content.RESTART]
    assert stored == [0, 1, 3, 6, 10]


def test_the_loop_is_asked_once_a_step_and_in_order() -> None:
    asked: list[int] = []

    def more(i: int) -> bool:
        asked.append(i)
        return i < 7

    recount(tuple(dynamic(3, more)), 7)
    assert asked == list(range(8))


@pytest.mark.parametrize("period", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("s", [1, 2, 3])
def test_two_levels(period: int, s: int) -> None:
    for n in range(41):
        schedule = simulated("two-level", n, lambda more: two_level_online(period, s, more))
        found = recount(schedule, n)
        assert found.peak(MEMORY, freed=True) <= s
        assert found.writes[DISK] == -(-n // period)
        assert max(found.runs, default=0) <= repetition(period, s + 1) + 2


@pytest.mark.parametrize(("r", "d", "budget"), [(1, 1, 3), (3, 1, 9), (1, 3, 4), (2, 5, 2), (4, 0, 4)])
def test_what_is_free_is_mixed_behind_the_first_run(r: int, d: int, budget: int) -> None:
    """Never more steps than with restart data alone, and no more than one run of each step above the best of all."""
    sizes = StepSizes.of(40, r, d)
    for n in range(41):
        found = recount(simulated("mixed", n, lambda more: dynamic_mixed(r, d, budget, more)), n)
        alone = recount(simulated("alone", n, lambda more: dynamic(budget // r, more)), n)
        assert found.peak(MEMORY, size=sizes.bytes_of, freed=True) <= budget
        assert found.forward <= alone.forward
        assert found.forward >= best_schedule(steps=n, restart=r, dependencies=d, budget=budget).forward_steps


def test_no_checkpoint_at_all() -> None:
    with pytest.raises(InputError, match="needs at least one"):
        next(dynamic(0, lambda i: i < 3))
    with pytest.raises(InfeasibleBudgetError, match="least budget that works is 5 bytes"):
        next(dynamic_mixed(5, 1, 4, lambda i: i < 3))


@pytest.mark.parametrize("steps", [0, 1, 2, 30])
def test_the_table_for_an_unknown_number_of_steps(steps: int) -> None:
    table = online_offers(StepSizes.of(steps, 16, 8), Storages(64, Disk(160, 8.0), 1.0))
    assert [row.name.split(",")[0] for row in table] == ["all in memory", "online mixed", "online", "online two-level"]
    assert all(row.measured.counts.adjoint == steps for row in table)
    assert sum(row.best for row in table) == 1
    assert table[0].fits == (steps <= 9)


def test_what_can_be_offered_needs_no_number_of_steps() -> None:
    assert [one.name for one in online_schedules(5, 16, 8, 64, 3) if not one.online] == []
