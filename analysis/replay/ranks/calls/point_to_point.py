"""Messages from one rank to another: sent and received at once, started, or prepared and started again and again."""

from __future__ import annotations

from typing import Final

from snapset.analysis.messages.communicators import Communicator
from snapset.analysis.messages.exchange import ExchangeError, MessageTransfer
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.ranks.calls.calling_rank import (
    ANY_SOURCE,
    ANY_TAG,
    MESSAGE_NO_PROC,
    NO_MESSAGE,
    NO_REQUEST,
    PROC_NULL,
    CallArguments,
    CallingRank,
)
from snapset.analysis.replay.ranks.message_buffers import number, numbers, store
from snapset.analysis.replay.ranks.rank_events import RankRequest

_SYNCHRONOUS: Final = frozenset(("mpi_ssend", "mpi_issend", "mpi_ssend_init"))


def one_way(rank: CallingRank, name: str, given: CallArguments) -> None:
    """All that send or receive one message: blocking, or only started."""
    kind = "send" if "send" in name else "recv"
    peer, (comm, members) = number(given["dest" if kind == "send" else "source"]), rank.communicator(given)
    if peer == PROC_NULL:
        if "request" in given:
            store(given["request"], NO_REQUEST)
        rank.status(given.get("status"), PROC_NULL, ANY_TAG)
        return
    _check(kind, peer, members)
    buffer = rank.buffer(given, "buf", "count", "datatype")
    request = rank.new_request(kind, buffer, peer, number(given["tag"]), comm, name in _SYNCHRONOUS)
    _go(rank, request, members, given)


def _check(kind: str, peer: int, members: Communicator) -> None:
    if not (0 <= peer < len(members.members) or (kind == "recv" and peer == ANY_SOURCE)):
        raise ReplayError(f"rank {peer} is none of the {len(members.members)} there are")


def _go(rank: CallingRank, request: RankRequest, members: Communicator, given: CallArguments) -> None:
    """Start a request, and complete it where the call blocks."""
    rank.port.start(request, members)
    if "request" in given:
        store(given["request"], request.handle)
    else:
        rank.complete(request, given.get("status"))


def matched(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_MRECV, MPI_IMRECV: what a probe has taken."""
    handle = number(given["message"])
    store(given["message"], NO_MESSAGE)
    if handle == MESSAGE_NO_PROC:
        if "request" in given:
            store(given["request"], NO_REQUEST)
        rank.status(given.get("status"), PROC_NULL, ANY_TAG)
        return
    port = rank.port
    if handle not in port.probed or handle - 1 not in port.choices:
        raise ExchangeError("a message is received that no probe has found")
    taken: MessageTransfer | None = port.probed[handle]
    port.probed[handle] = None
    chosen = port.choices[handle - 1]
    assert isinstance(chosen, tuple)
    source, tag, _, comm = chosen
    buffer = rank.buffer(given, "buf", "count", "datatype")
    request = rank.new_request("recv", buffer, source, tag, comm)
    if port.active(port.counter):
        if taken is None and (port.again is None or port.second.popular):
            raise ExchangeError("a message is received that no probe has found")
        request.held = None if taken is None else taken.held
    _go(rank, request, rank.member_of(comm)[1], given)


def both(rank: CallingRank, name: str, given: CallArguments) -> None:
    """SENDRECV: both are started before either is completed."""
    (comm, members), replace = rank.communicator(given), name.endswith("_replace")
    requests: list[RankRequest] = []
    for kind, peer in (("send", number(given["dest"])), ("recv", number(given["source"]))):
        if peer == PROC_NULL:
            continue
        _check(kind, peer, members)
        side = "" if replace else kind
        buffer = rank.buffer(given, f"{side}buf", f"{side}count", f"{side or 'data'}type")
        requests.append(rank.new_request(kind, buffer, peer, number(given[f"{kind}tag"]), comm))
        requests[-1].replaced = replace
        rank.port.start(requests[-1], members)
    if not any(one.kind == "recv" for one in requests):
        rank.status(given.get("status"), PROC_NULL, ANY_TAG)
    for one in reversed(requests):
        rank.complete(one, given.get("status") if one.kind == "recv" else None)


def prepare(rank: CallingRank, name: str, given: CallArguments) -> None:
    """A persistent request: nothing is sent yet."""
    kind = "send" if "send" in name else "recv"
    peer, (comm, members) = number(given["dest" if kind == "send" else "source"]), rank.communicator(given)
    if peer != PROC_NULL:
        _check(kind, peer, members)
    buffer = rank.buffer(given, "buf", "count", "datatype")
    request = rank.new_request(kind, buffer, peer, number(given["tag"]), comm, name in _SYNCHRONOUS)
    request.persistent, request.open, request.nobody = True, False, peer == PROC_NULL
    store(given["request"], request.handle)


def activate(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_START, MPI_STARTALL."""
    for request in named_requests(rank, given):
        if request.nobody:
            continue
        if request.started(rank.port.counter) is not None:
            raise ExchangeError("a request is started that is not completed yet")
        rank.port.start(request, rank.member_of(request.handle_of)[1])


def named_requests(rank: CallingRank, given: CallArguments) -> list[RankRequest]:
    """The persistent requests that a call starts."""
    handles = [number(given["request"])] if "request" in given else numbers(given["array_of_requests"],
                                                                             number(given["count"]))
    found = []
    for handle in handles:
        request = rank.port.requests.get(handle)
        if request is None or not request.persistent:
            raise ExchangeError("a request is started that was not prepared")
        found.append(request)
    return found


def free(rank: CallingRank, name: str, given: CallArguments) -> None:
    """MPI_REQUEST_FREE."""
    store(given["request"], NO_REQUEST)
