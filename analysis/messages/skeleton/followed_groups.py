"""Communicators of some of the ranks, where the colour that each rank gives MPI_COMM_SPLIT is known.

    call mpi_comm_split(mpi_comm_world, mod(me, 2), me, half, ierr)

Who is in ``half`` hangs on what the other ranks give. Each rank tells its colour and key, and is followed again until
all that are asked have told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

SplitKey: TypeAlias = tuple[object, tuple[int, ...], int]
"""The communicator that is split, its ranks, the number of the collective on it."""
FIRST_GROUP: Final = 5000


class UntoldError(Exception):
    """Some rank has not told its colour yet."""


@dataclass(slots=True)
class FollowedGroups:
    """What all ranks of one way have told."""

    told: dict[SplitKey, dict[int, tuple[int, int]]] = field(default_factory=dict)
    handles: dict[tuple[SplitKey, int], int] = field(default_factory=dict)

    def split(self, key: SplitKey, rank: int, colour: int, order: int) -> tuple[int, tuple[int, ...]]:
        """The handle of a rank's new communicator, and the ranks in it, by key and old rank. Raises UntoldError."""
        told = self.told.setdefault(key, {})
        told[rank] = colour, order
        if any(one not in told for one in key[1]):
            raise UntoldError
        members = sorted((told[one][1], at, one) for at, one in enumerate(key[1]) if told[one][0] == colour)
        return self.handle(key, colour), tuple(one for _, _, one in members)

    def handle(self, key: SplitKey, colour: int = 0) -> int:
        """The same one for all ranks."""
        return self.handles.setdefault((key, colour), FIRST_GROUP + len(self.handles))

    def count(self) -> int:
        """How much is told."""
        return sum(len(one) for one in self.told.values())
