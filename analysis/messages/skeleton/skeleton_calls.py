"""A call of MPI in a rank that is followed without inputs: which events it makes, which values it leaves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from snapset.analysis.messages.communication_trace import Event, Kind
from snapset.analysis.messages.communicators import NULL, SELF, Communicator
from snapset.analysis.messages.mpi_calls import MpiCall, written_by
from snapset.analysis.messages.skeleton.flying_buffers import FlyingBuffer, flying
from snapset.analysis.messages.skeleton.followed_groups import ANY_SOURCE, ANY_TAG, WildcardError
from snapset.analysis.messages.skeleton.skeleton_places import SkeletonPlaces
from snapset.analysis.messages.skeleton.skeleton_program import (
    TESTS,
    OpenRequest,
    PreparedRequest,
    RunningProcedure,
    UnprovableError,
)
from snapset.analysis.messages.skeleton.skeleton_values import (
    UNIFORM,
    VARIES,
    CellIndex,
    SkeletonCell,
    SkeletonValue,
    constant,
)
from snapset.frontend import ir

if TYPE_CHECKING:
    from snapset.analysis.messages.skeleton.rank_skeleton import RankSkeleton

_PROC_NULL, _NO_REQUEST, _UNDEFINED = -1, 738197504, -32766
_ALIKE = frozenset(("mpi_allreduce", "mpi_bcast", "mpi_allgather"))
_SAME = frozenset(("flag", "provided", "newtype", "datatype", "lb", "extent", "version", "subversion"))


def follow_call(rank: RankSkeleton, run: RunningProcedure, stmt: ir.Call, call: MpiCall) -> None:
    """Make the events of a call. Raises UnprovableError for what depends on more than rank and size."""
    _Follower(rank, run, stmt, call).follow()


class _Follower:
    def __init__(self, rank: RankSkeleton, run: RunningProcedure, stmt: ir.Call, call: MpiCall) -> None:
        self.rank, self.run, self.stmt, self.call = rank, run, stmt, call
        given = call.bind(stmt)
        if given is None:
            raise self.unprovable(f"the arguments of {stmt.name.upper()}")
        self.given = given
        self.where = f"{stmt.span.file}:{stmt.span.line}"

    def unprovable(self, why: str) -> UnprovableError:
        return UnprovableError(why, self.stmt.span)

    def follow(self) -> None:
        self.store("ierror", constant(0))  # MPI's own handler of errors ends the run
        match self.call.role:
            case "send" | "recv" | "start send" | "start recv":
                self.one_way()
            case "both":
                self.both()
            case "prepare send" | "prepare recv":
                self.prepare()
            case "activate":
                self.activate()
            case "complete":
                self.complete()
            case "collective":
                self.collective()
            case "start collective":
                self.start_collective()
            case "probe":
                self.probe()
            case "environment":
                self.environment()
            case _:
                raise self.unprovable(f"{self.stmt.name.upper()}, which is not followed")

    def number(self, name: str) -> int:
        found = self.rank.value(self.run, self.given[name])
        value = found.known if name.endswith("tag") else found.decided
        if value is None:
            raise self.unprovable(f"the {name} of {self.stmt.name.upper()} is not known from rank and size")
        return int(value)

    def store(self, name: str, value: SkeletonValue) -> None:
        target = self.given.get(name)
        if isinstance(target, ir.Ref):
            self.rank.assign(self.run, target, value)

    def communicator(self, name: str = "comm") -> object:
        value, given = self.rank.value(self.run, self.given[name]), self.given[name]
        if value.known in self.rank.groups:
            return value.known
        if not value.uniform:
            raise self.unprovable("a communicator that may differ from rank to rank")
        return value.known if value.known is not None else given.name if isinstance(given, ir.Ref) else "?"

    def ranks_of(self, communicator: object) -> tuple[int, ...]:
        """The ranks in a communicator, as those of all are numbered."""
        return self.rank.groups.get(communicator, tuple(range(self.rank.size)))

    def request(self, kind: str, peer: int, tag: int, communicator: object) -> OpenRequest:
        rank, members = self.rank, self.ranks_of(communicator)
        anybody = kind == "recv" and peer == ANY_SOURCE
        if not anybody and not 0 <= peer < len(members):
            raise self.unprovable(f"rank {peer}, which is none of {len(members)}")
        peer = peer if anybody else members[peer]
        if anybody or (kind == "recv" and tag == ANY_TAG):
            peer, tag = self.met(communicator, peer, tag)
        source, to = (rank.rank, peer) if kind == "send" else (peer, rank.rank)
        if kind == "send":
            rank.senders.sends(communicator, source, to, tag)
        key = (communicator, source, to, tag)
        number = rank.counts[kind, *key] = rank.counts.get((kind, *key), -1) + 1
        found = OpenRequest(kind, peer, key, number, self.where, self.stmt.span)
        rank.open.append(found)
        start: Kind = "isend" if kind == "send" else "irecv"
        rank.emit(Event(start, peer, name_of(found), self.where), self.stmt.span)
        return found

    def met(self, communicator: object, peer: int, tag: int) -> tuple[int, int]:
        """The rank and the tag that a receive with a wildcard meets; any, while nobody has heard who sends."""
        rank = self.rank
        if rank.closed:
            raise WildcardError("a wildcard", self.stmt.span)
        found = rank.senders.only(communicator, rank.rank, peer, tag, self.stmt.span)
        return (rank.rank, 0) if found is None else found

    def fly(self, request: OpenRequest, buffer: object) -> None:
        if isinstance(buffer, FlyingBuffer):
            self.rank.flying[id(request)] = buffer

    def buffer(self, name: str, receives: bool) -> FlyingBuffer | None:
        return flying(self.rank, self.run, self.given[name], self.given.get("count"), receives,
                      self.stmt.span.line)

    def finish(self, request: OpenRequest) -> None:
        request.open = False
        self.rank.flying.pop(id(request), None)
        end: Kind = "wait-collective" if request.message else "wait-send" if request.kind == "send" else "wait-recv"
        self.rank.emit(Event(end, request.peer, name_of(request), self.where), self.stmt.span)

    def one_way(self) -> None:
        kind = "send" if self.call.role.endswith("send") else "recv"
        peer, communicator = self.number("dest" if kind == "send" else "source"), self.communicator()
        if kind == "recv":
            self.store("buf", VARIES)
        self.store("status", VARIES)
        if peer == _PROC_NULL:
            self.store("request", constant(_NO_REQUEST))
            return
        request = self.request(kind, peer, self.number("tag"), communicator)
        if "request" not in self.given:
            self.finish(request)
            return
        self.fly(request, self.buffer("buf", kind == "recv"))
        self.give(request)

    def give(self, request: OpenRequest) -> None:
        cell, at = self.one_request()
        cell.made[at] = request
        cell.prepared.pop(at, None)
        cell.write(at, UNIFORM)

    def one_request(self) -> tuple[SkeletonCell, CellIndex]:
        """The memory of the request that a call names."""
        target = self.given["request"]
        if not isinstance(target, ir.Ref):
            raise self.unprovable("a request that is no variable")
        at = self.rank.index(self.run, target)
        if at is None:
            raise self.unprovable("a request in an unknown element")
        return self.rank.cell(self.run, target), at

    def prepare(self) -> None:
        """A persistent request: nothing is sent yet."""
        kind = "send" if self.call.role.endswith("send") else "recv"
        peer, communicator = self.number("dest" if kind == "send" else "source"), self.communicator()
        buffer = self.given["buf"]
        into = (self.run, buffer) if kind == "recv" and isinstance(buffer, ir.Ref) else None
        cell, at = self.one_request()
        cell.prepared[at] = PreparedRequest(kind, peer, self.number("tag"), communicator, into,
                                            self.buffer("buf", kind == "recv"))
        cell.write(at, UNIFORM)

    def activate(self) -> None:
        """MPI_START, MPI_STARTALL: each prepared request is a message more."""
        target = self.given["request" if "request" in self.given else "array_of_requests"]
        if not isinstance(target, ir.Ref):
            raise self.unprovable("a request that is no variable")
        cell, at = self.rank.cell(self.run, target), self.rank.index(self.run, target)
        if "request" in self.given and (at is None or at not in cell.prepared):
            raise self.unprovable("a request that is not known to be prepared")
        wanted = [at] if "request" in self.given else self.elements(target, cell.prepared)
        if not wanted:
            raise self.unprovable("requests that are not known to be prepared")
        for one in wanted:
            found: PreparedRequest = cell.prepared[one]
            if found.buffer is not None:
                self.rank.assign(*found.buffer, VARIES)
            if found.peer != _PROC_NULL:
                cell.made[one] = self.request(found.kind, found.peer, found.tag, found.communicator)
                self.fly(cell.made[one], found.flying)

    def both(self) -> None:
        communicator = self.communicator()
        made = []
        for kind, peer in (("recv", self.number("source")), ("send", self.number("dest"))):
            if peer != _PROC_NULL:
                made.append(self.request(kind, peer, self.number(f"{kind}tag"), communicator))
        for one in made:
            self.finish(one)
        self.store("recvbuf" if "recvbuf" in self.given else "buf", VARIES)
        self.store("status", VARIES)

    def complete(self) -> None:
        name = self.call.name
        if name in TESTS and self.rank.testing:  # of a loop that ends when it says so
            self.store("flag", constant(True))
            name = name.replace("test", "wait")
        if name == "mpi_request_free":
            self.free()
            return
        if name not in ("mpi_wait", "mpi_waitall", "mpi_waitany"):
            raise self.unprovable(f"{name.upper()}: what it completes is not known")
        several = "array_of_requests" in self.given
        target = self.given["array_of_requests" if several else "request"]
        if not isinstance(target, ir.Ref):
            raise self.unprovable("a request that is no variable")
        cell, at = self.rank.cell(self.run, target), self.rank.index(self.run, target)
        if at is None and not several:
            raise self.unprovable("a request in an unknown element")
        wanted = self.elements(target, cell.made) if several else [at]
        for one in wanted:
            request = cell.made.pop(one, None)
            if request is not None:
                self.finish(request)
                cell.items[one] = UNIFORM if one in cell.prepared else constant(_NO_REQUEST)
                if name == "mpi_waitany":
                    break
            elif not several and one not in cell.prepared and cell.read(one).known != _NO_REQUEST:
                self.rank.said["SN603", self.stmt.span] = (
                    f"{name.upper()} completes a request that nothing has started on the way here (rank "
                    f"{self.rank.rank} of {self.rank.size})")
        self.store("index", VARIES)
        self.store("status", VARIES)

    def free(self) -> None:
        """MPI_REQUEST_FREE of one that is not under way."""
        cell, at = self.one_request()
        if at in cell.made:
            raise self.unprovable("a request that is freed while its message is under way")
        cell.prepared.pop(at, None)
        cell.write(at, constant(_NO_REQUEST))

    def elements(self, target: ir.Ref, those: Iterable[CellIndex]) -> list[CellIndex]:
        """Of the elements with requests those that a call names."""
        count = self.rank.value(self.run, self.given["count"]).known
        found = self.rank.named(self.run, target, None if count is None else int(count), those)
        if found is None:
            raise self.unprovable("requests in an unknown object")
        return found

    def collective(self) -> None:
        name, cartesian = self.call.name, self.call.name == "mpi_cart_create"
        communicator = self.communicator("comm_old" if cartesian else "comm")
        if name == "mpi_comm_create_group":  # of the group alone
            raise self.unprovable("MPI_COMM_CREATE_GROUP, whose ranks are not known")
        if name == "mpi_comm_free":
            return
        number, message = self.share(communicator)
        self.rank.emit(Event("collective", -1, message, self.where), self.stmt.span)
        self.receive_from_all(communicator)
        self.store("newcomm", VARIES)
        if name == "mpi_comm_dup":
            self.duplicate(communicator, number)
        elif name == "mpi_comm_split":
            self.split(communicator, number)
        elif name == "mpi_cart_sub":
            self.cut(communicator, number)
        if cartesian:
            self.store("comm_cart", self.places().cartesian(communicator, number))

    def share(self, communicator: object) -> tuple[int, str]:
        """The number of a collective, and what it is called on all ranks."""
        number = self.rank.collectives[communicator] = self.rank.collectives.get(communicator, -1) + 1
        message = f"{communicator} collective {number}"
        if communicator in self.rank.groups:
            message += f" of {self.rank.rank}" if communicator == SELF else ""
            self.rank.members[message] = self.rank.groups[communicator]
        return number, message

    def duplicate(self, communicator: object, number: int) -> None:
        """MPI_COMM_DUP: the same ranks in the same order, and where they stand."""
        handle = self.rank.told.handle((communicator, self.ranks_of(communicator), number))
        self.rank.groups[handle] = self.ranks_of(communicator)
        if isinstance(communicator, int) and communicator in self.rank.places:
            self.rank.places[handle] = self.rank.places[communicator]
        self.store("newcomm", SkeletonValue(handle, len(self.ranks_of(communicator)) == self.rank.size))

    def split(self, communicator: object, number: int) -> None:
        """MPI_COMM_SPLIT, where colours and keys are known, or the same on all ranks."""
        members, here = self.ranks_of(communicator), self.rank.rank
        colour, key = (self.rank.value(self.run, self.given[name]) for name in ("color", "key"))
        if colour.decided is None and colour.uniform:
            colour = constant(0)
        if key.decided is None and key.uniform:
            key = constant(0)
        if colour.decided is None or key.decided is None:
            return
        if colour.decided == _UNDEFINED:
            self.rank.told.told.setdefault((communicator, members, number), {})[here] = _UNDEFINED, 0
            self.store("newcomm", SkeletonValue(NULL, False))
            return
        handle, inside = self.rank.told.split((communicator, members, number), here, int(colour.decided),
                                              int(key.decided))
        self.rank.groups[handle] = inside
        self.store("newcomm", SkeletonValue(handle, len(inside) == self.rank.size))

    def cut(self, communicator: object, number: int) -> None:
        """MPI_CART_SUB of a communicator in which all places are known."""
        whole = self.rank.places.get(communicator) if isinstance(communicator, int) else None
        kept = None if whole is None else self.places().several("remain_dims", len(whole.dims))
        if whole is None or kept is None:
            return
        members = self.ranks_of(communicator)
        here = members.index(self.rank.rank)
        part, dims, periods = whole.cut(here, tuple(map(bool, kept)))
        handle, inside = self.rank.told.split((communicator, members, number), self.rank.rank, part, here)
        self.rank.groups[handle] = inside
        self.rank.places[handle] = Communicator(tuple(range(len(inside))), dims, periods)
        self.store("newcomm", SkeletonValue(handle, len(inside) == self.rank.size))

    def receive_from_all(self, communicator: object) -> None:
        whole = len(self.ranks_of(communicator)) == self.rank.size  # other groups get something else
        alike = UNIFORM if whole and self.call.name.replace("mpi_i", "mpi_") in _ALIKE else VARIES
        for to in ("recvbuf", "buffer"):
            self.store(to, alike)

    def start_collective(self) -> None:
        """A collective that does not block: its request is completed like a message's."""
        communicator = self.communicator()
        _, message = self.share(communicator)
        request = OpenRequest("collective", -1, (communicator,), 0, self.where, self.stmt.span, message=message)
        self.rank.open.append(request)
        self.rank.emit(Event("icollective", -1, message, self.where), self.stmt.span)
        self.receive_from_all(communicator)
        if "recvbuf" in self.given and "count" in self.given:
            self.fly(request, self.buffer("recvbuf", True))
        self.give(request)

    def probe(self) -> None:
        """MPI_PROBE waits for the next message that nobody has received; MPI_IPROBE waits for nothing, and what it
        says may differ from rank to rank."""
        self.store("status", VARIES)
        self.store("flag", VARIES)
        if self.call.name == "mpi_iprobe":
            return
        if self.call.name != "mpi_probe":
            raise self.unprovable(f"{self.stmt.name.upper()}, which is not followed")
        peer, tag, communicator = self.number("source"), self.number("tag"), self.communicator()
        if peer == _PROC_NULL:
            return
        if peer == ANY_SOURCE or tag == ANY_TAG:
            raise self.unprovable("a wildcard")
        key = (communicator, peer, self.rank.rank, tag)
        number = self.rank.counts.get(("recv", *key), -1) + 1
        message = name_of(OpenRequest("recv", peer, key, number, self.where, self.stmt.span))
        self.rank.emit(Event("probe", peer, message, self.where), self.stmt.span)

    def places(self) -> SkeletonPlaces:
        return SkeletonPlaces(self.rank, self.run, self.call.name, self.given, self.store)

    def environment(self) -> None:
        name = self.call.name
        if name == "mpi_comm_rank":
            members = self.ranks_of(self.communicator())
            self.store("rank", SkeletonValue(members.index(self.rank.rank), False))
        elif name == "mpi_comm_size":
            members = self.ranks_of(self.communicator())
            self.store("size", SkeletonValue(len(members), len(members) == self.rank.size))
        elif name in ("mpi_cart_shift", "mpi_cart_coords", "mpi_cart_get", "mpi_cart_rank"):
            self.places().place()
        elif name == "mpi_dims_create":
            self.places().dims()
        elif name != "mpi_abort":
            for to in written_by(self.call) - {"ierror"}:
                same = to in _SAME or (to == "size" and name == "mpi_type_size")
                self.store(to, UNIFORM if same else VARIES)


def name_of(request: OpenRequest) -> str:
    """What a message is called on both ends: who sends it to whom, by tag, which one in order."""
    if request.message:
        return request.message
    communicator, source, to, tag = request.key
    return f"{communicator} {source}>{to} tag {tag} no. {request.number}"
