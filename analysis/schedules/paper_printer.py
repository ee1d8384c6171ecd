"""A schedule in Maddison's vocabulary, as in Tables 2 to 5 of his paper.

Our ``Advance(1, 3, Content.RESTART, StorageLevel.DISK)`` is printed as his

    Configure(True, False)      buffer restart data, no dependencies
    Forward(1, 3)
    Write(1, disk)
    Clear(True, True)

``Delete(i, storage)`` is our ``Free``: the paper leaves room for it ("an extra action to delete checkpoints").
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from snapset.analysis.schedules.actions import (
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Free,
    Load,
    Schedule,
    StorageLevel,
)
from snapset.frontend.base.frozen_records import frozen

NAMES = {StorageLevel.MEMORY: "RAM", StorageLevel.DISK: "disk", StorageLevel.WORK: "work"}


@frozen
class PaperAction:
    """A row of the paper's tables; ``index`` is None for Initialize and Finalize, which are the caller's."""

    index: int | None
    action: str
    forward: str = "-"
    adjoint: str = "-"

    def __str__(self) -> str:
        return "\t".join(("-" if self.index is None else str(self.index), self.action, self.forward, self.adjoint))


def paper_actions(schedule: Schedule) -> tuple[PaperAction, ...]:
    """The rows for one schedule."""
    rows: list[PaperAction] = []
    index = 0
    for text, forward, adjoint in _rows(schedule):
        own = not text.startswith(("Initialize", "Finalize"))
        rows.append(PaperAction(index if own else None, text, forward, adjoint))
        index += own
    return tuple(rows)


Row = tuple[str, str, str]
CLEAR: Row = ("Clear(True, True)", "-", "-")


def _rows(schedule: Schedule) -> Iterator[Row]:
    restarts: dict[tuple[int, StorageLevel], bool] = {}
    finalize = schedule.steps if schedule.online else None
    whole = isinstance(first := next(iter(schedule), None), Advance) and first.store is Content.DEPENDENCIES \
        and first.where is StorageLevel.WORK and schedule.repeatable
    if not schedule.online:
        yield f"Initialize({schedule.steps})", "-", "-"
    for action in schedule:
        match action:
            case Advance(_, j, store, where):
                if store is not Content.NOTHING:
                    restarts[action.i, where] = store is Content.RESTART
                    restarts |= {(k, where): False for k in range(action.i + 1, j) if store is Content.DEPENDENCIES}
                yield from _advance(action, finalize if j == finalize else None, whole)
                finalize = None if j == finalize else finalize
            case Load(i, where, keep):
                restart = restarts[i, where]
                yield f"Read({i}, {NAMES[where]}, {not keep})", f"-> {i if restart else '*'}", "-"
                if restart:
                    yield CLEAR
            case Free(i, where):
                yield f"Delete({i}, {NAMES[where]})", "-", "-"
            case Adjoint(j, i):
                yield f"Reverse({j}, {i})", "-", f"{j} -> {i}"
                if not whole:
                    yield CLEAR
            case EndForward():
                yield "EndForward()", "-", "-"
            case EndReverse():
                yield f"EndReverse({not schedule.repeatable})", "-", "-"


def _advance(action: Advance, finalize: int | None, whole: bool) -> Iterator[Row]:
    """``finalize``: the loop turns out to end here. ``whole``: both kinds of data of all steps stay where they are."""
    recorded = action.store is Content.DEPENDENCIES
    apart = recorded and action.where is not StorageLevel.WORK
    spans = [(k, k + 1) for k in range(action.i, action.j)] if apart else [(action.i, action.j)]
    for i, j in spans:
        yield f"Configure({whole or action.store is Content.RESTART}, {recorded})", "-", "-"
        yield f"Forward({i}, {sys.maxsize if whole and finalize else j})", f"{i} -> {j}", "-"
        if finalize is not None and j == action.j:
            yield f"Finalize({finalize})", "-", "-"
        if action.where is not StorageLevel.WORK:
            yield f"Write({i}, {NAMES[action.where]})", "-", "-"
        if action.where is not StorageLevel.WORK or not recorded:
            yield CLEAR
