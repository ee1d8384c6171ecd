"""Collectives: which memory each gives and takes, block by block, at once or by a request."""

from __future__ import annotations

from typing import Final

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot
from snapset.analysis.replay.ranks.calls.calling_rank import IN_PLACE, CallArguments, CallingRank
from snapset.analysis.replay.ranks.collective_values import OPERATIONS, CollectiveCall, Cuts
from snapset.analysis.replay.ranks.data_layouts import DataLayout
from snapset.analysis.replay.ranks.message_buffers import (
    MessageBuffer,
    Passed,
    blocks_buffer,
    number,
    numbers,
    store,
    typed_buffer,
)
from snapset.analysis.replay.ranks.rank_events import CollectiveShare
from snapset.frontend.base.frozen_records import frozen

COLLECTIVES: Final = frozenset(f"mpi_{name}" for name in (
    "barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block", "gather",
    "scatter", "allgather", "alltoall", "gatherv", "scatterv", "allgatherv", "alltoallv"))
STARTED: Final = {one.replace("mpi_", "mpi_i"): one for one in COLLECTIVES}
"""The same without blocking: MPI_IALLREDUCE."""


def collective(rank: CallingRank, name: str, given: CallArguments) -> None:
    """Take part, and wait until all do."""
    comm, members = rank.communicator(given)
    rank.port.gather(shared(rank, name, given), members, comm)


def start_collective(rank: CallingRank, name: str, given: CallArguments) -> None:
    """Take part; what comes of it is there when the request is completed."""
    comm, members = rank.communicator(given)
    share = shared(rank, STARTED[name], given)
    into = share.into if share.into is not None and share.call.takes else _nothing()
    request = rank.new_request("collective", into, -1, -1, comm)
    request.share = share
    rank.port.start_gather(request, members)
    store(given["request"], request.handle)


def shared(rank: CallingRank, name: str, given: CallArguments) -> CollectiveShare:
    """What a rank gives, and where its result goes."""
    _, members = rank.communicator(given)
    size, me = len(members.members), members.members.index(rank.port.rank)
    operation = OPERATIONS.get(number(given["op"]), "?") if "op" in given else ""
    root = number(given["root"]) if "root" in given else -1
    if root >= size or (root < 0 and "root" in given):
        raise ReplayError(f"root {root} is none of the {size} ranks there are")
    call = CollectiveCall(name, me, size, root, operation, _is_in_place(given.get("recvbuf")))
    sent, into, cuts = _Pieces(rank, call, given).pieces()
    values = sent.read() if sent is not None and call.gives else np.zeros(0)
    return CollectiveShare(call, values, cuts, sent if call.gives else None, into if call.takes else None)


def received_into(rank: CallingRank, name: str, given: CallArguments) -> MessageBuffer:
    """The memory that a collective may write."""
    return shared(rank, STARTED.get(name, name), given).into or _nothing()


def _nothing() -> MessageBuffer:
    return MessageBuffer(Slot(np.zeros(0), None, (1,)), (slice(0, 0),), 0)


def _is_in_place(passed: Passed) -> bool:
    return isinstance(passed, int | np.integer) and passed == IN_PLACE


@frozen
class _Pieces:
    """The memory of one call: what is sent, what is received into, how the former is cut."""

    rank: CallingRank
    call: CollectiveCall
    given: CallArguments

    def pieces(self) -> tuple[MessageBuffer | None, MessageBuffer | None, Cuts]:
        name = self.call.name
        if name == "mpi_barrier":
            return None, None, ()
        if name == "mpi_bcast":
            one = self.rank.buffer(self.given, "buffer", "count", "datatype")
            return one, one, ()
        if name in ("mpi_reduce", "mpi_allreduce", "mpi_scan", "mpi_exscan"):
            return self.reduction()
        if name.startswith("mpi_reduce_scatter"):
            return self.block_reduction()
        if name.endswith("v"):
            return self.varying()
        return self.equal()

    def layout(self, side: str) -> DataLayout:
        return self.rank.layouts.find(number(self.given[f"{side}type"]))

    @property
    def in_place(self) -> bool:
        return _is_in_place(self.given["sendbuf"])

    def reduction(self) -> tuple[MessageBuffer | None, MessageBuffer | None, Cuts]:
        needed = self.call.takes or self.in_place
        into = self.rank.buffer(self.given, "recvbuf", "count", "datatype") if needed else None
        return into if self.in_place else self.rank.buffer(self.given, "sendbuf", "count", "datatype"), into, ()

    def block_reduction(self) -> tuple[MessageBuffer | None, MessageBuffer | None, Cuts]:
        """Each rank's block of the whole reduction."""
        size, layout = self.call.size, self.layout("data")
        cuts = tuple(numbers(self.given["recvcounts"], size)) if "recvcounts" in self.given else (
            number(self.given["recvcount"]),) * size
        from_ = self.given["recvbuf" if self.in_place else "sendbuf"]
        return (typed_buffer(from_, sum(cuts), layout), typed_buffer(self.given["recvbuf"], cuts[self.call.me], layout),
                tuple(one * len(layout.offsets) for one in cuts))

    def equal(self) -> tuple[MessageBuffer | None, MessageBuffer | None, Cuts]:
        """Gather, scatter, all to all, with blocks of one size."""
        call, size = self.call, self.call.size
        split, joined = call.name in ("mpi_scatter", "mpi_alltoall"), call.name != "mpi_scatter"
        into = None
        if call.takes:
            into = self.rank.buffer(self.given, "recvbuf", "recvcount", "recvtype", size if joined else 1)
        if not call.gives:
            return None, into, ()
        if self.in_place and call.name == "mpi_alltoall":
            sent = into
        elif self.in_place:
            layout, count = self.layout("recv"), number(self.given["recvcount"])
            sent = blocks_buffer(self.given["recvbuf"], (count,), (call.me * count,), layout)
        else:
            sent = self.rank.buffer(self.given, "sendbuf", "sendcount", "sendtype", size if split else 1)
        assert sent is not None
        return sent, into, (sent.count // size,) * size if split else ()

    def varying(self) -> tuple[MessageBuffer | None, MessageBuffer | None, Cuts]:
        """The same with a size and a place for each block."""
        call, every = self.call, self.call.name == "mpi_alltoallv"
        into: MessageBuffer | None = None
        if call.takes and call.name == "mpi_scatterv":
            into = self.rank.buffer(self.given, "recvbuf", "recvcount", "recvtype")
        elif call.takes:
            into = self.blocks("recv", "rdispls" if every else "displs")
        if not call.gives:
            return None, into, ()
        if call.name == "mpi_scatterv" or every:
            if every and self.in_place:
                return into, into, self.cuts("recv")
            return self.blocks("send", "sdispls" if every else "displs"), into, self.cuts("send")
        if not self.in_place:
            return self.rank.buffer(self.given, "sendbuf", "sendcount", "sendtype"), into, ()
        count = numbers(self.given["recvcounts"], call.size)[call.me]
        place = numbers(self.given["displs"], call.size)[call.me]
        return blocks_buffer(self.given["recvbuf"], (count,), (place,), self.layout("recv")), into, ()

    def blocks(self, side: str, places: str) -> MessageBuffer:
        size = self.call.size
        return blocks_buffer(self.given[f"{side}buf"], numbers(self.given[f"{side}counts"], size),
                             numbers(self.given[places], size), self.layout(side))

    def cuts(self, side: str) -> Cuts:
        each = len(self.layout(side).offsets)
        return tuple(one * each for one in numbers(self.given[f"{side}counts"], self.call.size))
