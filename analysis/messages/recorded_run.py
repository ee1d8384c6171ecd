"""The messages of a real run, as the PMPI wrapper writes them: JSON lines, of all ranks in one file or one file each.

    {"rank": 1, "seq": 3, "call": "wait-recv", "peer": 0, "tag": 9, "communicator": 1, "bytes": 8, "request": 1}

``request`` is the seq of the start that a completion belongs to. Messages are matched as MPI does: the k-th that a rank
sends to another by a tag is the k-th that the other wants from there by it, a wildcard's source and tag being those
that its completion tells. Parts are between ``begin`` and ``end``, whose ``peer`` is the number in the part's name.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

from snapset.analysis.messages.communication_trace import Event, Kind, Ranks, Trace, TracePart
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen

_NUMBERS: Final = ("rank", "seq", "peer", "tag", "communicator", "bytes", "request")
_CALLS: Final = frozenset((*get_args(Kind), "begin", "end")) - {"send", "recv", "probe"}
_STARTS: Final = {"wait-recv": "irecv", "wait-send": "isend", "wait-collective": "icollective"}
MOST_LINES: Final = 1_000_000


@frozen
class _Line:
    rank: int
    seq: int
    peer: int
    tag: int
    communicator: int
    bytes: int
    request: int
    call: str
    span: Span


def read_recorded_run(name: str) -> Ranks:
    """The traces of all ranks. Raises InputError for what is no such record."""
    by_rank: defaultdict[int, list[_Line]] = defaultdict(list)
    for path in _files(name):
        for one in _lines(path):
            by_rank[one.rank].append(one)
    if not by_rank:
        raise InputError(f"{name}: no calls are recorded there; run the program with the wrapper of docs/messages.md, "
                         "loaded before the MPI library")
    size = max(by_rank) + 1
    if min(by_rank) < 0 or len(by_rank) < size:
        missing = next(rank for rank in range(size) if rank not in by_rank)
        raise InputError(f"{name}: rank {missing} of {size} has recorded nothing; give the records of all ranks")
    traces = []
    for rank in range(size):
        lines = sorted(by_rank[rank], key=lambda one: one.seq)
        traces.append(_Rank(rank, size, lines).trace())
    if all(one.call in ("begin", "end") for lines in by_rank.values() for one in lines):
        raise InputError(f"{name}: only parts are recorded there, no message: the wrapper of docs/messages.md did not "
                         "see the calls; load it before the MPI library, which must be linked dynamically")
    return tuple(traces)


def _files(name: str) -> list[Path]:
    path = Path(name)
    if path.exists():
        return [path]
    found = sorted(path.parent.glob(f"{path.name}.*"))
    found = [one for one in found if one.suffix[1:].isdecimal()]
    if not found:
        raise InputError(f"{name}: there is no such file, and no {path.name}.0 beside it")
    return found


def _lines(path: Path) -> list[_Line]:
    found = []
    try:
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if number > MOST_LINES:
                    span = Span(str(path), number, number)
                    raise InputError(f"more than {MOST_LINES} calls; record fewer steps", span)
                if text.strip():
                    found.append(_line(text, Span(str(path), number, number)))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not readable as text: {type(error).__name__}") from None
    return found


def _line(text: str, span: Span) -> _Line:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("not a JSON object: a record has one a line", span) from None
    if not isinstance(found, dict):
        raise InputError("not a JSON object: a record has one a line", span)
    for name in _NUMBERS:
        if type(found.get(name)) is not int:
            raise InputError(f"the record has no whole number {name}", span)
    if found.get("call") not in _CALLS:
        raise InputError(f"call is none of {', '.join(sorted(_CALLS))}", span)
    return _Line(**{name: found[name] for name in _NUMBERS}, call=found["call"], span=span)


class _Rank:
    """The lines of one rank become its trace."""

    def __init__(self, rank: int, size: int, lines: Sequence[_Line]) -> None:
        self.rank, self.lines = rank, lines
        starts = {one.seq: one for one in lines}
        if len(starts) < len(lines):
            raise InputError("this number of a call was there before", lines[-1].span)
        ends: dict[int, _Line] = {}
        for one in lines:
            start = starts.get(one.request)
            if one.call in _STARTS and (start is None or start.call != _STARTS[one.call] or one.request in ends):
                raise InputError("a completion whose request no call has started, or that is completed twice", one.span)
            if one.call in _STARTS:
                ends[one.request] = one
            if one.call in ("isend", "wait-send", "wait-recv") and not 0 <= one.peer < size:
                raise InputError(f"rank {one.peer} is none of the {size} that are recorded", one.span)
        self.names = self.named(starts, ends)
        self.peers = {seq: ends.get(seq, one).peer for seq, one in starts.items()}

    def named(self, starts: Mapping[int, _Line], ends: Mapping[int, _Line]) -> dict[int, str]:
        """What the message of each start is called, alike on both ends."""
        counts: defaultdict[tuple[object, ...], int] = defaultdict(int)
        found: dict[int, str] = {}
        for seq, one in sorted(starts.items()):
            if one.call in ("begin", "end") or one.call in _STARTS:
                continue
            told = ends.get(seq, one)
            key: tuple[object, ...]
            if one.call.endswith("collective"):
                key = ("collective", one.communicator, one.peer)
            elif one.call == "irecv" and seq not in ends:
                found[seq] = f"open {self.rank}.{seq}"
                continue
            else:
                way = (told.peer, self.rank) if one.call == "irecv" else (self.rank, told.peer)
                key = (one.communicator, *way, told.tag)
            found[seq] = f"{' '.join(map(str, key))} no. {counts[one.call == 'irecv', *key]}"
            counts[one.call == "irecv", *key] += 1
        return found

    def trace(self) -> Trace:
        """The events, parts around them."""
        stack: list[tuple[str, list[Event | TracePart]]] = [("", [])]
        runs: defaultdict[int, int] = defaultdict(int)
        for one in self.lines:
            if one.call == "begin":
                runs[one.peer] += 1
                stack.append((f"{one.peer} run {runs[one.peer]}", []))
            elif one.call == "end":
                name, body = stack.pop()
                if not stack or name.partition(" ")[0] != str(one.peer):
                    raise InputError(f"part {one.peer} ends here, and is not the one that began last", one.span)
                stack[-1][1].append(TracePart(name, tuple(body)))
            else:
                stack[-1][1].append(self.event(one))
        if len(stack) > 1:
            raise InputError(f"part {stack[-1][0].partition(' ')[0]} of rank {self.rank} never ends",
                             self.lines[-1].span)
        return tuple(stack[0][1])

    def event(self, one: _Line) -> Event:
        kind: Kind = one.call  # type: ignore[assignment]
        start = one.request if one.call in _STARTS else one.seq
        where = f"{one.span.file}:{one.span.line}"
        peer = -1 if one.call.endswith("collective") else self.peers[start]
        return Event(kind, peer, self.names[start], where, one.bytes)
