"""The calls of MPI, executed: each becomes events of the rank's port, and values in the caller's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from snapset.analysis.messages.exchange import ANY, ExchangeError
from snapset.analysis.replay.memory.runtime_support import Index, ReplayError, Slot
from snapset.analysis.replay.ranks.collective_values import OPERATIONS, CollectiveCall
from snapset.analysis.replay.ranks.communicators import NULL, Communicator
from snapset.analysis.replay.ranks.message_buffers import MessageBuffer, Passed, buffer_of, number, numbers, store
from snapset.analysis.replay.ranks.rank_port import RankPort, RankRequest

CallArguments = Mapping[str, Passed]
PROC_NULL, ANY_SOURCE, ANY_TAG, NO_REQUEST, IN_PLACE, UNDEFINED, STATUS_SIZE = -1, -2, -1, 738197504, -11111, -32766, 5
_SYNCHRONOUS: Final = frozenset(("mpi_ssend", "mpi_issend"))
COLLECTIVES: Final = frozenset(("mpi_barrier", "mpi_bcast", "mpi_reduce", "mpi_allreduce", "mpi_gather", "mpi_scatter",
                                "mpi_allgather", "mpi_alltoall", "mpi_scan"))


class MpiMachine:
    """Runs one rank's calls."""

    def __init__(self, port: RankPort) -> None:
        self.port = port

    def call(self, name: str, where: str, given: CallArguments) -> None:
        """Run a call. Raises ReplayError for what goes wrong, ExchangeError for a wait without a request."""
        self.port.where = where
        if name in COLLECTIVES:
            self.collective(name, given)
        else:
            EXECUTED[name](self, name, given)
        if "ierror" in given:
            store(given["ierror"], 0)

    def communicator(self, given: CallArguments, name: str = "comm") -> tuple[int, Communicator]:
        handle = number(given[name])
        found = self.port.communicators.find(handle, self.port.rank)
        if found is None or self.port.rank not in found.members:
            raise ReplayError(f"{handle} is no communicator of rank {self.port.rank}")
        return handle, found

    # ------------------------------------------------------------ point to point

    def request(self, kind: str, buffer: MessageBuffer, peer: int, tag: int, comm: int,
                synchronous: bool = False) -> RankRequest:
        handle = len(self.port.requests) + 1
        found = RankRequest(handle, "send" if kind == "send" else "recv", buffer,
                            ANY if peer == ANY_SOURCE and kind == "recv" else peer, tag, comm,
                            synchronous=synchronous)
        self.port.requests[handle] = found
        return found

    def one_way(self, name: str, given: CallArguments) -> None:
        """All that send or receive one message: blocking, or only started."""
        kind = "send" if "send" in name else "recv"
        peer, (comm, members) = number(given["dest" if kind == "send" else "source"]), self.communicator(given)
        if peer == PROC_NULL:
            if "request" in given:
                store(given["request"], NO_REQUEST)
            self.status(given.get("status"), PROC_NULL, ANY_TAG)
            return
        if not (0 <= peer < len(members.members) or (kind == "recv" and peer == ANY_SOURCE)):
            raise ReplayError(f"rank {peer} is none of the {len(members.members)} there are")
        buffer = buffer_of(given["buf"], number(given["count"]))
        request = self.request(kind, buffer, peer, number(given["tag"]), comm, name in _SYNCHRONOUS)
        self.port.start(request, members)
        if "request" in given:
            store(given["request"], request.handle)
        else:
            self.complete(request, given.get("status"))

    def complete(self, request: RankRequest, status: Passed) -> None:
        comm = self.port.communicators.find(request.handle_of, self.port.rank)
        assert comm is not None
        first = self.port.finish(request, comm)
        if first is not None:
            self.status(status, comm.members.index(first.source), first.tag)

    def status(self, to: Passed, source: int, tag: int) -> None:
        if isinstance(to, tuple):
            piece = buffer_of(to, STATUS_SIZE)
            values = piece.read()
            values[2:5] = source, tag, 0
            piece.write(values)

    def both(self, name: str, given: CallArguments) -> None:
        """SENDRECV: both are started before either is completed."""
        (comm, members), replace = self.communicator(given), name.endswith("_replace")
        requests: list[RankRequest] = []
        for kind, peer in (("send", number(given["dest"])), ("recv", number(given["source"]))):
            if peer == PROC_NULL:
                continue
            side = "" if replace else kind
            buffer = buffer_of(given[f"{side}buf"], number(given[f"{side}count"]))
            requests.append(self.request(kind, buffer, peer, number(given[f"{kind}tag"]), comm))
            self.port.start(requests[-1], members)
        if not any(one.kind == "recv" for one in requests):
            self.status(given.get("status"), PROC_NULL, ANY_TAG)
        for one in reversed(requests):
            self.complete(one, given.get("status") if one.kind == "recv" else None)

    def found(self, handle: int) -> RankRequest | None:
        if handle == NO_REQUEST:
            return None
        request = self.port.requests.get(handle)
        if request is None:
            raise ExchangeError("wait without a request")
        return request

    def complete_one(self, name: str, given: CallArguments) -> None:
        request = self.found(number(given["request"]))
        if request is None:
            self.status(given["status"], ANY_SOURCE, ANY_TAG)
            return
        self.complete(request, given["status"])
        store(given["request"], NO_REQUEST)

    def complete_all(self, name: str, given: CallArguments) -> None:
        count = number(given["count"])
        handles = numbers(given["array_of_requests"], count)
        statuses = given["array_of_statuses"]
        for k, handle in enumerate(handles):
            request = self.found(handle)
            if request is not None:
                self.complete(request, _nth(statuses, k, count))
                handles[k] = NO_REQUEST
        store(given["array_of_requests"], *handles)

    def complete_any(self, name: str, given: CallArguments) -> None:
        """The first that is done, in order; a second run takes the same."""
        port = self.port
        handles = numbers(given["array_of_requests"], number(given["count"]))
        there = {k: one for k, handle in enumerate(handles) if (one := self.found(handle)) is not None}
        if not there:
            store(given["index"], UNDEFINED)
            return
        at = port.counter
        if at not in port.choices:
            transfers = [one.transfer for one in there.values() if one.transfer is not None]
            for transfer in transfers:
                transfer.place = port.place(transfer.place.text + ", waits for any")
            port.wait(*transfers)
            port.choices[at] = next(k for k, one in there.items() if one.transfer is not None and one.transfer.done)
        chosen = port.choices[at]
        self.complete(there[chosen], given["status"])
        handles[chosen] = NO_REQUEST
        store(given["array_of_requests"], *handles)
        store(given["index"], chosen + 1)

    def free(self, name: str, given: CallArguments) -> None:
        store(given["request"], NO_REQUEST)

    # ------------------------------------------------------------ collectives

    def collective(self, name: str, given: CallArguments) -> None:
        comm, members = self.communicator(given)
        size, me = len(members.members), members.members.index(self.port.rank)
        operation = OPERATIONS.get(number(given["op"]), "?") if "op" in given else ""
        call = CollectiveCall(name, me, size, number(given["root"]) if "root" in given else -1, operation)
        sent, into, in_place = self.pieces(call, given)
        source = into if in_place else sent
        values = source.read() if source is not None and call.gives else np.zeros(0)
        self.port.gather(call, members, comm, values, sent if call.gives else None, into, in_place)

    def pieces(self, call: CollectiveCall,
               given: CallArguments) -> tuple[MessageBuffer | None, MessageBuffer | None, bool]:
        """What is sent, what is received into, and whether these are one."""
        if call.name == "mpi_barrier":
            return None, None, False
        if call.name == "mpi_bcast":
            one = buffer_of(given["buffer"], number(given["count"]))
            return one, one, False
        in_place = given["sendbuf"] == IN_PLACE if isinstance(given["sendbuf"], int | np.integer) else False
        if in_place and call.name not in ("mpi_reduce", "mpi_allreduce", "mpi_scan"):
            raise ReplayError(f"MPI_IN_PLACE in {call.name}")
        into = self.into(call, given)
        if in_place or not call.gives:
            return None, into, in_place
        factor = call.size if call.name in ("mpi_scatter", "mpi_alltoall") else 1
        count = number(given["count" if "count" in given else "sendcount"])
        return buffer_of(given["sendbuf"], count * factor), into, False

    def into(self, call: CollectiveCall, given: CallArguments) -> MessageBuffer | None:
        if not call.takes:
            return None
        factor = call.size if call.name in ("mpi_gather", "mpi_allgather", "mpi_alltoall") else 1
        return buffer_of(given["recvbuf"], number(given["count" if "count" in given else "recvcount"]) * factor)

    # ------------------------------------------------------------ communicators and the environment

    def new_communicator(self, name: str, given: CallArguments) -> None:
        """All members learn who is in it: as a collective, the handle being what is received."""
        comm, members = self.communicator(given, "comm_old" if name == "mpi_cart_create" else "comm")
        me = members.members.index(self.port.rank)
        mine = np.array([number(given["color"]), number(given["key"])] if name == "mpi_comm_split" else [0, me])
        call = CollectiveCall("mpi_allgather", me, len(members.members))
        given_by = self.port.gather(call, members, comm, mine, None, None)
        assert given_by is not None
        pairs = [tuple(pair) for pair in given_by.reshape(-1, 2).tolist()]
        color = pairs[me][0]
        ranks = tuple(rank for _, _, rank in sorted((key, k, members.members[k]) for k, (other, key) in enumerate(pairs)
                                                    if other == color))
        new = Communicator(ranks)
        if name == "mpi_cart_create":
            count = number(given["ndims"])
            dims = tuple(numbers(given["dims"], count))
            new = Communicator(ranks[:int(np.prod(dims))], dims, tuple(map(bool, numbers(given["periods"], count))))
        out = color == UNDEFINED or self.port.rank not in new.members
        message = self.port.first[self.port.counter - 1].message
        handle = NULL if out else self.port.communicators.make((name, message, color), new)
        store(given["comm_cart" if name == "mpi_cart_create" else "newcomm"], handle)

    def environment(self, name: str, given: CallArguments) -> None:
        port = self.port
        match name:
            case "mpi_comm_rank":
                store(given["rank"], self.communicator(given)[1].members.index(port.rank))
            case "mpi_comm_size":
                store(given["size"], len(self.communicator(given)[1].members))
            case "mpi_initialized":
                store(given["flag"], 1)
            case "mpi_finalized":
                store(given["flag"], 0)
            case "mpi_init_thread":
                store(given["provided"], number(given["required"]))
            case "mpi_comm_free":
                store(given["comm"], NULL)
            case "mpi_cart_shift":
                self.shift(given)
            case "mpi_cart_coords":
                _, comm = self.communicator(given)
                store(given["coords"], *comm.coordinates(number(given["rank"])))
            case "mpi_cart_rank":
                _, comm = self.communicator(given)
                there = comm.at(tuple(numbers(given["coords"], len(comm.dims))))
                store(given["rank"], PROC_NULL if there is None else there)
            case _:
                pass

    def shift(self, given: CallArguments) -> None:
        _, comm = self.communicator(given)
        here = comm.coordinates(comm.members.index(self.port.rank))
        direction, by = number(given["direction"]), number(given["disp"])
        for name, step in (("rank_source", -by), ("rank_dest", by)):
            there = comm.at(tuple(at + step * (k == direction) for k, at in enumerate(here)))
            store(given[name], PROC_NULL if there is None else there)


def _nth(statuses: Passed, k: int, count: int) -> Passed:
    """One status of several."""
    if not isinstance(statuses, tuple):
        return None
    row = buffer_of(statuses, STATUS_SIZE * count)
    flat = row.slot.values[row.index].reshape(-1, order="F")
    return Slot(flat, None, (1,)), (slice(STATUS_SIZE * k, STATUS_SIZE * (k + 1)),)


_Run = Callable[[MpiMachine, str, CallArguments], None]
EXECUTED: Final[Mapping[str, _Run]] = {
    **{f"mpi_{name}": MpiMachine.one_way for name in (
        "send", "ssend", "bsend", "rsend", "recv", "isend", "issend", "ibsend", "irsend", "irecv")},
    "mpi_sendrecv": MpiMachine.both, "mpi_sendrecv_replace": MpiMachine.both,
    "mpi_wait": MpiMachine.complete_one,
    "mpi_waitall": MpiMachine.complete_all, "mpi_waitany": MpiMachine.complete_any, "mpi_request_free": MpiMachine.free,
    "mpi_comm_split": MpiMachine.new_communicator, "mpi_comm_dup": MpiMachine.new_communicator,
    "mpi_cart_create": MpiMachine.new_communicator,
    **{f"mpi_{name}": MpiMachine.environment for name in (
        "init", "finalize", "init_thread", "initialized", "finalized", "comm_rank", "comm_size", "comm_free",
        "cart_shift", "cart_coords", "cart_rank", "pcontrol")},
}


def is_executed(name: str) -> bool:
    """Does the machine execute a call of MPI?"""
    return name in COLLECTIVES or name in EXECUTED


def written_pieces(name: str, given: CallArguments, wanted: tuple[str, ...],
                   port: RankPort) -> list[tuple[Slot, Index]]:
    """The memory that a call may write, argument by argument."""
    machine, found = MpiMachine(port), []
    for one in wanted:
        piece = _written(machine, name, one, given)
        found.append((piece.slot, piece.index))
    return found


def _written(machine: MpiMachine, name: str, one: str, given: CallArguments) -> MessageBuffer:
    passed = given[one]
    if one == "array_of_requests":
        return buffer_of(passed, number(given["count"]))
    if one == "array_of_statuses":
        return buffer_of(passed, STATUS_SIZE * number(given["count"]))
    if one == "status":
        return buffer_of(passed, STATUS_SIZE)
    if one in ("buf", "recvbuf", "buffer"):
        return _received_into(machine, name, one, given)
    if one == "coords":
        return buffer_of(passed, number(given["maxdims"]))
    return buffer_of(passed, 1)


def _received_into(machine: MpiMachine, name: str, one: str, given: CallArguments) -> MessageBuffer:
    if name in COLLECTIVES:
        _, members = machine.communicator(given)
        me = members.members.index(machine.port.rank)
        call = CollectiveCall(name, me, len(members.members), number(given["root"]) if "root" in given else -1)
        if not call.takes:
            return buffer_of(given[one], 0)
        if one == "buffer":
            return buffer_of(given[one], number(given["count"]))
        found = machine.into(call, given)
        assert found is not None
        return found
    return buffer_of(given[one], number(given["recvcount" if one == "recvbuf" else "count"]))
