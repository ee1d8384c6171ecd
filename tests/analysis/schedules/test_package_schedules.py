"""The package's schedules, translated: every count of an independent machine, and no more held than promised."""

from __future__ import annotations

import re

import pytest
from snapset.analysis.schedules import package_schedules as package
from snapset.analysis.schedules.abstract_machine import recount
from snapset.analysis.schedules.actions import Schedule, StorageLevel

from tests.analysis.schedules.published import rows

MEMORY, DISK = StorageLevel.MEMORY, StorageLevel.DISK
ROWS = rows("schedule-package")


def parameters(row: dict[str, str]) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", row["arguments"])}


def made(row: dict[str, str]) -> Schedule:
    n, given = int(row["n"]), parameters(row)
    count = {name: int(value) for name, value in given.items()}
    match row["schedule"]:
        case "Mixed":
            return package.mixed(n, count["s"], DISK)
        case "Multistage":
            return package.multistage(n, count["ram"], count["disk"])
        case "Revolve":
            return package.revolve(n, count["ram"])
        case "HRevolve":
            return package.hrevolve(n, count["ram"], count["disk"], given["wd"], given["rd"])
        case "DiskRevolve":
            return package.disk_revolve(n, count["ram"], given["wd"], given["rd"])
        case "PeriodicDiskRevolve":
            return package.periodic_disk(n, count["ram"], given["wd"], given["rd"])
    return package.two_level(n, count["period"], count["binomial"], MEMORY)


def counted(schedule: Schedule) -> dict[str, int]:
    found = recount(schedule, schedule.steps)
    return {"actions": found.actions, "forward": found.forward, "peak_ram": found.peak(MEMORY),
            "peak_disk": found.peak(DISK), "peak_both": found.peak(MEMORY, DISK),
            "peak_disk_undeleted": found.peak(DISK, freed=True),
            "writes_ram": found.writes[MEMORY], "writes_disk": found.writes[DISK],
            "reads_ram": found.reads[MEMORY], "reads_disk": found.reads[DISK]}


@pytest.mark.sample(2)
@pytest.mark.parametrize("n", sorted({row["n"] for row in ROWS}, key=int))
def test_every_row_is_counted_again(n: str) -> None:
    for row in ROWS:
        if row["n"] == n:
            assert counted(made(row)) == {name: int(row[name]) for name in row if name not in
                                          ("schedule", "arguments", "n")}, row


@pytest.mark.sample(3)
@pytest.mark.parametrize("n", sorted({row["n"] for row in ROWS}, key=int))
def test_what_is_read_for_the_last_time_is_freed(n: str) -> None:
    """No schedule holds more than it was given, and none changes what it does."""
    for row in ROWS:
        if row["n"] == n:
            before, after = counted(made(row)), counted(package.freed(made(row)))
            given = parameters(row)
            assert after["peak_disk_undeleted"] == before["peak_disk"]
            assert recount(package.freed(made(row))).peak(MEMORY, freed=True) <= given.get("ram", 10**9)
            assert after["peak_disk_undeleted"] <= given.get("disk", 10**9)
            unchanged = [name for name in before if name not in ("actions", "peak_disk_undeleted")]
            assert [before[name] for name in unchanged] == [after[name] for name in unchanged]


def test_all_rows_are_there() -> None:
    assert len(ROWS) == 273


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_short_loops(n: int) -> None:
    for schedule in (package.mixed(n, 1), package.multistage(n, 1), package.revolve(n, 1),
                     package.hrevolve(n, 1, 1, 2.0, 2.0), package.disk_revolve(n, 1, 2.0, 2.0),
                     package.periodic_disk(n, 1, 2.0, 2.0), package.two_level(n, 2, 1), package.everything(n),
                     package.everything_on_disk(n)):
        found = recount(package.freed(schedule), n)
        assert found.adjoint == n
        assert found.forward >= n
        assert all(one.freed is not None for one in found.checkpoints)


def test_planning_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    package.periodic_disk(50, 3, 2.0, 2.0)
    assert capsys.readouterr() == ("", "")
