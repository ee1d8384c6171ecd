"""What one rank does to the others: events counted as the first run makes them, logged, made again, or left out.

Every event has a number: its place among the rank's events of the first run. A second run counts from the number that
its part began with, so that one number always means one event: what was received then, which source a wildcard took
(Assumption 1: what is received again is the same, bit for bit, which is checked here).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from snapset.analysis.messages.communication_trace import Kind
from snapset.analysis.messages.exchange import ANY, ExchangeError, MessageExchange, MessageTransfer
from snapset.analysis.messages.message_log import MessageLog, NestedLog
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError
from snapset.analysis.replay.ranks.collective_values import CollectiveCall
from snapset.analysis.replay.ranks.communicators import Communicator, Communicators
from snapset.analysis.replay.ranks.message_buffers import MessageBuffer

PartKey: TypeAlias = "tuple[str, int, int]"
"""A part's name, the number of the event it begins with, how many parts are around: one run of it on one rank."""


@dataclass(slots=True)
class FirstEvent:
    """An event as the first run made it. ``message``: known when it is complete. ``received``: the values."""

    kind: Kind
    peer: int
    message: str
    where: str
    bytes: int
    received: Array | None = None
    source: int = ANY
    tag: int = ANY


@dataclass(frozen=True, slots=True)
class EventPlace:
    """Where a rank stands, for whoever reads of a deadlock."""

    where: str
    sweep: Literal["first", "again", "adjoint"]
    text: str


@dataclass(slots=True)
class RankRequest:
    """A request. ``number``: of the event that started it. ``transfer`` None: not started in this run. ``before``: what
    the buffer of a receive held, which holds nothing of use while the message is under way."""

    handle: int
    kind: Literal["send", "recv"]
    buffer: MessageBuffer
    peer: int
    tag: int
    handle_of: int
    number: int = -1
    transfer: MessageTransfer | None = None
    open: bool = True
    before: Array | None = None
    synchronous: bool = False


@dataclass(frozen=True, slots=True)
class DoneEvent:
    """An event of a recording sweep, for its adjoint. ``number``: as counted."""

    number: int
    kind: Kind
    buffer: MessageBuffer | None
    start: int
    peer: int
    message: str
    where: str
    collective: CollectiveCall | None = None
    members: tuple[int, ...] = ()
    given: tuple[Array, ...] = ()
    sent: MessageBuffer | None = None
    in_place: bool = False


@dataclass(slots=True)
class SecondRuns:
    """What second runs do: ``popular``: all again. Else ``resent``: by part instance, the messages sent again.
    ``names``: of part instances, as all ranks call them."""

    popular: bool = False
    resent: dict[str, frozenset[str]] = field(default_factory=dict)
    names: dict[PartKey, str] = field(default_factory=dict)
    nested: NestedLog = "again"


@dataclass(frozen=True, slots=True)
class PortSummary:
    """What is left of a rank's run: its events and parts, what it logged and sent again, and requests left over."""

    rank: int
    where: str
    first: list[FirstEvent]
    spans: dict[PartKey, int]
    log_peak: int
    sent_again: int
    never_completed: int
    choices: dict[int, int]


class RankPort:
    """One rank's way to the others. ``wait``: gives the baton away until something is done."""

    def __init__(self, rank: int, size: int, exchange: MessageExchange, communicators: Communicators,
                 second: SecondRuns, wait: Callable[..., None]) -> None:
        self.rank, self.size, self.exchange, self.communicators = rank, size, exchange, communicators
        self.second, self.wait = second, wait
        self.first: list[FirstEvent] = []
        self.counter = 0
        self.again: str | None = None
        self.target: str | None = None
        self.targets: list[str | None] = []
        self.inside = 0
        self.log = MessageLog(second.nested)
        self.sent_again = 0
        self.requests: dict[int, RankRequest] = {}
        self.adjoints: dict[int, MessageTransfer] = {}
        self.done: list[DoneEvent] = []
        self.spans: dict[PartKey, int] = {}
        self.choices: dict[int, int] = {}
        self.weights: dict[int, tuple[Array, ...]] = {}
        self.where = ""

    def summary(self) -> PortSummary:
        """What is left when the run is over."""
        never = sum(one.open and one.transfer is not None for one in self.requests.values())
        return PortSummary(self.rank, self.where, self.first, self.spans, self.log.peak, self.sent_again, never,
                           self.choices)

    # ------------------------------------------------------------ parts

    def enter_first(self, part: str) -> PartKey:
        """A part's first run begins, or one inside another's first run or second."""
        key = part, self.counter, self.inside
        self.inside += 1
        return key

    def leave_first(self, key: PartKey) -> None:
        """It is over."""
        self.inside -= 1
        self.spans[key] = self.counter

    def name(self, key: PartKey) -> str:
        """What an instance is called."""
        return self.second.names.get(key, f"{key[0]} at {key[1]}, {key[2]} deep")

    # ------------------------------------------------------------ one event

    def active(self, number: int) -> bool:
        """Does this run make the event? The first does, second ones as planned."""
        if self.again is None or self.second.popular:
            return True
        return self.first[number].message in self.second.resent.get(self.again, ())

    def logged_for(self, number: int) -> str | None:
        """The part whose second run comes next and does not make the event."""
        if self.target is None or self.second.popular:
            return None
        again = number < len(self.first) and self.first[number].message in self.second.resent.get(self.target, ())
        return None if again else self.target

    def event(self, kind: Kind, peer: int, message: str, count: int) -> int:
        """The number of the event that comes now. Raises ReplayError where a second run goes another way."""
        number = self.counter
        self.counter += 1
        if self.again is None:
            assert number == len(self.first)
            self.first.append(FirstEvent(kind, peer, message, self.where, count))
        elif number >= len(self.first) or (self.first[number].kind, self.first[number].where) != (kind, self.where):
            raise ReplayError("the second run communicates otherwise than the first did")
        return number

    def place(self, text: str, sweep: Literal["first", "again", "adjoint"] | None = None) -> EventPlace:
        """What is said of the event that runs."""
        return EventPlace(self.where, sweep or ("first" if self.again is None else "again"), text)

    def space(self, communicator: int) -> Any:
        """Second runs have communicators of their own, but in the popular way."""
        return communicator if self.again is None or self.second.popular else (communicator, self.again)

    # ------------------------------------------------------------ messages

    def start(self, request: RankRequest, members: Communicator) -> None:
        """Begin a send or a receive: one event."""
        send = request.kind == "send"
        count = request.buffer.count * request.buffer.slot.values.dtype.itemsize
        peer = ANY if request.peer == ANY else members.members[request.peer]
        number = self.event("isend" if send else "irecv", peer, "", count)
        request.number = number
        if send and self.again is None:
            self.first[number].message = f"{self.rank}.{number}"
        message = self.first[number].message
        if self.active(number):
            self.begin(request, members, number, message)
        if not send:
            request.before = request.buffer.read()
            if request.buffer.smooth:
                request.buffer.write(np.full(request.buffer.count, np.nan, request.before.dtype))
        self.done.append(DoneEvent(number, "isend" if send else "irecv", request.buffer, number, peer, message,
                                   self.where))

    def begin(self, request: RankRequest, members: Communicator, number: int, message: str) -> None:
        """Communicate."""
        buffer, space = request.buffer, self.space(request.handle_of)
        if request.kind == "send":
            if self.again is not None:
                self.sent_again += buffer.count * buffer.slot.values.dtype.itemsize
            request.transfer = self.exchange.send(
                self.rank, members.members[request.peer], request.tag, space, (message, buffer.read()),
                self.place(f"sends to {request.peer}"), request.synchronous)
            return
        known = self.choices.get(number)
        source = request.peer if request.peer != ANY or known is None else known
        tag = request.tag if self.again is None or self.second.popular else self.first[number].tag
        request.transfer = self.exchange.receive(
            self.rank, ANY if source == ANY else members.members[source], tag, space,
            self.place(f"receives from {'anyone' if source == ANY else source}"), frozenset(members.members))

    def finish(self, request: RankRequest, members: Communicator) -> FirstEvent | None:
        """Complete a request: one event, and what the first run received."""
        send = request.kind == "send"
        kind: Kind = "wait-send" if send else "wait-recv"
        peer = ANY if request.peer == ANY else members.members[request.peer]
        number = self.event(kind, peer, self.first[request.number].message, request.buffer.count *
                            request.buffer.slot.values.dtype.itemsize)
        if self.active(number):
            if request.transfer is None or not request.open:
                raise ExchangeError("wait without a request")
            request.transfer.place = self.place(request.transfer.place.text + ", waits")
            self.wait(request.transfer)
        first = self.first[number]
        if not send:
            self.received(request, number, first, members)
        request.open = False
        request.transfer = None
        self.done.append(DoneEvent(number, kind, request.buffer, request.number, first.peer, first.message,
                                   self.where))
        return None if send else first

    def received(self, request: RankRequest, number: int, first: FirstEvent, members: Communicator) -> None:
        """A message is here, or comes from the log."""
        transfer = request.transfer
        if transfer is not None and transfer.done:
            message, values = transfer.value
            source = transfer.source
            if self.again is None:
                self.first[request.number].message = first.message = message
                self.first[request.number].source = first.source = source
                first.tag, first.received, first.bytes = transfer.found_tag, values, values.nbytes
                self.first[request.number].peer = first.peer = source
                self.first[request.number].tag = transfer.found_tag
                self.choices[request.number] = members.members.index(source)
            elif first.received is None or first.received.tobytes() != values.tobytes():
                raise ReplayError("the second run receives other values than the first did")
        if request.before is not None:
            request.buffer.write(request.before)
        request.buffer.write(self.through_log(number, first, first.received))

    def through_log(self, number: int, first: FirstEvent, received: Array | None) -> Array:
        """What is received now, logged for the next second run; where nothing was received, from the log."""
        target = self.logged_for(number)
        if self.active(number):
            assert received is not None
            if target is not None:
                self.log.push(target, received, received.nbytes)
            return received
        assert self.again is not None
        try:
            found: Array = self.log.read(self.again, target)
        except IndexError:
            raise ReplayError("the second run receives more than the first did") from None
        return found

    # ------------------------------------------------------------ collectives

    def gather(self, call: CollectiveCall, members: Communicator, communicator: int, given: Array,
               sent: MessageBuffer | None, into: MessageBuffer | None, in_place: bool = False) -> Array | None:
        """A collective: one event. What this rank receives of it."""
        number = self.event("collective", -1, "", given.nbytes)
        values: list[Array] = []
        first = self.first[number]
        if self.active(number):
            if self.again is not None:
                self.sent_again += given.nbytes
            transfer = self.exchange.collective(self.rank, members.members, self.space(communicator),
                                                (call.name, given), self.place(f"takes part in {call.name}"))
            self.wait(transfer)
            names = {name for name, _ in transfer.value.values()}
            if len(names) > 1:
                raise ReplayError(f"ranks take part in different collectives: {', '.join(sorted(names))}")
            values = [transfer.value[rank][1] for rank in members.members]
            if self.again is None:
                first.message = f"c{communicator}.{transfer.tag}"
        result = call.result(values) if values and call.takes else np.zeros(0) if values else None
        if result is not None and self.again is None:
            first.received, first.bytes = result, result.nbytes
        elif result is not None and first.received is not None and first.received.tobytes() != result.tobytes():
            raise ReplayError("the second run receives other values than the first did")
        result = self.through_log(number, first, result)
        if into is not None and call.takes:
            into.write(result)
        known = self.given_before(number, values)
        self.done.append(DoneEvent(number, "collective", into if call.takes else None, number, -1, first.message,
                                   self.where, call, members.members, known, sent, in_place))
        return result

    def given_before(self, number: int, values: list[Array]) -> tuple[Array, ...]:
        """What all gave, for derivatives that depend on it; kept from the first run."""
        if values:
            self.weights[number] = tuple(values)
        return self.weights.get(number, ())

    # ------------------------------------------------------------ adjoint

    def adjoint(self, one: DoneEvent) -> None:
        """The other event, in the opposite direction (section 1.1), on a communicator of the adjoints' own."""
        self.where = one.where
        if one.collective is not None:
            self.adjoint_collective(one)
            return
        assert one.buffer is not None
        if not one.buffer.smooth:
            return
        space, text = ("adjoint", one.message), self.place
        match one.kind:
            case "wait-recv":
                transfer = self.exchange.send(self.rank, one.peer, 0, space, one.buffer.taken_adjoint(),
                                              text(f"sends an adjoint to {one.peer}", "adjoint"))
                self.adjoints[one.start] = transfer
            case "irecv":
                self.wait(self.adjoints.pop(one.start))
            case "wait-send":
                self.adjoints[one.start] = self.exchange.receive(
                    self.rank, one.peer, 0, space, text(f"receives an adjoint from {one.peer}", "adjoint"))
            case _:
                transfer = self.adjoints.pop(one.start)
                self.wait(transfer)
                one.buffer.add_adjoint(transfer.value)

    def adjoint_collective(self, one: DoneEvent) -> None:
        """All ranks give the adjoints of what they received, and take those of what they gave."""
        call = one.collective
        assert call is not None
        into = one.buffer
        smooth = (into is not None and into.smooth) or (one.sent is not None and one.sent.smooth)
        if not smooth and call.name != "mpi_barrier":
            return
        bar = into.taken_adjoint() if into is not None and into.smooth else None
        transfer = self.exchange.collective(self.rank, one.members, ("adjoint", one.message), bar,
                                            self.place(f"takes part in the adjoint of {call.name}", "adjoint"))
        self.wait(transfer)
        bars = [transfer.value[rank] for rank in one.members]
        if call.gives and call.name != "mpi_barrier":
            to = into if one.in_place else one.sent
            assert to is not None
            to.add_adjoint(call.adjoint(list(one.given), bars))

