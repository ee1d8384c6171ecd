"""What ranks that are followed must hear of each other: who is in a communicator, and who sends.

Communicators of some of the ranks, where the colour that each rank gives MPI_COMM_SPLIT is known::

    call mpi_comm_split(mpi_comm_world, mod(me, 2), me, half, ierr)

Who is in ``half`` hangs on what the other ranks give. Each rank tells its colour and key, and is followed again until
all that are asked have told.

Receives from MPI_ANY_SOURCE that only one rank can meet::

    if (rank == 0) call mpi_recv(x, 1, mpi_real, MPI_ANY_SOURCE, 7, comm, status, ierr)

Where in the whole run nobody but rank 2 sends rank 0 anything with tag 7 on ``comm``, this is a receive from rank 2:
messages of one sender do not overtake each other. So ranks are followed once to hear who sends what to whom, and once
more with what was heard.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from snapset.analysis.messages.skeleton.skeleton_program import UnprovableError
from snapset.frontend.base.diagnostics import Span

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


Channel: TypeAlias = tuple[object, int]
"""A communicator, and the rank that receives on it."""
Sent: TypeAlias = dict[Channel, set[tuple[int, int]]]
"""By channel: source and tag of what is sent."""
ANY_SOURCE, ANY_TAG = -2, -1


class WildcardError(UnprovableError):
    """A wildcard may meet several. Then nothing is said of fewer ranks either, on which it meets one."""


@dataclass(slots=True)
class SingleSenders:
    """What all ranks of one way send. ``heard``: when they were followed the last time; None: they were not."""

    sent: Sent = field(default_factory=dict)
    heard: Sent | None = None
    asked: bool = False

    def sends(self, communicator: object, source: int, to: int, tag: int) -> None:
        self.sent.setdefault((communicator, to), set()).add((source, tag))

    def only(self, communicator: object, to: int, source: int, tag: int, span: Span) -> tuple[int, int] | None:
        """The one source and tag that a receive can meet; None where nothing was heard yet. ``source``, ``tag``: as it
        gives them.

        Raises:
            WildcardError: it can meet several, or none.
        """
        self.asked = True
        if self.heard is None:
            return None
        found = {one for (other, place), sent in self.heard.items() for one in sent
                 if place == to and _may_be(communicator, other)
                 and source in (ANY_SOURCE, one[0]) and tag in (ANY_TAG, one[1])}
        if len(found) != 1:
            raise WildcardError("a wildcard" if found else "a wildcard for which nobody sends anything", span)
        return found.pop()

    def begin(self) -> None:
        """All ranks are followed again."""
        self.sent = {}

    def settled(self, span: Span) -> bool:
        """Do the ranks, just followed, know all that they asked? Else they have to be followed again.

        Raises:
            WildcardError: what is sent hangs on who sends.
        """
        if not self.asked or self.sent == self.heard:
            return True
        if self.heard is not None:
            raise WildcardError("what is sent hangs on what a wildcard meets", span)
        self.heard = self.sent
        return False


def _may_be(one: object, other: object) -> bool:
    """May two communicators be the same? One of which only the variable is known may be any."""
    return one == other or isinstance(one, str) or isinstance(other, str)
