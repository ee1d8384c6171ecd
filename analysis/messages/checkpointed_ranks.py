"""The checkpointed adjoint of a trace, executed on simulated ranks: does it end, is its gradient right, what is logged?

U C D becomes U C D, adjoint of D, C again, adjoint of C, adjoint of U, nested (mpi-adjoint-checkpointing.txt, 1.2).
Between the events each rank computes with one number that depends on all it received, so that a wrong or missing
message is a wrong gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import field
from math import cos, sin
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from snapset.analysis.messages.communication_trace import TAKES, Event, Ranks, Trace, TracePart
from snapset.analysis.messages.exchange import Exchange, ExchangeError, MessageExchange, MessageTransfer, Sends
from snapset.analysis.messages.message_log import MessageLog, NestedLog
from snapset.analysis.messages.strands import RunEnd, run_strands
from snapset.frontend.base.frozen_records import frozen

NOBODY: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({})
Sweep: TypeAlias = Literal["fwd", "again", "adj"]
Waiting: TypeAlias = "Generator[Sequence[MessageTransfer], None, None]"


@frozen
class RerunPlan:
    """What second runs do. ``checkpoints`` False: there are none (store-all). ``popular``: they do all again.
    ``resent``: else, by part, the messages sent again; all other receives are logged."""

    checkpoints: bool = True
    popular: bool = False
    resent: dict[str, frozenset[str]] = field(default_factory=dict)
    nested: NestedLog = "again"


@frozen
class BlockPlace:
    """An event in a sweep, where a rank stands."""

    sweep: Sweep
    kind: str
    peer: int
    message: str


@frozen
class TraceRun:
    """What came of it. ``never_received``, ``never_completed``: messages and requests left over at the end.
    ``sent_again``: bytes."""

    end: RunEnd
    gradient: tuple[float, ...]
    results: tuple[float, ...]
    never_received: int
    never_completed: int
    log_peaks: tuple[int, ...]
    log_written: tuple[int, ...]
    sent_again: int


@frozen
class _Record:
    """What the adjoint of one event needs, or what a part starts from."""

    one: Event | TracePart
    state: float
    received: float = 0.0


class CheckpointedRank:
    """One rank's adjoint. ``state``: its number; ``bar``: the adjoint of that."""

    def __init__(self, rank: int, trace: Trace, plan: RerunPlan, exchange: MessageExchange, size: int,
                 state: float, members: Mapping[str, tuple[int, ...]] = NOBODY) -> None:
        self.rank, self.trace, self.plan, self.exchange, self.size = rank, trace, plan, exchange, size
        self.members = members
        self.state, self.bar, self.result = state, 0.0, 0.0
        self.requests: dict[tuple[str, bool], MessageTransfer] = {}
        self.log = MessageLog(plan.nested)
        self.sent_again = 0
        self.steps = self.whole()

    def resume(self) -> Sequence[MessageTransfer] | None:
        """Go on until something must be waited for."""
        return next(self.steps, None)

    def whole(self) -> Waiting:
        tape: list[_Record] = []
        yield from self.run(self.trace, tape, None, None)
        self.result, self.bar = self.state, 1.0
        yield from self.back(tape)

    # ------------------------------------------------------------ forward

    def run(self, body: Trace, tape: list[_Record] | None, again: str | None, target: str | None) -> Waiting:
        """Run a body, recording on ``tape``. ``again``: the part whose second run it is; ``target``: the outermost
        part in that around here, whose second run comes next."""
        for one in body:
            if isinstance(one, Event):
                yield from self.event(one, tape, again, target)
            elif not self.plan.checkpoints:
                yield from self.run(one.body, tape, again, target)
            else:
                if tape is not None:
                    tape.append(_Record(one, self.state))
                yield from self.run(one.body, None, again, target or one.name)

    def event(self, one: Event, tape: list[_Record] | None, again: str | None, target: str | None) -> Waiting:
        received, before = 0.0, self.state
        active = again is None or self.plan.popular or one.message in self.plan.resent.get(again, ())
        wanted = (target is not None and one.kind in TAKES and not self.plan.popular
                  and one.message not in self.plan.resent.get(target, ()))
        if active:
            yield from self.primal(one, again)
            if one.kind in TAKES:
                received = self.got
                if wanted and target is not None:
                    self.log.push(target, received, one.bytes)
        elif one.kind in TAKES and again is not None:
            received = self.log.read(again, target if wanted else None)
        self.step(one, received)
        if tape is not None:
            tape.append(_Record(one, before, received))

    def step(self, one: Event, received: float) -> None:
        """What the rank computes beside the event."""
        if one.kind in TAKES:
            self.state = sin(self.state + 0.7 * received) + 0.1 * self.state
        elif one.kind in ("send", "isend", "icollective"):
            self.state = 0.9 * self.state + 0.3 * cos(self.state)

    def primal(self, one: Event, again: str | None) -> Waiting:
        """Communicate a value. Second runs have a communicator of their own, but in the popular way."""
        sweep: Sweep = "fwd" if again is None else "again"
        space = "world" if again is None or self.plan.popular else f"again {again}"
        if again is not None and one.kind in ("send", "isend", "icollective"):
            self.sent_again += one.bytes
        yield from self.communicate(one.kind, one.peer, one.message, self.state, sweep, space)

    def communicate(self, kind: str, peer: int, message: str, value: float, sweep: Sweep, space: str) -> Waiting:
        """One event; what it receives is in ``got`` then."""
        place, channel = BlockPlace(sweep, kind, peer, message), (space, message)
        request = message, kind in ("isend", "wait-send")  # a rank may send to itself
        if kind in ("send", "isend"):
            transfer = self.exchange.send(self.rank, peer, 0, channel, value, place)
        elif kind in ("recv", "irecv"):
            transfer = self.exchange.receive(self.rank, peer, 0, channel, place)
        elif kind == "probe":
            transfer = self.exchange.probe(self.rank, peer, 0, channel, place)
        elif kind in ("collective", "icollective"):
            everyone = self.members.get(message.removeprefix("~"), tuple(range(self.size)))
            transfer = self.exchange.collective(self.rank, everyone, channel, value, place)
        else:
            found = self.requests.pop(request, None)
            if found is None:
                raise ExchangeError("wait without a request")
            transfer = found
            transfer.place = place
        if kind in ("isend", "irecv", "icollective"):
            self.requests[request] = transfer
            return
        while not transfer.done:
            yield (transfer,)
        self.got: float = sum(transfer.value.values()) if kind.endswith("collective") else transfer.value

    # ------------------------------------------------------------ backward

    def back(self, tape: list[_Record]) -> Waiting:
        while tape:
            record = tape.pop()
            if isinstance(record.one, TracePart):
                self.state, inner, name = record.state, list[_Record](), record.one.name
                yield from self.run(record.one.body, inner, name, None)
                yield from self.back(inner)
                self.log.end(name)
            else:
                yield from self.adjoint(record.one, record.state, record.received)

    def adjoint(self, one: Event, state: float, received: float) -> Waiting:
        """Section 1.1: the other event, in the opposite direction."""
        def talk(kind: str, value: float = 0.0) -> Waiting:
            return self.communicate(kind, one.peer, "~" + one.message, value, "adj", "adjoint")

        bar = self.bar
        if one.kind in TAKES:
            slope = cos(state + 0.7 * received)
            self.bar = bar * (slope + 0.1)
            given = bar * 0.7 * slope
            if one.kind == "collective":
                yield from talk("collective", given)
                self.bar += self.got
            elif one.kind == "wait-collective":
                yield from talk("icollective", given)
            else:
                yield from talk("send" if one.kind == "recv" else "isend", given)
        elif one.kind == "irecv":
            yield from talk("wait-send")
        elif one.kind == "wait-send":
            yield from talk("irecv")
        elif one.kind != "probe":
            yield from talk({"send": "recv", "isend": "wait-recv"}.get(one.kind, "wait-collective"))
            self.bar = bar * (0.9 - 0.3 * sin(state)) + self.got


def start_values(ranks: int) -> tuple[float, ...]:
    """Each rank's number at the start."""
    return tuple(0.5 + 0.25 * rank for rank in range(ranks))


def run_plan(ranks: Ranks, plan: RerunPlan, sends: Sends = "synchronous",
             start: Callable[[int], Sequence[float]] = start_values,
             members: Mapping[str, tuple[int, ...]] = NOBODY) -> TraceRun:
    """Execute a trace's adjoint under a plan, on as many ranks as it has. ``members``: of collectives that are not of
    all ranks."""
    exchange, size = Exchange(sends), len(ranks)
    strands = [CheckpointedRank(rank, trace, plan, exchange, size, start(size)[rank], members)
               for rank, trace in enumerate(ranks)]
    end = run_strands(strands, exchange)
    return TraceRun(end, tuple(one.bar for one in strands), tuple(one.result for one in strands),
                    len(exchange.left_over()), sum(len(one.requests) for one in strands),
                    tuple(one.log.peak for one in strands), tuple(one.log.written for one in strands),
                    sum(one.sent_again for one in strands))
