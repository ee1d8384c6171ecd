"""From what the ranks' ports have seen to a communication trace, in which parts have the same names on all ranks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from snapset.analysis.messages.communication_trace import Event, Ranks, Trace, TracePart
from snapset.analysis.replay.ranks.rank_events import PartKey, PortSummary
from snapset.frontend.base.frozen_records import frozen


@frozen
class RankedTraces:
    """``names``: by rank, what each part instance is called. ``instances``: by part, the names of its instances.
    ``places``: by message, the lines it is sent and received in."""

    ranks: Ranks
    names: tuple[Mapping[PartKey, str], ...]
    instances: Mapping[str, tuple[str, ...]]
    places: Mapping[str, str]


def ranked_traces(ports: Sequence[PortSummary], ids: Mapping[str, str]) -> RankedTraces:
    """The k-th run of a part on one rank belongs to the k-th on any other. ``ids``: what reports call the parts."""
    names: list[dict[PartKey, str]] = []
    instances: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for port in ports:
        own: dict[PartKey, str] = {}
        counts: defaultdict[str, int] = defaultdict(int)
        for key in sorted(port.spans, key=lambda one: (one[1], one[2], port.spans[one])):
            for _ in range(port.runs.get(key, 1)):
                counts[key[0]] += 1
                own[key] = f"{ids.get(key[0], key[0])} run {counts[key[0]]}"
                instances[key[0]][own[key]] = None
        names.append(own)
    ranks = tuple(_trace(port, own) for port, own in zip(ports, names, strict=True))
    return RankedTraces(ranks, tuple(names), {part: tuple(found) for part, found in instances.items()}, _places(ports))


def _trace(port: PortSummary, names: Mapping[PartKey, str]) -> Trace:
    """The events of one rank with the parts around them: intervals that are disjoint or lie within each other."""
    keys = sorted(names, key=lambda one: (one[1], one[2]))
    found, _, at = _nested(port, names, keys, 0, 0, len(port.first), -1)
    assert at == len(port.first)
    return found


def _nested(port: PortSummary, names: Mapping[PartKey, str], keys: list[PartKey], key: int, at: int, end: int,
            depth: int) -> tuple[Trace, int, int]:
    found: list[Event | TracePart] = []
    while key < len(keys) and keys[key][1] <= end and port.spans[keys[key]] <= end and keys[key][2] > depth:
        part = keys[key]
        found += _events(port, at, part[1])
        body, key, at = _nested(port, names, keys, key + 1, part[1], port.spans[part], part[2])
        found += [*_silent(names[part], port.runs.get(part, 1) - 1), TracePart(names[part], body)]
    return (*found, *_events(port, at, end)), key, end


def _silent(last: str, count: int) -> Iterator[TracePart]:
    """The runs before the one of a name that began where it does, since they made no event: with a neighbour that is
    nobody, say. Other ranks' runs of their numbers are theirs all the same."""
    part, _, number = last.rpartition(" ")
    yield from (TracePart(f"{part} {int(number) - k}", ()) for k in range(count, 0, -1))


def _events(port: PortSummary, at: int, end: int) -> Iterator[Event]:
    """Some of a rank's events; a poll that has seen a message is a probe of it, another one nobody waits for."""
    for number in range(at, end):
        first = port.first[number]
        if first.kind != "poll":
            message = first.message or f"open {port.rank}.{number}"
            yield Event(first.kind, first.peer, message, first.where, first.bytes)
        elif first.message:
            yield Event("probe", first.peer, first.message, first.where, 0)


def _places(ports: Sequence[PortSummary]) -> dict[str, str]:
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for port in ports:
        for one in port.first:
            found[one.message][f"{one.where} (rank {port.rank})"] = None
    return {message: ", ".join(list(where)[:4]) for message, where in found.items()}
