"""The abstract machine: what it counts, worked out by hand, and what it refuses."""

from __future__ import annotations

import pytest
from snapset.analysis.schedules.abstract_machine import IllegalActionError, recount
from snapset.analysis.schedules.actions import (
    Action,
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Free,
    Load,
    StorageLevel,
)
from snapset.analysis.schedules.basic_schedules import all_in_memory, restart_from_first

WORK, MEMORY, DISK = StorageLevel.WORK, StorageLevel.MEMORY, StorageLevel.DISK
RESTART, DEPENDENCIES = Content.RESTART, Content.DEPENDENCIES

MIXED = (  # Table 5 of the paper: 4 steps, 2 units
    Advance(0, 1, DEPENDENCIES, MEMORY), Advance(1, 3, RESTART, MEMORY), Advance(3, 4, DEPENDENCIES), EndForward(),
    Adjoint(4, 3), Load(1, MEMORY, keep=False), Advance(1, 2, DEPENDENCIES, MEMORY), Advance(2, 3, DEPENDENCIES),
    Adjoint(3, 2), Load(1, MEMORY, keep=False), Adjoint(2, 1), Load(0, MEMORY, keep=False), Adjoint(1, 0),
    EndReverse())


def test_table_5_is_counted_as_the_paper_does() -> None:
    found = recount(MIXED)
    assert (found.steps, found.forward, found.adjoint, found.runs) == (4, 6, 4, (1, 2, 2, 1))
    assert found.writes == {WORK: 4, MEMORY: 3, DISK: 0}
    assert found.reads == {WORK: 4, MEMORY: 3, DISK: 0}
    assert (found.peak(MEMORY), found.peak(WORK), found.peak(MEMORY, WORK), found.peak(DISK)) == (2, 1, 3, 0)
    restart = next(one for one in found.checkpoints if one.content is RESTART)
    assert (restart.i, restart.span, restart.written, restart.last_read, restart.freed) == (1, 3, 1, 5, 5)


def test_bytes_are_weighed_by_what_is_held() -> None:
    found = recount(MIXED)
    assert found.peak(MEMORY, size=lambda one: 10 if one.content is RESTART else 1) == 11
    assert found.peak(MEMORY, size=lambda one: 10 * (one.span - one.i) if one.content is RESTART else 1) == 21


def test_what_is_read_for_the_last_time_counts_no_longer_but_holds_its_place() -> None:
    actions = (Advance(0, 1, RESTART, DISK), Advance(1, 2, DEPENDENCIES), EndForward(), Adjoint(2, 1),
               Load(0, DISK, keep=True), Advance(0, 1, DEPENDENCIES, MEMORY), Load(0, MEMORY, keep=False),
               Adjoint(1, 0), EndReverse())
    found = recount(actions)
    assert (found.peak(DISK, MEMORY), found.peak(DISK, MEMORY, freed=True)) == (1, 2)


@pytest.mark.parametrize(("steps", "all_stored", "none"),
                         [(0, 0, 0), (1, 1, 1), (2, 2, 3), (4, 4, 10), (100, 100, 5050)])
def test_the_two_ends_of_the_scale(steps: int, all_stored: int, none: int) -> None:
    everything, nothing = recount(all_in_memory(steps), steps), recount(restart_from_first(steps), steps)
    assert (everything.forward, everything.adjoint, everything.peak(WORK)) == (all_stored, steps, steps)
    assert (nothing.forward, nothing.adjoint) == (none, steps)
    assert (nothing.peak(MEMORY), nothing.peak(WORK)) == (int(steps > 1), min(steps, 1))
    assert all(one.freed is not None for one in everything.checkpoints + nothing.checkpoints)


ILLEGAL: dict[str, tuple[list[Action], str]] = {
    "elsewhere": ([Advance(1, 2)], "the forward is at 0"),
    "backward": ([Advance(0, 0)], "goes nowhere"),
    "too far": ([Advance(0, 4)], "the adjoint is at 3"),
    "not there": ([Load(0, MEMORY, keep=True)], "holds no checkpoint of step 0"),
    "nothing to free": ([Free(0, DISK)], "holds no checkpoint of step 0"),
    "twice": ([Advance(0, 1, RESTART, MEMORY), Load(0, MEMORY, keep=True), Advance(0, 1, RESTART, MEMORY)], "already"),
    "restart in the working storage": ([Advance(0, 1, RESTART, WORK)], "in memory or on disk"),
    "freed": ([Advance(0, 1, RESTART, MEMORY), Load(0, MEMORY, keep=False), Load(0, MEMORY, keep=False)], "no check"),
    "adjoint first": ([Advance(0, 3, DEPENDENCIES), Adjoint(3, 0)], "before EndForward"),
    "not recorded": ([Advance(0, 3), EndForward(), Adjoint(3, 2)], "lacks the dependencies of step 2"),
    "ended early": ([Advance(0, 2), EndForward()], "the last state is 3"),
    "ended twice": ([Advance(0, 3), EndForward(), EndForward()], "ended before"),
    "no adjoint": ([Advance(0, 3), EndForward(), EndReverse()], "the adjoint is not at 0"),
    "no end": ([Advance(0, 3, DEPENDENCIES), EndForward(), Adjoint(3, 0)], "without EndReverse"),
    "after the end": ([*all_in_memory(3), EndReverse()], "after EndReverse"),
    "from nowhere": ([Advance(0, 3, DEPENDENCIES), EndForward(), Adjoint(3, 2), Advance(3, 4)], "nowhere"),
    "restart from dependencies": ([Advance(0, 1, DEPENDENCIES, MEMORY), Load(0, MEMORY, keep=True), Advance(0, 1)],
                                  "nowhere"),
    "past the adjoint": ([Advance(0, 2, RESTART, MEMORY), Advance(2, 3, DEPENDENCIES), EndForward(), Adjoint(3, 2),
                          Load(0, MEMORY, keep=True), Advance(0, 3)], "the adjoint is at 2"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_what_cannot_be_done_is_refused(case: str) -> None:
    actions, message = ILLEGAL[case]
    with pytest.raises(IllegalActionError, match=message):
        recount(actions, 3)


def test_counting_does_not_take_as_long_as_running() -> None:
    """Fifty million forward steps, 30,000 actions."""
    found = recount(restart_from_first(10_000), 10_000)
    assert (found.forward, found.runs[0], found.runs[-1]) == (50_005_000, 10_000, 1)
