"""Cartesian communicators of a rank that is followed: where ranks stand, who is beside whom.

``call mpi_cart_create(mpi_comm_world, 2, [2, size/2], [.true., .false.], .false., comm, ierr)`` is known where its
shape is, and ranks keep their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from snapset.analysis.messages.communicators import WORLD, Communicator, balanced
from snapset.analysis.messages.mpi_calls import CALLS, written_by
from snapset.analysis.messages.skeleton.skeleton_program import RunningProcedure
from snapset.analysis.messages.skeleton.skeleton_values import VARIES, SkeletonValue, constant
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from snapset.analysis.messages.skeleton.rank_skeleton import RankSkeleton

_PROC_NULL: Final = -1


@frozen
class SkeletonPlaces:
    """One call. ``store`` gives an argument a value."""

    rank: RankSkeleton
    run: RunningProcedure
    name: str
    given: Mapping[str, ir.Expr]
    store: Callable[[str, SkeletonValue], None]

    def cartesian(self, communicator: object, number: int) -> SkeletonValue:
        """A Cartesian communicator of all ranks, where its shape is known and ranks keep their numbers."""
        reorder, count = self.rank.value(self.run, self.given["reorder"]).decided, self.known("ndims")
        dims, periods = self.several("dims", count), self.several("periods", count)
        if communicator != WORLD or reorder is not False or dims is None or periods is None:
            return VARIES
        if prod(dims) != self.rank.size:
            return VARIES
        handle = 1000 + number
        self.rank.places[handle] = Communicator(tuple(range(self.rank.size)), tuple(dims), tuple(map(bool, periods)))
        return constant(handle)

    def known(self, name: str) -> int | None:
        found = self.rank.value(self.run, self.given[name]).decided
        return None if found is None else int(found)

    def several(self, name: str, count: int | None) -> list[int] | None:
        """The first elements of an array argument, where all are known."""
        given = self.given[name]
        if count is None:
            return None
        if isinstance(given, ir.ArrayConstructor):
            found = [self.rank.value(self.run, one).decided if not isinstance(one, ir.ImpliedDo) else None
                     for one in given.items][:count]
        elif isinstance(given, ir.Ref) and self.rank.index(self.run, given) == ():
            cell, first = self.rank.cell(self.run, given), self.first_of(given)
            if first is None:
                return None
            found = [cell.read((first + k,)).decided for k in range(count)]
        else:
            return None
        return [int(one) for one in found if one is not None] if None not in found and len(found) == count else None

    def store_several(self, name: str, values: Sequence[SkeletonValue]) -> None:
        """Give the elements of an array argument values that are this rank's own."""
        target = self.given[name]
        self.store(name, VARIES)
        first = self.first_of(target) if isinstance(target, ir.Ref) else None
        if isinstance(target, ir.Ref) and first is not None and self.rank.index(self.run, target) == ():
            for k, value in enumerate(values):
                self.rank.cell(self.run, target).write((first + k,), value)

    def first_of(self, ref: ir.Ref) -> int | None:
        """The first subscript of an array of one dimension."""
        variable = self.rank.declared(self.run, ref)
        return None if variable is None or variable.shape.rank != 1 else self.rank.lowest(variable)

    def place(self) -> None:
        """MPI_CART_SHIFT and its like, in a communicator whose shape is known."""
        name = self.name
        for to in written_by(CALLS[name]) - {"ierror"}:
            self.store(to, VARIES)
        handle = self.rank.value(self.run, self.given["comm"])
        own = handle.known is not None and (handle.uniform or handle.known in self.rank.groups)
        comm = self.rank.places.get(int(handle.known)) if own and handle.known is not None else None
        if comm is None or not comm.dims:
            return
        members = self.rank.groups.get(handle.known, comm.members)
        here = comm.coordinates(members.index(self.rank.rank))
        if name == "mpi_cart_shift":
            direction, by = self.known("direction"), self.known("disp")
            if direction is None or by is None:
                return
            for to, step in (("rank_source", -by), ("rank_dest", by)):
                there = comm.at(tuple(at + step * (k == direction) for k, at in enumerate(here)))
                self.store(to, SkeletonValue(_PROC_NULL if there is None else there, False))
        elif name == "mpi_cart_coords" and (asked := self.known("rank")) is not None:
            self.store_several("coords", [SkeletonValue(at, False) for at in comm.coordinates(asked)])
        elif name == "mpi_cart_get":
            self.store_several("coords", [SkeletonValue(at, False) for at in here])
        elif name == "mpi_cart_rank" and (at := self.several("coords", len(here))) is not None:
            there = comm.at(tuple(at))
            self.store("rank", SkeletonValue(_PROC_NULL if there is None else there, False))

    def dims(self) -> None:
        """MPI_DIMS_CREATE."""
        count, nodes = self.known("ndims"), self.known("nnodes")
        wanted = self.several("dims", count)
        found = None if wanted is None or nodes is None else balanced(nodes, tuple(wanted))
        self.store_several("dims", [constant(extent) for extent in found or ()])
