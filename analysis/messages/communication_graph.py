"""The communication graph (mpi-adjoint-checkpointing.txt, section 1.1): nodes are events, arrows dependencies.

Of one message there are arrows {send, isend} → {recv, wait-recv, probe} and {recv, irecv} → {send, wait-send}; of a
collective one from each rank's call to each other's, or to each other's wait where it does not block. Between events of
one rank there is the order of the program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from snapset.analysis.messages.communication_trace import PlacedEvent, PlacedTrace
from snapset.frontend.base.frozen_records import frozen

_FROM_SENDER = (frozenset(("send", "isend")), frozenset(("recv", "wait-recv", "probe")))
_FROM_RECEIVER = (frozenset(("recv", "irecv")), frozenset(("send", "wait-send")))
_AMONG_ALL = (frozenset(("collective", "icollective")), frozenset(("collective", "wait-collective")))
_DEPENDENCES = (_FROM_SENDER, _FROM_RECEIVER, _AMONG_ALL)


@frozen
class MessageArrow:
    """``end`` cannot complete before ``start`` runs."""

    start: PlacedEvent
    end: PlacedEvent


def by_message(trace: PlacedTrace) -> dict[str, list[PlacedEvent]]:
    """The events of each message, both ends and the waits."""
    found: defaultdict[str, list[PlacedEvent]] = defaultdict(list)
    for one in trace.all():
        found[one.event.message].append(one)
    return dict(found)


def arrows(trace: PlacedTrace) -> tuple[MessageArrow, ...]:
    """The arrows between ranks, message by message."""
    found: list[MessageArrow] = []
    for events in by_message(trace).values():
        for start in events:
            found += [MessageArrow(start, end) for end in events if _depends(start, end)]
    return tuple(found)


def _depends(start: PlacedEvent, end: PlacedEvent) -> bool:
    if start.rank == end.rank:
        return False
    return any(start.event.kind in tails and end.event.kind in heads for tails, heads in _DEPENDENCES)


def reaching(trace: PlacedTrace, between: Iterable[MessageArrow], ends: Iterable[PlacedEvent]) -> list[int]:
    """For each rank how many of its first events have a path to one of ``ends`` or are one: paths follow the arrows
    and the program's order, so that if an event has one, all earlier ones of its rank have."""
    into: defaultdict[tuple[int, int], list[PlacedEvent]] = defaultdict(list)
    for arrow in between:
        into[arrow.end.rank, arrow.end.at].append(arrow.start)
    reached = [0] * len(trace.events)
    work = list(ends)
    while work:
        one = work.pop()
        before = reached[one.rank]
        for at in range(before, one.at + 1):
            work += into[one.rank, at]
        reached[one.rank] = max(before, one.at + 1)
    return reached
