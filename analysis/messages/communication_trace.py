"""What the ranks of a program do to each other, in order: events, and the checkpointed parts around them.

Rank 0 of ``halo-overlap`` (mpi-adjoint-checkpointing.txt, section 1.3; started before the part, complete in it)::

    (Event("irecv", 1, "l"), Event("isend", 1, "r"),
     TracePart("C", (Event("wait-recv", 1, "l"), Event("wait-send", 1, "r"))))

A message has a name of its own (``l``); all its events, on both ranks and waits included, carry it. A run of a loop is
unrolled: each step is an instance of its part with a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final, Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen

Kind: TypeAlias = Literal["send", "recv", "isend", "irecv", "wait-send", "wait-recv", "collective", "icollective",
                          "wait-collective", "probe"]

OFFERS: Final = frozenset(("send", "isend"))
"""What gives a message away: the receiver's completion depends on it."""
TAKES: Final = frozenset(("recv", "wait-recv", "collective", "wait-collective"))
"""What ends with a value received."""
ADJOINT: Final[dict[Kind, Kind]] = {
    "send": "recv", "recv": "send", "isend": "wait-recv", "wait-send": "irecv", "irecv": "wait-send",
    "wait-recv": "isend", "collective": "collective", "icollective": "wait-collective",
    "wait-collective": "icollective",
}
"""Section 1.1, and Utke et al. for what does not block: the event that the adjoint runs instead. A probe has none."""


@frozen
class Event:
    """One call, or one request of a call that completes several. ``peer``: the other rank, -1 of a collective.
    ``where``: file and line, or what the caller calls its place. ``bytes``: of the values."""

    kind: Kind
    peer: int
    message: str
    where: str = ""
    bytes: int = 8

    @property
    def text(self) -> str:
        """``recv late from 0``"""
        if self.kind.endswith("collective"):
            return f"{self.kind} {self.message}"
        way = "to" if self.kind in ("send", "isend", "wait-send") else "from"
        return f"{self.kind} {self.message} {way} {self.peer}"


@frozen
class TracePart:
    """One run of a checkpointed part on one rank. Instances of one name on several ranks belong together."""

    name: str
    body: Trace


Trace: TypeAlias = "tuple[Event | TracePart, ...]"
Ranks: TypeAlias = "tuple[Trace, ...]"


@frozen
class PlacedEvent:
    """An event at its place: ``at`` counts the events of its rank, ``parts`` are the instances around, outermost
    first."""

    rank: int
    at: int
    event: Event
    parts: tuple[str, ...]


@frozen
class PlacedTrace:
    """All events of all ranks, and of each part instance where it stands: rank → (first event, first behind it)."""

    events: tuple[tuple[PlacedEvent, ...], ...]
    parts: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)

    def all(self) -> Iterator[PlacedEvent]:
        """The events, rank by rank."""
        for one in self.events:
            yield from one


def placed(ranks: Ranks) -> PlacedTrace:
    """Number the events of every rank, and find where the parts stand."""
    spans: dict[str, dict[int, tuple[int, int]]] = {}
    found: list[tuple[PlacedEvent, ...]] = []
    for rank, trace in enumerate(ranks):
        events: list[PlacedEvent] = []
        _place(rank, trace, (), events, spans)
        found.append(tuple(events))
    return PlacedTrace(tuple(found), spans)


def _place(rank: int, trace: Trace, around: tuple[str, ...], events: list[PlacedEvent],
           spans: dict[str, dict[int, tuple[int, int]]]) -> None:
    for one in trace:
        if isinstance(one, Event):
            events.append(PlacedEvent(rank, len(events), one, around))
            continue
        start = len(events)
        _place(rank, one.body, (*around, one.name), events, spans)
        if rank in (there := spans.setdefault(one.name, {})):
            raise ValueError(f"rank {rank} runs two instances of the name {one.name}")
        there[rank] = start, len(events)


def events_of(trace: Trace) -> Iterator[Event]:
    """The events of a trace, those in parts too, in order."""
    for one in trace:
        if isinstance(one, Event):
            yield one
        else:
            yield from events_of(one.body)
