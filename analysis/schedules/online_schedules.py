"""Schedules for loops whose number of steps shows only at the end: DO WHILE, EXIT.

Each takes ``more``: is step i run? It is asked when the forward is at state i. Their actions run one step at a time::

    for action in dynamic(3, more=lambda i: residual > tolerance): ...

**Minimal repetition dynamic checkpointing** (Wang, Moin and Iaccarino 2009, algorithms 2 and 3) keeps s checkpoints of
restart data, and moves them as the loop goes on. Guarantee: with t the least number for which n <= C(s + t, t), no step
is run more than t + 2 times: once in the first run, t times at most to get to a later step, and once to record it.
Revolve, which knows n, needs t + 1, as it records the last step in the first run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import pairwise
from math import comb

from snapset.analysis.schedules.actions import (
    Action,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Free,
    Schedule,
    StorageLevel,
)
from snapset.analysis.schedules.basic_schedules import all_in_memory
from snapset.analysis.schedules.best_schedule import InfeasibleBudgetError
from snapset.analysis.schedules.mixed.mixed_actions import StoreChoice, reversal
from snapset.analysis.schedules.mixed.mixed_constant import ConstantSizes, columns_at_most
from snapset.analysis.schedules.mixed.solved_programme import within_reach
from snapset.analysis.schedules.package_schedules import freed, two_level
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

More = Callable[[int], bool]
MOST_CHECKPOINTS = 1 << 30  # where restart data has no bytes
FIRST = 1 << 60  # the level of the first step's checkpoint: nothing makes it dispensable


def dynamic(checkpoints: int, more: More, where: StorageLevel = StorageLevel.MEMORY) -> Iterator[Action]:
    """Minimal repetition dynamic checkpointing with so many checkpoints of restart data, at least one."""
    stored = yield from _first_run(checkpoints, more, where)
    yield from reversal(Revolve(), stored[:-1], stored[-1], checkpoints, where)


def dynamic_mixed(restart: int, dependencies: int, budget: int, more: More,
                  where: StorageLevel = StorageLevel.MEMORY) -> Iterator[Action]:
    """The first run of :func:`dynamic`; behind it n is known, and what is free is used as the mixed programme does.

    The part between two checkpoints is reversed with the fewest steps, restart data and dependencies mixed; parts that
    are out of the programme's reach as revolve does.
    """
    if restart > budget:
        raise InfeasibleBudgetError(budget, restart)
    checkpoints = budget // restart if restart else MOST_CHECKPOINTS
    stored = yield from _first_run(checkpoints, more, where)
    longest = max((j - i for i, j in pairwise(stored)), default=0)
    if within_reach(longest, columns_at_most(longest, restart, dependencies, budget)):
        programme = ConstantSizes(longest, restart, dependencies, budget)
        yield from reversal(programme, stored[:-1], stored[-1], budget, where)
    else:
        yield from reversal(Revolve(), stored[:-1], stored[-1], checkpoints, where)


def _first_run(checkpoints: int, more: More, where: StorageLevel) -> Generator[Action, None, list[int]]:
    """The forward up to its end; returns the steps whose restart data is kept, and the number of steps."""
    if checkpoints < 1:
        raise InputError(f"{checkpoints} checkpoints: a loop of unknown length needs at least one")
    levels: dict[int, int] = {}
    i, level = 0, FIRST
    while more(i):
        gone = None if len(levels) < checkpoints else dispensable(levels, level)
        if gone is not None:
            del levels[gone]
            yield Free(gone, where)
        if len(levels) < checkpoints:
            levels[i], level = level, 0
            yield Advance(i, i + 1, Content.RESTART, where)
        else:
            level += 1
            yield Advance(i, i + 1)
        i += 1
    yield EndForward()
    return [*sorted(levels), i]


def dispensable(levels: dict[int, int], now: int) -> int | None:
    """The last checkpoint before one of a higher level, the state that the forward is at included."""
    highest = now
    for i in sorted(levels, reverse=True):
        if levels[i] < highest:
            return i
        highest = levels[i]
    return None


class Revolve:
    """Restart data only, units of 1: advance as the package's revolve does."""

    def choice(self, i: int, j: int, budget: int, kept: bool) -> StoreChoice:
        from checkpoint_schedules.multistage import n_advance

        if j - i == 1:
            return StoreChoice(Content.NOTHING)
        return StoreChoice(Content.RESTART, i + n_advance(j - i, budget))

    def restart(self, i: int, span: int | None = None) -> int:
        return 1

    def dependencies(self, i: int) -> int:
        return 1


def two_level_online(period: int, checkpoints: int, more: More,
                     where: StorageLevel = StorageLevel.MEMORY) -> Iterator[Action]:
    """Restart data on disk every ``period`` steps; revolve with ``checkpoints`` more in between (the package's).

    Guarantee: no step is run more than t + 2 times, t the least number with period <= C(s + 1 + t, t); the disk takes
    a checkpoint for every period, however many these are.
    """
    done: list[Action] = []
    while more(len(done)):
        i = len(done)
        periodic = i % period == 0
        done.append(Advance(i, i + 1, *((Content.RESTART, StorageLevel.DISK) if periodic else ())))
        yield done[-1]
    n = len(done)
    actions = two_level(n, period, checkpoints, where).actions if n > 1 else _single(n)
    actions = freed(Schedule("", n, (*done, *actions[actions.index(EndForward()):]))).actions
    yield from actions[actions.index(EndForward()):]


def _single(steps: int) -> tuple[Action, ...]:
    """One step, or none, stored by the forward: the package is not asked."""
    back = tuple(reversal(Revolve(), range(steps), steps, 1, StorageLevel.DISK))
    return (EndForward(), *(back if steps else (EndReverse(),)))


def simulated(name: str, steps: int, run: Callable[[More], Iterator[Action]]) -> Schedule:
    """What an online schedule does if the loop turns out to have so many steps."""
    return Schedule(name, steps, tuple(run(lambda i: i < steps)), online=True)


def online_runs(steps: int, restart: int, dependencies: int, budget: int,
                on_disk: int = 0) -> Mapping[str, Callable[[More], Iterator[Action]]]:
    """What can be offered for an unknown number of steps, by name.

    ``steps``: a guess, from which the period of two levels follows; ``on_disk``: how many checkpoints of restart data
    a disk takes.
    """
    found: dict[str, Callable[[More], Iterator[Action]]] = {}
    s = budget // restart if restart else MOST_CHECKPOINTS
    if s:
        many = f"{s} checkpoint{'s' if s > 1 else ''}" if restart else "checkpoints of 0 bytes"
        found["online mixed"] = lambda more: dynamic_mixed(restart, dependencies, budget, more)
        found[f"online, {many}"] = lambda more: dynamic(s, more)
    if on_disk:
        period = max(1, -(-steps // on_disk))
        found[f"online two-level, period {period}"] = lambda more: two_level_online(period, min(s, steps), more)
    return found


def online_schedules(steps: int, restart: int, dependencies: int, budget: int,
                     on_disk: int = 0) -> Iterator[Schedule]:
    """What can be offered for an unknown number of steps, and would do if there were so many."""
    yield all_in_memory(steps)
    for name, run in online_runs(steps, restart, dependencies, budget, on_disk).items():
        yield simulated(name, steps, run)


@frozen
class Guarantee:
    """A loop of up to so many ``steps`` runs none of them more than ``runs`` times."""

    steps: int
    runs: int


@frozen
class OnlineOffer:
    """Minimal repetition dynamic checkpointing with so many checkpoints, however many steps there are."""

    checkpoints: int
    guarantees: tuple[Guarantee, ...]

    @classmethod
    def of(cls, checkpoints: int, most: int = 4) -> OnlineOffer:
        """The guarantees for t = 1 .. ``most``: C(s + t, t) steps, t + 2 runs."""
        return cls(checkpoints, tuple(Guarantee(comb(checkpoints + t, t), t + 2) for t in range(1, most + 1)))
