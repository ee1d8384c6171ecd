"""Mixed checkpointing in memory and on disk: against exhaustive search, and its actions do what it says."""

from __future__ import annotations

import random
from math import inf

import pytest
from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import StorageLevel
from snapset.analysis.schedules.best_schedule import best_schedule, measured
from snapset.analysis.schedules.mixed.two_storage_actions import two_storage_schedule
from snapset.analysis.schedules.mixed.two_storages import DiskTimes, TwoStorages, within_two_reaches
from snapset.analysis.schedules.schedule_table import Storages, offers, traffic
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.analysis.schedules.storage_text import Disk

from tests.analysis.schedules.mixed.exhaustive_two import least_time

MEMORY, DISK = StorageLevel.MEMORY, StorageLevel.DISK


def agrees(seed: int, longest: int) -> None:
    rng = random.Random(seed)
    n, r, d = rng.randint(1, longest), rng.randint(1, 4), rng.randint(1, 4)
    memory, disk = rng.randint(0, 6), rng.randint(0, 9)
    write, read, step = rng.randint(0, 3), rng.randint(0, 3), rng.randint(1, 12)
    found = TwoStorages(n, r, d, memory, disk, DiskTimes(step, write, read)).seconds(n, memory, disk)
    least = least_time(n, {"r": r, "d": d}, memory, disk, write, read, step)
    assert found == (inf if least is None else least)


@pytest.mark.parametrize("seed", range(60))
def test_against_exhaustive_search(seed: int) -> None:
    agrees(seed, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 260))
def test_against_exhaustive_search_more(seed: int) -> None:
    agrees(seed, 5)


@pytest.mark.parametrize("seed", range(80))
def test_the_actions_take_the_time_and_room_that_was_promised(seed: int) -> None:
    rng = random.Random(seed)
    n, r, d = rng.randint(1, 40), rng.randint(1, 6), rng.randint(1, 6)
    memory, disk = rng.randint(r, 25), rng.randint(0, 40)
    times = DiskTimes(rng.randint(1, 9), speed := rng.choice([0.0, 0.25, 1.0, 4.0]), speed)
    programme = TwoStorages(n, r, d, memory, disk, times)
    found = measured(two_storage_schedule(programme, memory, disk), StepSizes.of(n, r, d))
    assert found.counts.peak(MEMORY, size=found.sizes.bytes_of, freed=True) <= memory
    assert found.counts.peak(DISK, size=found.sizes.bytes_of, freed=True) <= disk
    time = found.forward_steps * times.step + traffic(found) * speed
    assert time == pytest.approx(programme.seconds(n, memory, disk))


def test_without_a_disk_it_is_the_programme_for_memory() -> None:
    programme = TwoStorages(60, 3, 2, 20, 0, DiskTimes(1.0, 1.0, 1.0))
    best = best_schedule(steps=60, restart=3, dependencies=2, budget=20)
    assert programme.seconds(60, 20, 0) == best.forward_steps
    assert recount(two_storage_schedule(programme, 20, 0), 60).writes[DISK] == 0


def test_with_a_disk_of_no_time_everything_is_kept() -> None:
    assert TwoStorages(60, 3, 2, 20, 10**9, DiskTimes(1.0, 0.0, 0.0)).seconds(60, 20, 10**9) == 60


@pytest.mark.parametrize("speed", [1e3, 1e5, 1e7])
def test_no_other_schedule_with_a_disk_is_faster(speed: float) -> None:
    table = offers(StepSizes.of(80, 1500, 1000), Storages(6000, Disk(30_000, speed), 0.1))
    times = {row.name: row.seconds for row in table if row.fits and row.seconds is not None}
    assert times["mixed, two storages"] <= min(times.values()) * (1 + 1e-9)
    assert "H-Revolve" in times


def test_a_disk_too_large_to_count_in_bytes() -> None:
    """With room for 1,252 checkpoints the disk is taken as endless; what is planned fits all the same."""
    table = offers(StepSizes.of(1000, 15968, 7984), Storages(800_000, Disk(10**7, 1e8), 1e-3))
    best = next(row for row in table if row.best)
    assert best.name == "mixed, two storages"
    assert best.measured.bytes_on(DISK) <= 10**7
    assert best.measured.bytes_on(MEMORY) <= 800_000


@pytest.mark.parametrize(("steps", "r", "d", "memory", "disk", "solved"), [
    (1000, 1, 1, 9, 99, True),  # ten and a hundred columns: 1000*1000*10*100 sums are just as many as may be
    (1000, 1, 1, 10, 99, False), (1000, 1, 1, 9, 100, False),
    (100, 2, 3, 283, 280, True),  # 284*281 columns for each of a hundred steps fill 7,980,400 cells of 8,000,000
    (100, 2, 3, 284, 280, False)])
def test_how_large_the_tables_may_be(steps: int, r: int, d: int, memory: int, disk: int, solved: bool) -> None:
    assert within_two_reaches(steps, r, d, memory, disk) == solved
