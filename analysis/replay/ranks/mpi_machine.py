"""The calls of MPI, executed: each becomes events of the rank's port, and values in the caller's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Index, Slot
from snapset.analysis.replay.ranks.calls import (
    collective_calls,
    completion_calls,
    environment_calls,
    point_to_point,
    probe_calls,
)
from snapset.analysis.replay.ranks.calls.calling_rank import STATUS_SIZE, CallArguments, CallingRank
from snapset.analysis.replay.ranks.message_buffers import MessageBuffer, buffer_of, number, store
from snapset.analysis.replay.ranks.rank_port import RankPort

_Run = Callable[[CallingRank, str, CallArguments], None]


def _named(run: _Run, names: str) -> dict[str, _Run]:
    return {f"mpi_{name}": run for name in names.split()}


EXECUTED: Final[Mapping[str, _Run]] = {
    **_named(point_to_point.one_way, "send ssend bsend rsend recv isend issend ibsend irsend irecv"),
    **_named(point_to_point.both, "sendrecv sendrecv_replace"),
    **_named(point_to_point.prepare, "send_init ssend_init bsend_init rsend_init recv_init"),
    **_named(point_to_point.activate, "start startall"),
    **_named(point_to_point.matched, "mrecv imrecv"),
    **_named(point_to_point.free, "request_free"),
    **_named(completion_calls.wait, "wait"), **_named(completion_calls.wait_all, "waitall"),
    **_named(completion_calls.wait_any, "waitany"), **_named(completion_calls.wait_some, "waitsome"),
    **_named(completion_calls.test, "test"), **_named(completion_calls.test_all, "testall"),
    **_named(completion_calls.test_any, "testany"), **_named(completion_calls.test_some, "testsome"),
    **_named(completion_calls.status_of, "request_get_status"),
    **_named(probe_calls.probe, "probe iprobe mprobe improbe"),
    **dict.fromkeys(collective_calls.COLLECTIVES, collective_calls.collective),
    **dict.fromkeys(collective_calls.STARTED, collective_calls.start_collective),
    **_named(environment_calls.new_communicator, "comm_split comm_dup cart_create cart_sub"),
    **_named(environment_calls.environment, "init finalize init_thread initialized finalized comm_rank comm_size "
             "comm_free pcontrol abort comm_set_errhandler errhandler_set comm_set_name get_version is_thread_main "
             "error_class"),
    **_named(environment_calls.place, "cart_shift cart_coords cart_rank cart_get dims_create"),
    **_named(environment_calls.data_type, "type_contiguous type_vector type_indexed type_create_indexed_block "
             "type_create_hvector type_hvector type_get_extent "
             "type_create_subarray type_create_resized type_commit type_free type_size get_count"),
}


class MpiMachine(CallingRank):
    """Runs one rank's calls."""

    def call(self, name: str, where: str, given: CallArguments) -> None:
        """Run a call. Raises ReplayError for what goes wrong, ExchangeError for a wait without a request."""
        self.port.where = where
        EXECUTED[name](self, name, given)
        if "ierror" in given:
            store(given["ierror"], 0)


def is_executed(name: str) -> bool:
    """Does the machine execute a call of MPI?"""
    return name in EXECUTED


def written_pieces(name: str, given: CallArguments, wanted: tuple[str, ...],
                   port: RankPort) -> list[tuple[Slot, Index]]:
    """The memory that a call may write, argument by argument."""
    machine, found = MpiMachine(port), []
    for one in wanted:
        piece = _written(machine, name, one, given)
        found.append((piece.slot, piece.index))
    return found


_COUNTED: Final = {"array_of_requests": ("count", "incount"), "array_of_indices": ("incount",),
                   "array_of_statuses": ("count", "incount"), "coords": ("maxdims",), "periods": ("maxdims",),
                   "dims": ("maxdims", "ndims")}


def _written(machine: MpiMachine, name: str, one: str, given: CallArguments) -> MessageBuffer:
    passed = given[one]
    if one in ("buf", "recvbuf", "buffer"):
        if name in collective_calls.COLLECTIVES or name in collective_calls.STARTED:
            return collective_calls.received_into(machine, name, given)
        side = "recv" if one == "recvbuf" else ""
        return machine.buffer(given, one, f"{side}count", f"{side or 'data'}type")
    if one == "status":
        return buffer_of(passed, STATUS_SIZE)
    if one in _COUNTED:
        count = next(number(given[each]) for each in _COUNTED[one] if each in given)
        return buffer_of(passed, STATUS_SIZE * count if one == "array_of_statuses" else count)
    return buffer_of(passed, 1)


def started_buffers(machine: MpiMachine, given: CallArguments, places: tuple[str, ...]) -> list[tuple[Slot, Index]]:
    """The memory that MPI_START receives into: first, by the place of the call that prepared it, what this procedure
    has prepared; then what other procedures have, and what is in a second array of one place."""
    rows: dict[str, list[MessageBuffer]] = {place: [] for place in places}
    others: list[MessageBuffer] = []
    for request in point_to_point.named_requests(machine, given):
        if request.kind == "recv":
            same = rows.get(request.place, others)
            (same if not same or _in_one_array(same[0], request.buffer) else others).append(request.buffer)
    return [*(_together(buffers) for buffers in rows.values()), *((one.slot, one.index) for one in others)]


def _in_one_array(first: MessageBuffer, other: MessageBuffer) -> bool:
    """Can what chooses the elements of one buffer choose those of another, too?"""
    return first.slot.values.ndim == other.slot.values.ndim == 1 \
        and np.shares_memory(first.slot.values, other.slot.values)


def _together(buffers: list[MessageBuffer]) -> tuple[Slot, Index]:
    """The memory of several buffers of one array."""
    if not buffers:
        return Slot(np.zeros(0), None, (1,)), (slice(0, 0),)
    first = buffers[0].slot
    if len(buffers) == 1:
        return first, buffers[0].index
    every = np.arange(first.values.size)
    return first, (np.unique(np.concatenate([every[one.index] for one in buffers])),)
