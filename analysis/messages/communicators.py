"""Communicators as values: handles that all ranks of a run share."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from snapset.frontend.base.frozen_records import frozen

WORLD, SELF, NULL = 1140850688, 1140850689, 67108864  # MPICH's, as frontend/symbols/known_modules.py has them
FIRST_HANDLE = 100
"""Of those that a program makes."""


@frozen
class Communicator:
    """``members``: ranks of the world, in order. ``dims``, ``periods``: of a Cartesian one."""

    members: tuple[int, ...]
    dims: tuple[int, ...] = ()
    periods: tuple[bool, ...] = ()

    def coordinates(self, rank: int) -> tuple[int, ...]:
        """Where a rank of a Cartesian communicator stands; the last dimension varies fastest."""
        found = []
        for extent in reversed(self.dims):
            rank, at = divmod(rank, extent)
            found.append(at)
        return tuple(reversed(found))

    def at(self, coordinates: tuple[int, ...]) -> int | None:
        """The rank at a place; None outside."""
        rank = 0
        for at, extent, periodic in zip(coordinates, self.dims, self.periods, strict=True):
            if not periodic and not 0 <= at < extent:
                return None
            rank = rank * extent + at % extent
        return rank

    def cut(self, rank: int, kept: tuple[bool, ...]) -> tuple[int, tuple[int, ...], tuple[bool, ...]]:
        """MPI_CART_SUB: in which part of the grid a rank stands, and the part's dimensions and periods."""
        number = 0
        for at, extent, stays in zip(self.coordinates(rank), self.dims, kept, strict=True):
            number = number if stays else number * extent + at
        return (number, tuple(extent for extent, stays in zip(self.dims, kept, strict=True) if stays),
                tuple(round_ for round_, stays in zip(self.periods, kept, strict=True) if stays))


def balanced(nodes: int, dims: tuple[int, ...]) -> tuple[int, ...] | None:
    """MPI_DIMS_CREATE: the dimensions that are 0 as equal as can be, the larger first; None where nothing fits."""
    fixed = prod(one for one in dims if one)
    free = sum(not one for one in dims)
    if nodes % fixed or (not free and fixed != nodes):
        return None
    extents = iter(sorted(_factors(nodes // fixed, free), reverse=True))
    return tuple(one or next(extents) for one in dims)


def _factors(nodes: int, count: int) -> list[int]:
    """So many factors whose largest is least."""
    if count <= 1:
        return [nodes] * count
    ways = [[one, *_factors(nodes // one, count - 1)] for one in range(1, nodes + 1) if nodes % one == 0]
    return min(ways, key=lambda way: sorted(way, reverse=True))


@dataclass(slots=True)
class Communicators:
    """All there are, by handle and rank. All members of a new one know it by one handle, which is none that any of them
    knows another by: they tell each other how many they have. Two without a common member may have the same."""

    size: int
    by_handle: dict[tuple[int, int], Communicator] = field(default_factory=dict)
    made: dict[tuple[int, object], int] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)
    told: dict[tuple[int, int], int] = field(default_factory=dict)

    def find(self, handle: int, rank: int) -> Communicator | None:
        """What a handle means on a rank."""
        if handle == WORLD:
            return Communicator(tuple(range(self.size)))
        if handle == SELF:
            return Communicator((rank,))
        return self.by_handle.get((handle, rank))

    def count(self, rank: int, event: int) -> int:
        """The first number that a rank has given no communicator yet; a second run of the event tells what the first
        did."""
        return self.told.setdefault((rank, event), self.counts.get(rank, 0))

    def make(self, rank: int, key: object, number: int, new: Communicator) -> int:
        """The handle of a new one on a rank; the same for the same key. ``number``: the greatest count of its
        members."""
        if (rank, key) not in self.made:
            handle = self.made[rank, key] = FIRST_HANDLE + number
            self.by_handle[handle, rank] = new
            self.counts[rank] = number + 1
        return self.made[rank, key]
