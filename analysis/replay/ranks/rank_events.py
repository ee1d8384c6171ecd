"""What a rank's port remembers: events, requests, what second runs do, and what is left of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from snapset.analysis.messages.communication_trace import Kind
from snapset.analysis.messages.exchange import ANY, MessageTransfer
from snapset.analysis.messages.message_log import NestedLog
from snapset.analysis.replay.memory.runtime_support import Array
from snapset.analysis.replay.ranks.collective_values import CollectiveCall, Cuts
from snapset.analysis.replay.ranks.message_buffers import MessageBuffer
from snapset.frontend.base.frozen_records import frozen

PartKey: TypeAlias = "tuple[str, int, int]"
"""A part's name, the number of the event it begins with, how many parts are around: one run of it on one rank."""
RankKind: TypeAlias = "Kind | Literal['poll']"
"""A poll asks whether something has come (MPI_TEST, MPI_PROBE): what it heard is repeated."""
Choice: TypeAlias = "int | tuple[int, ...]"
Sweep: TypeAlias = Literal["first", "again", "adjoint"]


@frozen
class TakenChoice:
    """What a wildcard, a test or a probe of an earlier run took: the event's number on its rank, and where it is."""

    rank: int
    event: int
    where: str
    took: Choice


@dataclass(slots=True)
class FirstEvent:
    """An event as the first run made it. ``message``: known when it is complete. ``received``: the values. ``start``:
    the number of the event that a completion belongs to. ``wild``: a receive from anyone."""

    kind: RankKind
    peer: int
    message: str
    where: str
    bytes: int
    received: Array | None = None
    source: int = ANY
    tag: int = ANY
    start: int = -1
    wild: bool = False


@frozen
class EventPlace:
    """Where a rank stands, for whoever reads of a deadlock."""

    where: str
    sweep: Sweep
    text: str


@frozen
class CollectiveShare:
    """What one rank's call of a collective has to do with its memory. ``values``: given, cut by ``cuts``; ``sent``:
    where they are; ``into``: where the result goes."""

    call: CollectiveCall
    values: Array
    cuts: Cuts
    sent: MessageBuffer | None
    into: MessageBuffer | None

    @property
    def text(self) -> str:
        """``mpi_allreduce of cost``"""
        buffer = self.sent or self.into
        return f"{self.call.name} of {buffer.name}" if buffer is not None and buffer.name else self.call.name


@dataclass(slots=True)
class RankRequest:
    """A request. ``number``: of the event that started it. ``transfer`` None: not started in this run. ``before``: by
    start, what the buffer of a receive held, which holds nothing of use while the message is under way; of a send,
    what was sent; ``replaced``: by the same call (MPI_SENDRECV_REPLACE). ``runs``: of a persistent one, by start the
    number of its completion (None: none yet); ``nobody``: with MPI_PROC_NULL."""

    handle: int
    kind: Literal["send", "recv", "collective"]
    buffer: MessageBuffer
    peer: int
    tag: int
    handle_of: int
    number: int = -1
    transfer: MessageTransfer | None = None
    open: bool = True
    before: dict[int, Array] = field(default_factory=dict)
    synchronous: bool = False
    replaced: bool = False
    persistent: bool = False
    nobody: bool = False
    place: str = ""
    runs: dict[int, int | None] = field(default_factory=dict)
    held: object = None
    share: CollectiveShare | None = None

    def started(self, now: int) -> int | None:
        """The start that is not completed when event ``now`` comes, in any run; None where it is inactive."""
        if not self.persistent:
            return self.number
        last = max((start for start in self.runs if start < now), default=None)
        if last is None:
            return None
        end = self.runs[last]
        return last if end is None or end >= now else None


@frozen
class DoneEvent:
    """An event of a recording sweep, for its adjoint. ``number``: as counted; ``received``: how many elements."""

    number: int
    kind: Kind
    buffer: MessageBuffer | None
    start: int
    peer: int
    message: str
    where: str
    share: CollectiveShare | None = None
    members: tuple[int, ...] = ()
    received: int | None = None


@dataclass(slots=True)
class SecondRuns:
    """What second runs do: ``popular``: all again. Else ``resent``: by part instance, the messages sent again.
    ``names``: of part instances, as all ranks call them."""

    popular: bool = False
    resent: dict[str, frozenset[str]] = field(default_factory=dict)
    names: dict[PartKey, str] = field(default_factory=dict)
    nested: NestedLog = "again"


@frozen
class PortSummary:
    """What is left of a rank's run: its events and parts, what it logged and sent again, and requests left over.
    ``touched``: buffers that changed in flight, by the places of start and completion. ``runs``: of parts of one key
    how many there were; all but the last made no event."""

    rank: int
    where: str
    first: list[FirstEvent]
    spans: dict[PartKey, int]
    log_peak: int
    sent_again: int
    never_completed: int
    choices: dict[int, Choice]
    touched: tuple[tuple[str, str, str], ...] = ()
    runs: dict[PartKey, int] = field(default_factory=dict)
