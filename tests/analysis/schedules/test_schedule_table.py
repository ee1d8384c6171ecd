"""The table of all schedules: the figures of a Burgers loop by hand, and what a disk changes."""

from __future__ import annotations

from typing import Any

import pytest
from snapset.analysis.schedules import schedule_table
from snapset.analysis.schedules.actions import Content, StorageLevel
from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError
from snapset.analysis.schedules.schedule_table import Offer, Storages, offers
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.analysis.schedules.storage_text import Disk, bytes_of, disk_of
from snapset.frontend.base.diagnostics import InputError


def by_name(*given: Any) -> dict[str, Offer]:
    return {row.name: row for row in offers(*given)}


def test_a_hundred_steps_of_burgers() -> None:
    """u and fold of 998 reals restart a step, u is its dependency; ten units of 7984 bytes are free."""
    table = by_name(StepSizes.of(100, 15968, 7984), Storages(80_000))
    figures = {name: (row.measured.forward_steps, row.measured.total, row.fits) for name, row in table.items()}
    assert figures == {
        "all in memory": (100, 798400, False),
        "mixed, unequal sizes": (301, 87824, True),
        "mixed, equal units": (352, 87824, True),
        "revolve, 5 checkpoints": (416, 87824, True),
        "none (restart from the first)": (5050, 23952, True),
    }
    assert [name for name, row in table.items() if row.best] == ["mixed, unequal sizes"]
    kept = {name: (row.measured.stores(Content.RESTART), row.measured.stores(Content.DEPENDENCIES))
            for name, row in table.items()}
    assert kept["all in memory"] == (0, 100)
    assert kept["none (restart from the first)"] == (1, 0)
    assert kept["revolve, 5 checkpoints"][1] == 0


def test_all_in_memory_is_best_where_it_fits() -> None:
    assert [row.name for row in offers(StepSizes.of(10, 5, 4), Storages(36)) if row.best] == ["all in memory"]
    assert [row.name for row in offers(StepSizes.of(10, 5, 4), Storages(35)) if row.best] == ["mixed, unequal sizes"]


def test_every_row_obeys_the_budget_that_it_is_said_to_fit() -> None:
    for budget in range(5, 60, 5):
        for row in offers(StepSizes.of(12, 5, 4), Storages(budget)):
            beside = row.measured.total - 4
            assert row.fits == (beside <= budget), row.name


def test_too_little_memory() -> None:
    with pytest.raises(InfeasibleBudgetError, match="least budget that works is 4 bytes"):
        offers(StepSizes.of(3, [4, 5, 6], [3, 3, 3]), Storages(3))


def test_time_counts_what_goes_to_the_disk() -> None:
    """Two steps of 1 s; the dependencies of the first, 10 bytes at 5 bytes a second, go out and come back."""
    table = by_name(StepSizes.of(2, 100, 10), Storages(0, Disk(10, 5.0), 1.0))
    assert table["mixed, unequal sizes, on disk"].seconds == 2 + 4
    assert table["mixed, unequal sizes, on disk"].best


def test_a_slow_disk_is_left_alone_and_a_fast_one_used() -> None:
    sizes = StepSizes.of(50, 1000, 900)
    slow = by_name(sizes, Storages(3000, Disk(10**6, 10.0), 1.0))
    fast = by_name(sizes, Storages(3000, Disk(10**6, 1e9), 1.0))
    best_slow, best_fast = (next(row for row in table.values() if row.best) for table in (slow, fast))
    assert best_slow.name == "mixed, unequal sizes"
    assert best_fast.measured.bytes_on(StorageLevel.DISK) > 0
    assert best_fast.measured.bytes_on(StorageLevel.MEMORY) <= 3000
    assert best_fast.measured.forward_steps == 50
    assert slow["H-Revolve"].measured.forward_steps > fast["H-Revolve"].measured.forward_steps


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_short_loops_with_a_disk(steps: int) -> None:
    for row in offers(StepSizes.of(steps, 8, 8), Storages(8, Disk(64, 8.0), 1.0)):
        assert row.measured.counts.adjoint == steps


def test_sizes_in_words() -> None:
    assert [bytes_of(text) for text in ("80KB", "1.5KiB", "0", "12 b", "2GB", ".5kb")] == \
        [80_000, 1536, 0, 12, 2 * 10**9, 500]
    assert disk_of("200GB@1.5GB/s") == Disk(200 * 10**9, 1_500_000_000)


@pytest.mark.parametrize("text", ["", "KB", "80 apples", "-3", "1e9", "80KBB", "1" * 60, "80iB"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(InputError, match="--memory"):
        bytes_of(text)


@pytest.mark.parametrize("text", ["200GB", "200GB@", "200GB@1.5GB", "@1GB/s", "200GB@0/s", "x@1/s"])
def test_what_is_no_disk(text: str) -> None:
    with pytest.raises(InputError, match="--disk"):
        disk_of(text)


def test_for_a_name_no_other_mixed_schedule_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for the best of all takes longest."""
    sizes, storages = StepSizes.of(100, 15968, 7984), Storages(80_000)
    whole = by_name(sizes, storages)
    mixed = [row.name for row in offers(sizes, storages, named="mixed, equal")]
    assert "mixed, unequal sizes" not in mixed
    monkeypatch.setattr(schedule_table, "best_for", lambda *given: pytest.fail("looked for"))
    for name in ("revolve", "none", "all in memory"):
        (found,) = (row for row in offers(sizes, storages, named=name) if row.name.startswith(name))
        assert found.measured == whole[found.name].measured
        assert found.fits == whole[found.name].fits
