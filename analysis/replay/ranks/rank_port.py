"""What one rank does to the others: events counted as the first run makes them, logged, made again, or left out.

Every event has a number: its place among the rank's events of the first run. A second run counts from the number that
its part began with, so that one number always means one event: what was received then, which source a wildcard took
(Assumption 1: what is received again is the same, bit for bit, which is checked here).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from snapset.analysis.messages.communicators import Communicator, Communicators
from snapset.analysis.messages.exchange import ANY, ExchangeError, MessageExchange, MessageTransfer
from snapset.analysis.messages.message_log import MessageLog
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Array, ReplayError
from snapset.analysis.replay.ranks.collective_values import Cuts
from snapset.analysis.replay.ranks.data_layouts import DataLayouts
from snapset.analysis.replay.ranks.rank_events import (
    Choice,
    CollectiveShare,
    DoneEvent,
    EventPlace,
    FirstEvent,
    PartKey,
    PortSummary,
    RankKind,
    RankRequest,
    SecondRuns,
    Sweep,
    TakenChoice,
)


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
        self.layouts = DataLayouts()
        self.sent_again = 0
        self.requests: dict[int, RankRequest] = {}
        self.adjoints: dict[int, MessageTransfer] = {}
        self.probed: dict[int, MessageTransfer | None] = {}
        self.done: list[DoneEvent] = []
        self.spans: dict[PartKey, int] = {}
        self.runs: dict[PartKey, int] = {}
        self.choices: dict[int, Choice] = {}
        self.earlier: dict[int, str] = {}
        self.given: dict[int, tuple[tuple[Array, Cuts], ...]] = {}
        self.touched: dict[tuple[str, str, str], None] = {}
        self.where = ""

    def summary(self) -> PortSummary:
        """What is left when the run is over."""
        never = sum(one.open and one.transfer is not None for one in self.requests.values())
        never += sum(one is not None for one in self.probed.values())
        return PortSummary(self.rank, self.where, self.first, self.spans, self.log.peak, self.sent_again, never,
                           self.choices, tuple(self.touched), self.runs)

    def take(self, choices: Iterable[TakenChoice]) -> None:
        """Choose as an earlier run did."""
        for one in choices:
            self.choices[one.event], self.earlier[one.event] = one.took, one.where

    def check(self, number: int) -> None:
        """Is an event the one of which an earlier run told? Raises ReplayError where it is not."""
        if self.earlier.get(number, self.where) != self.where:
            raise ReplayError(f"an earlier run took something at event {number} of rank {self.rank}, but at "
                              f"{self.earlier[number]}: its record is of another program, or of other inputs")

    # ------------------------------------------------------------ parts

    def enter_first(self, part: str) -> PartKey:
        """A part's first run begins, or one inside another's first run or second."""
        key = part, self.counter, self.inside
        self.inside += 1
        return key

    def leave_first(self, key: PartKey) -> None:
        """It is over. Each comes once: one inside another when the other runs again."""
        self.inside -= 1
        self.spans[key] = max(self.counter, self.spans.get(key, 0))
        self.runs[key] = self.runs.get(key, 0) + 1

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

    def event(self, kind: RankKind, peer: int, message: str, count: int) -> int:
        """The number of the event that comes now. Raises ReplayError where a second run goes another way."""
        number = self.counter
        self.check(number)
        self.counter += 1
        if self.again is None:
            assert number == len(self.first)
            self.first.append(FirstEvent(kind, peer, message, self.where, count, wild=kind == "irecv" and peer == ANY))
        elif number >= len(self.first) or (self.first[number].kind, self.first[number].where) != (kind, self.where):
            raise ReplayError("the second run communicates otherwise than the first did")
        return number

    def place(self, text: str, sweep: Sweep | None = None) -> EventPlace:
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
        kind: RankKind = "isend" if send else "irecv"
        number = self.event(kind, peer, "", count)
        self.begun(request, number)
        if send and self.again is None:
            self.first[number].message = f"{self.rank}.{number}"
        message = self.first[number].message
        if self.active(number):
            self.begin(request, members, number, message)
        self.done.append(DoneEvent(number, "isend" if send else "irecv", request.buffer, number, peer, message,
                                   self.where))

    def begun(self, request: RankRequest, number: int) -> None:
        """A request is active; what it receives into holds nothing of use."""
        request.number, request.open, request.transfer = number, True, None
        if request.persistent:
            request.runs.setdefault(number, None)
        if request.buffer.count:
            request.before[number] = request.buffer.read()
        if request.kind != "send" and request.buffer.smooth and request.buffer.count:
            request.buffer.write(np.full(request.buffer.count, np.nan, request.before[number].dtype))

    def begin(self, request: RankRequest, members: Communicator, number: int, message: str) -> None:
        """Communicate."""
        buffer, space = request.buffer, self.space(request.handle_of)
        if request.kind == "send":
            if self.again is not None:
                self.sent_again += buffer.count * buffer.slot.values.dtype.itemsize
            request.transfer = self.exchange.send(
                self.rank, members.members[request.peer], request.tag, space, (message, buffer.read()),
                self.place(buffer.told("sends", f"to {request.peer}")), request.synchronous)
            return
        known = self.choices.get(number)
        source = request.peer if request.peer != ANY or not isinstance(known, int) else known
        tag = request.tag if self.again is None or self.second.popular else self.first[number].tag
        request.transfer = self.exchange.receive(
            self.rank, ANY if source == ANY else members.members[source], tag, space,
            self.place(buffer.told("receives", f"from {'anyone' if source == ANY else source}")),
            frozenset(members.members), request.held)

    def finish(self, request: RankRequest, members: Communicator) -> FirstEvent | None:
        """Complete a request: one event, and what the first run received; None where nothing is."""
        start = request.started(self.counter)
        if start is None:
            return None
        send = request.kind == "send"
        kind: RankKind = "wait-send" if send else "wait-recv"
        peer = ANY if request.peer == ANY else members.members[request.peer]
        number = self.event(kind, peer, self.first[start].message, request.buffer.count *
                            request.buffer.slot.values.dtype.itemsize)
        self.ended(request, start, number)
        first = self.first[number]
        if self.active(number):
            self.wait_for(request)
        self.untouched(request, start)
        if not send:
            self.received(request, start, number, first, members)
        self.closed(request, start)
        self.done.append(DoneEvent(number, "wait-send" if send else "wait-recv", request.buffer, start, first.peer,
                                   first.message, self.where,
                                   received=None if first.received is None else int(first.received.size)))
        return None if send else first

    def ended(self, request: RankRequest, start: int, number: int) -> None:
        """A request is completed by an event."""
        if request.persistent:
            request.runs[start] = number
        if self.again is None:
            self.first[number].start = start

    def wait_for(self, request: RankRequest) -> None:
        """Wait until a request that this run has started is done."""
        if request.transfer is None or not request.open:
            raise ExchangeError("wait without a request")
        request.transfer.place = self.place(request.transfer.place.text + ", waits")
        self.wait(request.transfer)

    def untouched(self, request: RankRequest, start: int) -> None:
        """Is the buffer as it was when the request was started? Else the program itself is wrong (SN605)."""
        before = request.before.get(start)
        if self.again is not None or before is None or request.replaced:
            return
        now = request.buffer.read()
        if request.kind == "send":
            same = now.tobytes() == before.tobytes()
        else:
            same = not request.buffer.smooth or bool(np.isnan(now).all())
        if not same:
            self.touched[self.first[start].where, self.where, request.kind] = None

    def closed(self, request: RankRequest, start: int) -> None:
        """It is over."""
        request.open, request.transfer = False, None
        if request.kind == "send":
            request.before.pop(start, None)

    def received(self, request: RankRequest, start: int, number: int, first: FirstEvent,
                 members: Communicator) -> None:
        """A message is here, or comes from the log."""
        transfer = request.transfer
        if transfer is not None and transfer.done:
            message, values = transfer.value
            source = transfer.source
            if self.again is None:
                self.first[start].message = first.message = message
                self.first[start].source = first.source = source
                first.tag, first.received, first.bytes = transfer.found_tag, values, values.nbytes
                self.first[start].peer = first.peer = source
                self.first[start].tag = transfer.found_tag
                self.choices[start] = members.members.index(source)
            elif first.received is None or first.received.tobytes() != values.tobytes():
                raise ReplayError("the second run receives other values than the first did")
        if start in request.before:
            request.buffer.write(request.before[start])
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

    # ------------------------------------------------------------ polls

    def poll(self, ask: Callable[[], Choice], repeat: Callable[[Choice], None]) -> Choice:
        """Ask what has come: once. ``repeat``: a run that makes the event again waits until it is so again."""
        number = self.event("poll", -1, "", 0)
        if number not in self.choices:
            self.choices[number] = ask()
        elif self.active(number):
            repeat(self.choices[number])
        return self.choices[number]

    # ------------------------------------------------------------ collectives

    def gather(self, share: CollectiveShare, members: Communicator, communicator: int) -> Array:
        """A collective: one event. What this rank receives of it. ``given``: what all gave, for derivatives that depend
        on it, is kept from the first run."""
        number = self.event("collective", -1, "", share.values.nbytes)
        transfer = self.contribute(share, members, communicator, number)
        if transfer is not None:
            self.wait(transfer)
        result = self.taken(share, members, number, number, transfer)
        self.done.append(DoneEvent(number, "collective", share.into if share.call.takes else None, number, -1,
                                   self.first[number].message, self.where, share, members.members))
        return result

    def start_gather(self, request: RankRequest, members: Communicator) -> None:
        """A collective that does not block begins: one event."""
        assert request.share is not None
        number = self.event("icollective", -1, "", request.share.values.nbytes)
        self.begun(request, number)
        request.transfer = self.contribute(request.share, members, request.handle_of, number)
        self.done.append(DoneEvent(number, "icollective", None, number, -1, self.first[number].message, self.where,
                                   request.share, members.members))

    def finish_gather(self, request: RankRequest, members: Communicator) -> None:
        """It is completed: one event."""
        assert request.share is not None
        start, share = request.number, request.share
        number = self.event("wait-collective", -1, self.first[start].message, share.values.nbytes)
        self.ended(request, start, number)
        if self.active(number):
            self.wait_for(request)
        self.untouched(request, start)
        if start in request.before:
            request.buffer.write(request.before[start])
        self.taken(share, members, start, number, request.transfer)
        self.closed(request, start)
        self.done.append(DoneEvent(number, "wait-collective", share.into if share.call.takes else None, start, -1,
                                   self.first[start].message, self.where, share, members.members))

    def contribute(self, share: CollectiveShare, members: Communicator, communicator: int,
                   number: int) -> MessageTransfer | None:
        """One rank's share; None where this run does not communicate it."""
        if not self.active(number):
            return None
        if self.again is not None:
            self.sent_again += share.values.nbytes
        transfer = self.exchange.collective(self.rank, members.members, self.space(communicator),
                                            (share.call.name, share.values, share.cuts),
                                            self.place(f"takes part in {share.text}"))
        if self.again is None:
            self.first[number].message = f"c{communicator} of {min(members.members)}.{transfer.tag}"
        return transfer

    def taken(self, share: CollectiveShare, members: Communicator, start: int, number: int,
              transfer: MessageTransfer | None) -> Array:
        """What a rank receives of a collective, stored."""
        call, first, result = share.call, self.first[number], None
        if transfer is not None:
            names = {one[0] for one in transfer.value.values()}
            if len(names) > 1:
                raise ReplayError(f"ranks take part in different collectives: {', '.join(sorted(names))}")
            pieces = [transfer.value[rank] for rank in members.members]
            self.given[start] = tuple((values, cuts) for _, values, cuts in pieces)
            result = call.result([one[1] for one in pieces], [one[2] for one in pieces]) if call.takes else np.zeros(0)
        if result is not None and self.again is None:
            first.received, first.bytes = result, result.nbytes
        elif result is not None and first.received is not None and first.received.tobytes() != result.tobytes():
            raise ReplayError("the second run receives other values than the first did")
        result = self.through_log(number, first, result)
        if share.into is not None and call.takes:
            share.into.write(result)
        return result
