"""Communicators, places of ranks, types of data: calls that send nothing, or only say who is there."""

from __future__ import annotations

from snapset.analysis.messages.communicators import NULL, Communicator, balanced
from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import NotExecutedError, ReplayError
from snapset.analysis.replay.ranks.calls.calling_rank import (
    NO_TYPE,
    PROC_NULL,
    STATUS_SIZE,
    UNDEFINED,
    CallArguments,
    CallingRank,
    store_all,
)
from snapset.analysis.replay.ranks.collective_values import CollectiveCall
from snapset.analysis.replay.ranks.data_layouts import DataLayout, byte_vector, indexed, subarray, vector
from snapset.analysis.replay.ranks.message_buffers import number, numbers, store
from snapset.analysis.replay.ranks.rank_events import CollectiveShare


def new_communicator(rank: CallingRank, name: str, given: CallArguments) -> None:
    """All members learn who is in it: as a collective, the handle being what is received."""
    port = rank.port
    comm, members = rank.communicator(given, "comm_old" if name == "mpi_cart_create" else "comm")
    me = members.members.index(port.rank)
    count = port.communicators.count(port.rank, port.counter)
    mine, dims, periods = np.array([0, me, count]), members.dims, members.periods  # a duplicate is Cartesian as the old
    if name == "mpi_comm_split":
        mine, dims, periods = np.array([number(given["color"]), number(given["key"]), count]), (), ()
    elif name == "mpi_cart_sub":
        if not dims:
            raise ReplayError("MPI_CART_SUB of a communicator that is not Cartesian")
        part, dims, periods = members.cut(me, tuple(map(bool, numbers(given["remain_dims"], len(dims)))))
        mine[0] = part
    call = CollectiveCall("mpi_allgather", me, len(members.members))
    told = port.gather(CollectiveShare(call, mine, (), None, None), members, comm)
    every = told.reshape(-1, 3).tolist()
    color = every[me][0]
    ranks = tuple(rank for _, _, rank in sorted((key, k, members.members[k]) for k, (other, key, _) in enumerate(every)
                                                if other == color))
    new = Communicator(ranks, dims, periods)
    if name == "mpi_cart_create":
        rank_of = number(given["ndims"])
        dims = tuple(numbers(given["dims"], rank_of))
        new = Communicator(ranks[:int(np.prod(dims))], dims, tuple(map(bool, numbers(given["periods"], rank_of))))
    out = color == UNDEFINED or port.rank not in new.members
    message = port.first[port.counter - 1].message
    first = max(given_out for k, (_, _, given_out) in enumerate(every) if members.members[k] in new.members)
    handle = NULL if out else port.communicators.make(port.rank, (name, message, color), first, new)
    store(given["comm_cart" if name == "mpi_cart_create" else "newcomm"], handle)


def environment(rank: CallingRank, name: str, given: CallArguments) -> None:
    """Who this is, how many there are, and what needs no answer."""
    port = rank.port
    match name:
        case "mpi_comm_rank":
            store(given["rank"], rank.communicator(given)[1].members.index(port.rank))
        case "mpi_comm_size":
            store(given["size"], len(rank.communicator(given)[1].members))
        case "mpi_initialized":
            store(given["flag"], 1)
        case "mpi_finalized":
            store(given["flag"], 0)
        case "mpi_init_thread":
            store(given["provided"], number(given["required"]))
        case "mpi_comm_free":
            store(given["comm"], NULL)
        case "mpi_get_version":
            store(given["version"], 4)
            store(given["subversion"], 1)
        case "mpi_is_thread_main":
            store(given["flag"], 1)
        case "mpi_error_class":
            store(given["errorclass"], number(given["errorcode"]))
        case "mpi_abort":
            raise ReplayError("MPI_ABORT was called")
        case _:
            pass


# ---------------------------------------------------------------- Cartesian places


def place(rank: CallingRank, name: str, given: CallArguments) -> None:
    """Where ranks stand in a Cartesian communicator."""
    if name == "mpi_dims_create":
        _dims(given)
        return
    _, comm = rank.communicator(given)
    if not comm.dims:
        raise ReplayError(f"{name.upper()} of a communicator that is not Cartesian")
    here = comm.coordinates(comm.members.index(rank.port.rank))
    match name:
        case "mpi_cart_shift":
            direction, by = number(given["direction"]), number(given["disp"])
            for to, step in (("rank_source", -by), ("rank_dest", by)):
                there = comm.at(tuple(at + step * (k == direction) for k, at in enumerate(here)))
                store(given[to], PROC_NULL if there is None else there)
        case "mpi_cart_coords":
            store_all(given["coords"], list(comm.coordinates(number(given["rank"]))))
        case "mpi_cart_get":
            store_all(given["dims"], list(comm.dims))
            store_all(given["periods"], [int(one) for one in comm.periods])
            store_all(given["coords"], list(here))
        case _:
            there = comm.at(tuple(numbers(given["coords"], len(comm.dims))))
            store(given["rank"], PROC_NULL if there is None else there)


def _dims(given: CallArguments) -> None:
    """MPI_DIMS_CREATE."""
    nodes, dims = number(given["nnodes"]), numbers(given["dims"], number(given["ndims"]))
    found = balanced(nodes, tuple(dims))
    if found is None:
        raise ReplayError(f"{nodes} ranks do not fill these dimensions")
    store_all(given["dims"], list(found))


# ---------------------------------------------------------------- types of data


def data_type(rank: CallingRank, name: str, given: CallArguments) -> None:
    """Make a type, free one, or ask how large one is."""
    if name == "mpi_type_free":
        store(given["datatype"], NO_TYPE)
    elif name == "mpi_type_size":
        found = rank.layouts.find(number(given["datatype"]))
        store(given["size"], len(found.offsets) * found.unit)
    elif name == "mpi_type_get_extent":
        found = rank.layouts.find(number(given["datatype"]))
        store(given["lb"], 0)
        store(given["extent"], found.extent * found.unit)
    elif name == "mpi_get_count":
        _count(rank, given)
    elif name != "mpi_type_commit":
        store(given["newtype"], rank.layouts.add(_made(rank, name, given)))


def _made(rank: CallingRank, name: str, given: CallArguments) -> DataLayout:
    old = rank.layouts.find(number(given["oldtype"]))
    match name:
        case "mpi_type_contiguous":
            return old.made_of(range(number(given["count"])))
        case "mpi_type_vector":
            return vector(old, number(given["count"]), number(given["blocklength"]), number(given["stride"]))
        case "mpi_type_create_hvector" | "mpi_type_hvector":
            return byte_vector(old, number(given["count"]), number(given["blocklength"]), number(given["stride"]))
        case "mpi_type_indexed":
            count = number(given["count"])
            return indexed(old, numbers(given["array_of_blocklengths"], count),
                           numbers(given["array_of_displacements"], count))
        case "mpi_type_create_indexed_block":
            count = number(given["count"])
            return indexed(old, [number(given["blocklength"])] * count, numbers(given["array_of_displacements"], count))
        case "mpi_type_create_subarray":
            count = number(given["ndims"])
            return subarray(old, numbers(given["array_of_sizes"], count), numbers(given["array_of_subsizes"], count),
                            numbers(given["array_of_starts"], count), number(given["order"]))
        case _:  # MPI_TYPE_CREATE_RESIZED
            low, extent = number(given["lb"]), number(given["extent"])
            if low or extent % old.unit:
                raise NotExecutedError("a type of data whose lower bound is not 0, or whose extent is no whole "
                                       "elements")
            return DataLayout(old.offsets, extent // old.unit, old.unit)


def _count(rank: CallingRank, given: CallArguments) -> None:
    """MPI_GET_COUNT: of items."""
    items, rest = divmod(numbers(given["status"], STATUS_SIZE)[0],
                         len(rank.layouts.find(number(given["datatype"])).offsets) or 1)
    store(given["count"], UNDEFINED if rest else items)
