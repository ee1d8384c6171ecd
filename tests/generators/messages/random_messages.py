"""Random programs of 2 to 4 ranks that communicate, with nested parts cut at random places of each rank.

Messages come in a common order, so that most programs end; events then move within their ranks, waits drift away from
their starts, so that some do not. Loops repeat events and parts, with new names.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from snapset.analysis.messages.communication_trace import Event, Ranks, Trace, TracePart

Cuts = list["Cut"]


@dataclass
class Cut:
    """A part: for each rank its first event and the first behind it; None where the rank does not run it."""

    name: str
    spans: list[tuple[int, int] | None]
    inner: Cuts


def random_ranks(seed: int) -> Ranks:
    draw = random.Random(seed)
    size = draw.randint(2, 4)
    steps = draw.choice((1, 1, 1, 2, 3))
    body = _events(draw, size, max(3, draw.randint(3, 15) // steps))
    cuts = _cuts(draw, [(0, len(one)) for one in body], 1 if draw.random() < 0.2 else 3, "p")
    traces: list[list[Event | TracePart]] = [[] for _ in range(size)]
    for step in range(steps):
        for rank in range(size):
            renamed = [Event(e.kind, e.peer, f"{e.message}.{step}", bytes=e.bytes) for e in body[rank]]
            traces[rank] += _nest(renamed, 0, len(renamed), cuts, rank, f".{step}")
    if draw.random() < 0.2:  # the loop itself is a part, or several steps are
        behind = [draw.randint(0, len(one)) for one in traces]
        traces = [[TracePart("all", tuple(one[:k])), *one[k:]] for one, k in zip(traces, behind, strict=True)]
        if any(_depth(tuple(one)) > 3 for one in traces):
            return random_ranks(seed + 1_000_000)
    return tuple(tuple(one) for one in traces)


def _depth(trace: Trace) -> int:
    return max((1 + _depth(one.body) for one in trace if isinstance(one, TracePart)), default=0)


def _events(draw: random.Random, size: int, count: int) -> list[list[Event]]:
    found: list[list[Event]] = [[] for _ in range(size)]
    pending: list[list[Event]] = [[] for _ in range(size)]
    for number in range(count):
        for rank in range(size):
            while pending[rank] and draw.random() < 0.4:
                found[rank].append(pending[rank].pop(draw.randrange(len(pending[rank]))))
        if draw.random() < 0.06:
            for rank in range(size):
                found[rank].append(Event("collective", -1, f"c{number}"))
            continue
        source, to = draw.sample(range(size), 2)
        name, count_ = f"m{number}", 8 * draw.randint(1, 4)
        for rank, peer, blocking in ((source, to, ("send", "isend", "wait-send")),
                                     (to, source, ("recv", "irecv", "wait-recv"))):
            if draw.random() < 0.5:
                found[rank].append(Event(blocking[0], peer, name, bytes=count_))  # type: ignore[arg-type]
            else:
                found[rank].append(Event(blocking[1], peer, name, bytes=count_))  # type: ignore[arg-type]
                pending[rank].append(Event(blocking[2], peer, name, bytes=count_))  # type: ignore[arg-type]
    for rank in range(size):
        draw.shuffle(pending[rank])
        found[rank] += pending[rank]
        if draw.random() < 0.15:
            _move(draw, found[rank])
    return found


def _move(draw: random.Random, events: list[Event]) -> None:
    """Exchange two neighbours of different messages."""
    if len(events) > 1:
        at = draw.randrange(len(events) - 1)
        if events[at].message != events[at + 1].message:
            events[at], events[at + 1] = events[at + 1], events[at]


def _cuts(draw: random.Random, spans: list[tuple[int, int] | None], depth: int, name: str) -> Cuts:
    if depth == 0:
        return []
    found: Cuts = []
    start = [span[0] if span else 0 for span in spans]
    for number in range(draw.choice((0, 1, 1, 2)) if depth < 3 else draw.choice((1, 1, 2))):
        inner: list[tuple[int, int] | None] = []
        for rank, span in enumerate(spans):
            if span is None or draw.random() < 0.08:
                inner.append(None)
                continue
            first = draw.randint(start[rank], span[1])
            behind = draw.randint(first, span[1])
            start[rank] = behind
            inner.append((first, behind))
        own = f"{name}{number}"
        found.append(Cut(own, inner, _cuts(draw, inner, depth - 1, own + "_")))
    return found


def _nest(events: list[Event], first: int, behind: int, cuts: Cuts, rank: int, suffix: str) -> Trace:
    found: list[Event | TracePart] = []
    at = first
    for cut in cuts:
        span = cut.spans[rank]
        if span is None:
            continue
        found += events[at:span[0]]
        found.append(TracePart(cut.name + suffix, _nest(events, *span, cut.inner, rank, suffix)))
        at = span[1]
    return (*found, *events[at:behind])
