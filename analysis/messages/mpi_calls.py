"""The calls of MPI: what each does, and which of its arguments is what.

The names are those of the standard's Fortran bindings (MPI 4.1, Annex A.4), by position, in ``mpif.h``, ``use mpi`` and
``use mpi_f08`` alike::

    CALLS["mpi_isend"].role       "start"
    CALLS["mpi_isend"].arguments  ("buf", "count", "datatype", "dest", "tag", "comm", "request", "ierror")

One-sided communication, files and intercommunicators are known by the beginnings of their names only: what they do
cannot be seen from one call, and they are opaque (SN602).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import statements

CallRole: TypeAlias = Literal["send", "recv", "both", "start send", "start recv", "prepare send", "prepare recv",
                              "activate", "complete", "collective", "start collective", "probe", "environment"]

_TABLE: Final = """
send: send ssend bsend rsend
    buf count datatype dest tag comm ierror
start send: isend issend ibsend irsend
    buf count datatype dest tag comm request ierror
prepare send: send_init ssend_init bsend_init rsend_init
    buf count datatype dest tag comm request ierror
recv: recv
    buf count datatype source tag comm status ierror
start recv: irecv
    buf count datatype source tag comm request ierror
prepare recv: recv_init
    buf count datatype source tag comm request ierror
both: sendrecv
    sendbuf sendcount sendtype dest sendtag recvbuf recvcount recvtype source recvtag comm status ierror
both: sendrecv_replace
    buf count datatype dest sendtag source recvtag comm status ierror
activate: start
    request ierror
activate: startall
    count array_of_requests ierror
complete: wait
    request status ierror
complete: waitall
    count array_of_requests array_of_statuses ierror
complete: waitany
    count array_of_requests index status ierror
complete: waitsome testsome
    incount array_of_requests outcount array_of_indices array_of_statuses ierror
complete: test
    request flag status ierror
complete: testall
    count array_of_requests flag array_of_statuses ierror
complete: testany
    count array_of_requests index flag status ierror
complete: cancel request_free
    request ierror
complete: request_get_status
    request flag status ierror
probe: probe
    source tag comm status ierror
probe: iprobe
    source tag comm flag status ierror
probe: mprobe
    source tag comm message status ierror
probe: improbe
    source tag comm flag message status ierror
recv: mrecv
    buf count datatype message status ierror
start recv: imrecv
    buf count datatype message request ierror
collective: barrier
    comm ierror
collective: bcast
    buffer count datatype root comm ierror
collective: reduce
    sendbuf recvbuf count datatype op root comm ierror
collective: reduce_scatter_block
    sendbuf recvbuf recvcount datatype op comm ierror
collective: allreduce scan exscan
    sendbuf recvbuf count datatype op comm ierror
collective: reduce_scatter
    sendbuf recvbuf recvcounts datatype op comm ierror
collective: gather scatter
    sendbuf sendcount sendtype recvbuf recvcount recvtype root comm ierror
collective: allgather alltoall
    sendbuf sendcount sendtype recvbuf recvcount recvtype comm ierror
collective: gatherv
    sendbuf sendcount sendtype recvbuf recvcounts displs recvtype root comm ierror
collective: scatterv
    sendbuf sendcounts displs sendtype recvbuf recvcount recvtype root comm ierror
collective: allgatherv
    sendbuf sendcount sendtype recvbuf recvcounts displs recvtype comm ierror
collective: alltoallv
    sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype comm ierror
collective: comm_split
    comm color key newcomm ierror
collective: comm_dup
    comm newcomm ierror
collective: comm_split_type
    comm split_type key info newcomm ierror
collective: comm_create
    comm group newcomm ierror
collective: comm_create_group
    comm group tag newcomm ierror
collective: comm_free
    comm ierror
collective: cart_sub
    comm remain_dims newcomm ierror
collective: cart_create
    comm_old ndims dims periods reorder comm_cart ierror
environment: init finalize
    ierror
environment: init_thread
    required provided ierror
environment: initialized finalized
    flag ierror
environment: comm_rank
    comm rank ierror
environment: comm_size
    comm size ierror
environment: comm_group
    comm group ierror
environment: cart_shift
    comm direction disp rank_source rank_dest ierror
environment: cart_coords
    comm rank maxdims coords ierror
environment: cart_rank
    comm coords rank ierror
environment: cart_get
    comm maxdims dims periods coords ierror
environment: dims_create
    nnodes ndims dims ierror
environment: get_count
    status datatype count ierror
environment: get_processor_name
    name resultlen ierror
environment: error_string
    errorcode string resultlen ierror
environment: abort
    comm errorcode ierror
environment: pcontrol
    level
environment: type_contiguous
    count oldtype newtype ierror
environment: type_get_extent
    datatype lb extent ierror
environment: type_vector type_create_hvector type_hvector
    count blocklength stride oldtype newtype ierror
environment: type_indexed
    count array_of_blocklengths array_of_displacements oldtype newtype ierror
environment: type_create_indexed_block
    count blocklength array_of_displacements oldtype newtype ierror
environment: type_create_subarray
    ndims array_of_sizes array_of_subsizes array_of_starts order oldtype newtype ierror
environment: type_create_resized
    oldtype lb extent newtype ierror
environment: type_size
    datatype size ierror
environment: type_commit type_free
    datatype ierror
environment: comm_set_errhandler
    comm errhandler ierror
environment: errhandler_set
    comm errhandler ierror
environment: comm_set_name
    comm comm_name ierror
environment: get_version
    version subversion ierror
environment: query_thread
    provided ierror
environment: is_thread_main
    flag ierror
environment: error_class
    errorcode errorclass ierror
environment: comm_compare
    comm1 comm2 result ierror
environment: group_size
    group size ierror
environment: group_rank
    group rank ierror
environment: group_incl group_excl
    group n ranks newgroup ierror
environment: group_free
    group ierror
environment: op_create
    user_fn commute op ierror
environment: op_free
    op ierror
environment: wtime wtick
    .
"""
OPAQUE_BEGINNINGS: Final = ("mpi_win_", "mpi_put", "mpi_get", "mpi_rput", "mpi_rget", "mpi_accumulate",
                            "mpi_raccumulate", "mpi_fetch_and_op", "mpi_compare_and_swap", "mpi_file_",
                            "mpi_intercomm_", "mpi_comm_spawn",
                            "mpi_comm_connect", "mpi_comm_accept", "mpi_comm_join", "mpi_neighbor_",
                            "mpi_ineighbor_", "mpi_psend_init", "mpi_precv_init", "mpi_parrived", "mpi_pready",
                            "mpi_dist_graph_", "mpi_graph_")

WRITTEN: Final = frozenset(("buf", "recvbuf", "buffer", "request", "array_of_requests", "status", "array_of_statuses",
                            "index", "array_of_indices", "outcount", "flag", "newcomm", "comm_cart", "rank", "size",
                            "rank_source", "rank_dest", "coords", "message", "ierror", "provided", "group", "newtype",
                            "count", "dims", "periods", "name", "resultlen", "string", "comm", "datatype", "version",
                            "subversion", "errorclass", "result", "newgroup", "lb", "extent", "op"))


_OWN_WRITTEN: Final = {"count": ("mpi_get_count",), "comm": ("mpi_comm_free",),
                       "rank": ("mpi_comm_rank", "mpi_cart_rank", "mpi_group_rank"),
                       "group": ("mpi_comm_group", "mpi_group_free"), "op": ("mpi_op_create", "mpi_op_free"),
                       "datatype": ("mpi_type_commit", "mpi_type_free"), "dims": ("mpi_dims_create", "mpi_cart_get"),
                       "periods": ("mpi_cart_get",), "coords": ("mpi_cart_coords", "mpi_cart_get")}


@frozen
class MpiCall:
    """One procedure of the library."""

    name: str
    role: CallRole
    arguments: tuple[str, ...]

    @property
    def communicates(self) -> bool:
        """Does a second run meet, or need, another rank?"""
        return self.role != "environment"

    def bind(self, call: ir.Call) -> dict[str, ir.Expr] | None:
        """The actual arguments by the standard's names; None where they do not fit. IERROR may be missing."""
        found: dict[str, ir.Expr] = {}
        for place, one in enumerate(call.args):
            if one.keyword is None and place >= len(self.arguments):
                return None
            name = one.keyword or self.arguments[place]
            if name not in self.arguments or name in found:
                return None
            found[name] = one.value
        missing = [name for name in self.arguments if name not in found and name != "ierror"]
        return None if missing else found


def _entries() -> Iterator[tuple[str, MpiCall]]:
    lines = [line for line in _TABLE.splitlines() if line.strip()]
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        role, _, names = first.partition(":")
        arguments = tuple(second.split()) if second.strip() != "." else ()
        for name in names.split():
            yield f"mpi_{name}", MpiCall(f"mpi_{name}", role, arguments)  # type: ignore[arg-type]
            if role == "collective" and not name.startswith(("comm_", "cart_")):  # and the one that does not block
                started = (*arguments[:-1], "request", "ierror")
                yield f"mpi_i{name}", MpiCall(f"mpi_i{name}", "start collective", started)


CALLS: Final[Mapping[str, MpiCall]] = MappingProxyType(dict(_entries()))


def known_call(stmt: ir.Stmt | None) -> MpiCall | None:
    """The library's procedure that a statement calls: one without source here, by its name or the profiling layer's."""
    if not isinstance(stmt, ir.Call) or stmt.targets or stmt.intrinsic or stmt.via != "name":
        return None
    return CALLS.get(stmt.name.removeprefix("p") if stmt.name.startswith("pmpi_") else stmt.name)


def written_by(call: MpiCall) -> frozenset[str]:
    """The arguments that a call may write."""
    sends = call.role in ("send", "start send", "prepare send")
    return frozenset(name for name in call.arguments if name in WRITTEN and not (sends and name == "buf")
                     and call.name in _OWN_WRITTEN.get(name, (call.name,)))


def completed_requests(stmt: ir.Call) -> tuple[ir.Ref, ...]:
    """The requests of messages that a call completes, or may."""
    call = known_call(stmt)
    if call is None or call.role != "complete":
        return ()
    given = call.bind(stmt) or {}
    found = (given.get(name) for name in ("request", "array_of_requests"))
    return tuple(one for one in found if isinstance(one, ir.Ref))


STARTING: Final = frozenset(("mpi_start", "mpi_startall"))


def starts_messages(stmt: ir.Stmt | None) -> bool:
    """Does a statement start messages that were prepared?"""
    call = known_call(stmt)
    return call is not None and call.name in STARTING


def prepares_messages(stmt: ir.Stmt | None) -> bool:
    """Does a statement prepare messages, or is it one of MPI that may (``MPI_BCAST_INIT``), by its name?"""
    call = known_call(stmt)
    return call.role.startswith("prepare") if call is not None else prepares_unknown(stmt)


def prepares_unknown(stmt: ir.Stmt | None) -> bool:
    """A persistent collective, or the like: which of its arguments are buffers is not known."""
    return isinstance(stmt, ir.Call) and not stmt.targets and known_call(stmt) is None \
        and is_message_passing(stmt.name) and stmt.name.endswith("_init")


def prepared_buffers(procedure: ir.Procedure) -> tuple[tuple[ir.Ref, bool, Span], ...]:
    """The buffers of a procedure's persistent requests, whether they receive, and where they are prepared."""
    found: list[tuple[ir.Ref, bool, Span]] = []
    for stmt in statements(procedure.body):
        call = known_call(stmt)
        if call is None or not call.role.startswith("prepare") or not isinstance(stmt, ir.Call):
            continue
        buffer = (call.bind(stmt) or {}).get("buf")
        if isinstance(buffer, ir.Ref):
            found.append((buffer, call.role == "prepare recv", stmt.span))
    return tuple(found)


def is_message_passing(name: str) -> bool:
    """A procedure of MPI by its name, known or not."""
    return name.startswith(("mpi_", "pmpi_"))
