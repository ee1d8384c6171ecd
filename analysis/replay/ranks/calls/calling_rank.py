"""A rank that runs a call: what the arguments mean, what a status holds, which requests there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from snapset.analysis.messages.communicators import Communicator
from snapset.analysis.messages.exchange import ANY, ExchangeError
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.ranks.data_layouts import DataLayouts
from snapset.analysis.replay.ranks.message_buffers import (
    MessageBuffer,
    Passed,
    PassedMemory,
    buffer_of,
    number,
    scattered_buffer,
    store,
    typed_buffer,
)
from snapset.analysis.replay.ranks.rank_events import FirstEvent, RankRequest
from snapset.analysis.replay.ranks.rank_port import RankPort

CallArguments: TypeAlias = Mapping[str, Passed]
PROC_NULL, ANY_SOURCE, ANY_TAG, NO_REQUEST, IN_PLACE, UNDEFINED, STATUS_SIZE = -1, -2, -1, 738197504, -11111, -32766, 5
NO_MESSAGE, MESSAGE_NO_PROC, NO_TYPE = 738197505, -2, 201326592


class CallingRank:
    """``layouts``: the types of data that this rank has made."""

    def __init__(self, port: RankPort) -> None:
        self.port = port
        self.layouts: DataLayouts = port.layouts

    def communicator(self, given: CallArguments, name: str = "comm") -> tuple[int, Communicator]:
        """The communicator of a call."""
        return self.member_of(number(given[name]))

    def member_of(self, handle: int) -> tuple[int, Communicator]:
        """A communicator, in which this rank is. Raises ReplayError where it is not."""
        found = self.port.communicators.find(handle, self.port.rank)
        if found is None or self.port.rank not in found.members:
            raise ReplayError(f"{handle} is no communicator of rank {self.port.rank}")
        return handle, found

    def buffer(self, given: CallArguments, name: str, count: str, layout: str, times: int = 1) -> MessageBuffer:
        """The memory that a call sends or receives into."""
        return typed_buffer(given[name], number(given[count]) * times, self.layouts.find(number(given[layout])))

    def new_request(self, kind: str, buffer: MessageBuffer, peer: int, tag: int, comm: int,
                    synchronous: bool = False) -> RankRequest:
        """A request, with a handle of its own."""
        handle = len(self.port.requests) + 1
        found = RankRequest(handle, "send" if kind == "send" else "recv" if kind == "recv" else "collective", buffer,
                            ANY if peer == ANY_SOURCE and kind == "recv" else peer, tag, comm,
                            synchronous=synchronous, place=self.port.where)
        self.port.requests[handle] = found
        return found

    def found(self, handle: int) -> RankRequest | None:
        """The request behind a handle; None where there is none to complete or to start."""
        if handle == NO_REQUEST:
            return None
        request = self.port.requests.get(handle)
        if request is None:
            raise ExchangeError("wait without a request")
        return request

    def pending(self, handle: int) -> RankRequest | None:
        """The request behind a handle, if it is active."""
        request = self.found(handle)
        active = request is not None and request.started(self.port.counter) is not None and not request.nobody
        return request if active else None

    def complete(self, request: RankRequest, status: Passed) -> None:
        """Wait for a request."""
        if request.nobody:
            self.status(status, PROC_NULL, ANY_TAG)
            return
        _, comm = self.member_of(request.handle_of)
        if request.kind == "collective":
            self.port.finish_gather(request, comm)
            return
        first = self.port.finish(request, comm)
        if first is not None:
            self.status(status, comm.members.index(first.source), first.tag, received(first))

    def after(self, request: RankRequest) -> int:
        """What a request's variable holds when it is completed."""
        return request.handle if request.persistent else NO_REQUEST

    def status(self, to: Passed, source: int, tag: int, count: int = 0) -> None:
        """Fill a status: how many elements have come, from whom, with which tag."""
        if isinstance(to, PassedMemory):
            piece = buffer_of(to, STATUS_SIZE)
            values = piece.read()
            values[0], values[2:5] = count, (source, tag, 0)
            piece.write(values)

    def done_now(self, request: RankRequest) -> bool:
        """Has a request's message come, or gone? Asking lets messages come."""
        progress = getattr(self.port.exchange, "progress", None)
        if progress is not None:
            progress()
        return request.transfer is not None and request.transfer.done


def received(first: FirstEvent) -> int:
    """How many elements the first run received."""
    return 0 if first.received is None else int(first.received.size)


def nth_status(statuses: Passed, k: int) -> Passed:
    """One status of several."""
    if not isinstance(statuses, PassedMemory):
        return None
    one = scattered_buffer(statuses, range(STATUS_SIZE * k, STATUS_SIZE * (k + 1)))
    return PassedMemory(one.slot, one.index)


def store_all(to: Passed, values: list[int]) -> None:
    """Give several elements values."""
    if values:
        store(to, *values)
