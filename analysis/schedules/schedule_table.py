"""The table of all schedules for a loop, its sizes and the bytes there are: which fit, and which is best.

    for offer in offers(StepSizes.of(100, 15968, 7984), Storages(memory=80_000)):
        print(offer.name, offer.measured.forward_steps, offer.measured.total, offer.fits, offer.best)

With a disk, schedules are compared by time: forward cost times the time of a step, and the bytes written to the disk
and read from it, by its speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isfinite

from snapset.analysis.schedules.actions import Schedule, StorageLevel
from snapset.analysis.schedules.basic_schedules import all_in_memory, restart_from_first
from snapset.analysis.schedules.best_schedule import (
    InfeasibleBudgetError,
    MeasuredSchedule,
    best_for,
    least_budget,
    measured,
)
from snapset.analysis.schedules.online_schedules import online_schedules
from snapset.analysis.schedules.step_sizes import StepSizes
from snapset.analysis.schedules.storage_text import Disk
from snapset.frontend.base.frozen_records import frozen

MEMORY, DISK, WORK = StorageLevel.MEMORY, StorageLevel.DISK, StorageLevel.WORK
MOST_PLANNING = 30_000_000  # n^2 s: with more, H-Revolve and disk-revolve take longer than some seconds to plan


@frozen
class Storages:
    """What there is: bytes of ``memory`` beside the working storage, and perhaps a ``disk``.

    ``step_time``: seconds that a step of cost 1 takes; needed to weigh the disk.
    """

    memory: int
    disk: Disk | None = None
    step_time: float = 1.0


@frozen
class Offer:
    """A row of the table. ``seconds``: forward steps and traffic with the disk, where there is one."""

    name: str
    measured: MeasuredSchedule
    fits: bool
    seconds: float | None = None
    best: bool = False


def offers(sizes: StepSizes, storages: Storages, online: bool = False,
           peaks: Sequence[int] = (), named: str = "") -> tuple[Offer, ...]:
    """All schedules for the loop, those that do not fit included; one that fits is marked best. ``online``: also those
    that need not know the number of steps. ``peaks``: the working storage at most while a step is reversed, one number
    for all steps, or one for each. ``named``: how the name of the one that is wanted begins; mixed ones with other
    names, which take longest to find, are left out then.

    Raises InfeasibleBudgetError if none fits.
    """
    made = [*_in_memory(sizes, storages.memory, named)]
    if storages.disk is not None:
        made += _with_disk(sizes, storages, storages.disk, named)
    if online:
        made += [*online_schedules(*online_sizes(sizes, storages))][1:]
    return _rated(made, sizes, storages, peaks)


def online_offers(sizes: StepSizes, storages: Storages) -> tuple[Offer, ...]:
    """The schedules that need not know the number of steps; the figures are for as many as ``sizes`` says.

    Raises InfeasibleBudgetError if none fits.
    """
    return _rated([*online_schedules(*online_sizes(sizes, storages))], sizes, storages)


def online_sizes(sizes: StepSizes, storages: Storages) -> tuple[int, int, int, int, int]:
    """What online schedules are told: steps, the largest bytes of restart data and of dependencies, the budget, and
    how many checkpoints the disk takes."""
    r, d = max(sizes.restart), max(sizes.dependencies)
    return sizes.steps, r, d, storages.memory, storages.disk.capacity // max(r, 1) if storages.disk else 0


def _rated(made: list[Schedule], sizes: StepSizes, storages: Storages,
           peaks: Sequence[int] = ()) -> tuple[Offer, ...]:
    rows = [_offer(schedule, sizes, storages, peaks) for schedule in made]
    fitting = [row for row in rows if row.fits]
    if not fitting:
        raise InfeasibleBudgetError(storages.memory, least_budget(sizes))
    best = min(fitting, key=_merit)
    return tuple(replace(row, best=True) if row is best else row for row in rows)


def _merit(row: Offer) -> tuple[float, int]:
    """Least time or forward cost; of these the fewest stores. The first such row is best."""
    cost = row.measured.forward_cost if row.seconds is None else row.seconds
    return cost, row.measured.counts.writes[MEMORY] + row.measured.counts.writes[DISK]


def _in_memory(sizes: StepSizes, budget: int, named: str) -> Iterator[Schedule]:
    """What needs no disk: the best of all, and what others would take."""
    n = sizes.steps
    yield all_in_memory(n)
    yield from _best(sizes, budget, MEMORY, "mixed, unequal sizes", named)
    if n > 1:
        r = max(sizes.restart)
        largest = max(r, *sizes.dependencies[:n - 1])
        yield from _equal_units(n, _at_most(budget, largest, n), named)
        if s := _at_most(budget, r, n):
            from snapset.analysis.schedules.package_schedules import multistage

            yield replace(multistage(n, s), name=f"revolve, {s} checkpoint{'s' if s > 1 else ''}")
    yield replace(restart_from_first(n), name="none (restart from the first)")


def _best(sizes: StepSizes, budget: int, where: StorageLevel, name: str, named: str) -> Iterator[Schedule]:
    if not name.startswith(named):
        return
    try:
        yield replace(best_for(sizes, budget, where).schedule, name=name)
    except InfeasibleBudgetError:
        return


def _equal_units(n: int, s: int, named: str) -> Iterator[Schedule]:
    """Maddison's (1): the same programme for units of one size."""
    yield from _best(StepSizes.of(n, 1, 1), s, MEMORY, "mixed, equal units", named)


def _at_most(budget: int, size: int, n: int) -> int:
    return min(n - 1, budget // size) if size else n - 1


def _with_disk(sizes: StepSizes, storages: Storages, disk: Disk, named: str) -> Iterator[Schedule]:
    """Schedules for two storages, planned with the time that *our* bytes take."""
    from snapset.analysis.schedules import package_schedules as package

    n, r = sizes.steps, max(sizes.restart, default=0)
    yield from _best(sizes, disk.capacity, DISK, "mixed, unequal sizes, on disk", named)
    if n <= 1:
        return
    yield from _two_storages(sizes, storages, disk)
    if sizes.all_dependencies() <= disk.capacity:
        yield package.everything_on_disk(n)
    in_memory, on_disk = _at_most(storages.memory, r, n), _at_most(disk.capacity, r, n)
    weight = disk.seconds(r) / storages.step_time / (sizes.first_run() / n)
    if on_disk and in_memory:
        yield package.multistage(n, in_memory, on_disk)
    if on_disk:
        period = -(-n // on_disk)
        yield package.freed(replace(package.two_level(n, period, in_memory, MEMORY),
                                    name=f"two-level, period {period}"))
    if in_memory:
        planned: list[tuple[bool, int, Callable[[], Schedule]]] = [
            (on_disk > 0, in_memory + on_disk, lambda: package.hrevolve(n, in_memory, on_disk, weight, weight)),
            (True, 4 * in_memory, lambda: package.disk_revolve(n, in_memory, weight, weight)),
            (True, 1, lambda: package.periodic_disk(n, in_memory, weight, weight))]
        for possible, effort, make in planned:
            if possible and n * n * effort <= MOST_PLANNING:
                yield package.freed(make())


def _two_storages(sizes: StepSizes, storages: Storages, disk: Disk) -> Iterator[Schedule]:
    """Mixed in both storages at once; sizes that differ count as the largest of them."""
    from snapset.analysis.schedules.mixed.two_storage_actions import two_storage_schedule
    from snapset.analysis.schedules.mixed.two_storages import DiskTimes, TwoStorages, within_two_reaches

    n, r, d = sizes.steps, max(sizes.restart), max(sizes.dependencies)
    times = DiskTimes(storages.step_time * sizes.first_run() / n, 1 / disk.bandwidth, 1 / disk.bandwidth)
    for room in (n * max(r, d), disk.capacity):  # a disk without end is quickly solved, and often nothing is amiss
        if within_two_reaches(n, r, d, storages.memory, room):
            solved = TwoStorages(n, r, d, storages.memory, room, times)
            if isfinite(solved.seconds(n, storages.memory, room)):
                found = two_storage_schedule(solved, storages.memory, room)
                if measured(found, StepSizes.of(n, r, d)).bytes_on(DISK) <= disk.capacity:
                    yield found
                    return


def _offer(schedule: Schedule, sizes: StepSizes, storages: Storages, peaks: Sequence[int]) -> Offer:
    if schedule.name.startswith("online"):  # nobody knows how far it will be run from what it stores
        sizes = replace(sizes, by_span=(), ways=())
    found = measured(schedule, sizes, peaks)
    room = storages.memory, storages.disk.capacity if storages.disk else 0
    if schedule.name == "all in memory":
        fits = sizes.all_dependencies() <= storages.memory
    else:
        fits = all(found.counts.peak(level, size=sizes.bytes_of, freed=True) <= most
                   for level, most in zip((MEMORY, DISK), room, strict=True))
    seconds = None
    if storages.disk is not None:
        seconds = found.forward_cost * storages.step_time + storages.disk.seconds(traffic(found))
    return Offer(schedule.name, found, fits, seconds)


def traffic(found: MeasuredSchedule) -> int:
    """Bytes written to the disk and read from it."""
    counts, size = found.counts, found.sizes.bytes_of
    return counts.written(DISK, size=size) + counts.read(DISK, size=size)
