"""The messages of real ranks: what :class:`snapset.analysis.messages.exchange.Exchange` is in one process, by mpi4py.

First runs communicate on a communicator for each of the program's (the first few it makes), with its own tags; all
else (second runs that send again, adjoints, collectives) on another, by a tag made of its channel, so that no wildcard
sees it. Nothing here blocks: a
transfer is asked whether it is done, and who has waited too long is stuck (:class:`StuckRankError`).
"""

from __future__ import annotations

import time
import zlib
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any

from snapset.analysis.messages.communicators import FIRST_HANDLE
from snapset.analysis.messages.exchange import ANY, MessageTransfer, Sends
from snapset.frontend.base.diagnostics import InputError

_TAGS = 0x0FFFFFFF
_MADE = 8


def here() -> tuple[Any, int, int]:
    """The communicator of all ranks, this one's number, and how many there are. Raises InputError without MPI."""
    try:
        from mpi4py import MPI
    except ImportError:
        raise InputError("--ranks mpi: there is no MPI here; pip install 'snapset[mpi]', and run mpiexec -n 4 snapset "
                         "...") from None
    return MPI.COMM_WORLD, MPI.COMM_WORLD.Get_rank(), MPI.COMM_WORLD.Get_size()


def finish() -> int:
    """End MPI on all ranks; this one's number."""
    from mpi4py import MPI

    rank: int = MPI.COMM_WORLD.Get_rank()
    MPI.Finalize()
    return rank


class StuckRankError(Exception):
    """A rank has waited for longer than the time limit. ``place``: where, ``waits_for``: for whom."""

    def __init__(self, place: Any, waits_for: frozenset[int]) -> None:
        super().__init__("nothing has come within the time limit")
        self.place, self.waits_for = place, waits_for


class RealExchange:
    """One rank's way to the others. ``world``: an MPI communicator of its own."""

    def __init__(self, world: Any, sends: Sends = "synchronous", limit: float = 5.0) -> None:
        self.first, self.rest = world.Dup(), world.Dup()
        self.made = [world.Dup() for _ in range(_MADE)]
        self.sends, self.limit = sends, limit
        self.open: list[tuple[MessageTransfer, Any]] = []
        self.calls: defaultdict[Hashable, int] = defaultdict(int)
        self.probing: list[tuple[MessageTransfer, bool]] = []
        self.arrived: list[tuple[Any, MessageTransfer]] = []
        self.gathering: list[tuple[MessageTransfer, dict[int, Any], dict[int, Any]]] = []

    def _space(self, communicator: Hashable, tag: int) -> tuple[Any, int]:
        if communicator in ("world", 1140850688):
            return self.first, tag
        if isinstance(communicator, int) and 0 <= communicator - FIRST_HANDLE < _MADE:
            return self.made[communicator - FIRST_HANDLE], tag
        return self.rest, zlib.crc32(repr((communicator, tag)).encode()) & _TAGS

    def send(self, rank: int, to: int, tag: int, communicator: Hashable, value: Any, place: Any = None,
             synchronous: bool = False) -> MessageTransfer:
        """Offer a value to a rank."""
        one = MessageTransfer("send", rank, to, tag, communicator, place, value)
        one.waits_for = frozenset((to,))
        space, number = self._space(communicator, tag)
        start = space.issend if synchronous or self.sends == "synchronous" else space.isend
        self.open.append((one, start(value, dest=to, tag=number)))
        return one

    def receive(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
                others: frozenset[int] = frozenset(), held: Any = None) -> MessageTransfer:
        """Want a value, or the one that a probe has taken."""
        from mpi4py import MPI

        one = MessageTransfer("recv", rank, source, tag, communicator, place)
        one.waits_for = others if source == ANY else frozenset((source,))
        space, number = self._space(communicator, tag)
        given = MPI.ANY_TAG if tag == ANY and space is not self.rest else number
        seen = held or next((probe for where, probe in self.arrived if where is space and _is_of(probe, source, tag)),
                            None)
        if seen is not None:
            self.arrived = [entry for entry in self.arrived if entry[1] is not seen]
            one.done = one.matched = True
            one.value, one.source, one.found_tag = seen.value, seen.source, seen.found_tag
            return one
        self.open.append((one, space.irecv(1 << 20, source=MPI.ANY_SOURCE if source == ANY else source, tag=given)))
        return one

    def probe(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
              others: frozenset[int] = frozenset(), take: bool = False) -> MessageTransfer:
        """Wait for an offer: it is received here, and kept for the receive to come."""
        one = MessageTransfer("probe", rank, source, tag, communicator, place)
        one.waits_for = others if source == ANY else frozenset((source,))
        self.probing.append((one, take))
        self.progress()
        return one

    def stop_probing(self, probe: MessageTransfer) -> None:
        """A probe that only looked, and found nothing."""
        self.probing = [one for one in self.probing if one[0] is not probe]

    def _look(self, probe: MessageTransfer, take: bool) -> bool:
        """Is what a probe waits for here?"""
        from mpi4py import MPI

        space, number = self._space(probe.communicator, probe.tag)
        seen = next((one for where, one in self.arrived if where is space and _is_of(one, probe.peer, probe.tag)), None)
        if seen is None:
            status = MPI.Status()
            given = MPI.ANY_TAG if probe.tag == ANY and space is not self.rest else number
            message = space.improbe(MPI.ANY_SOURCE if probe.peer == ANY else probe.peer, given, status)
            if message is None:
                return False
            seen = MessageTransfer("probe", probe.rank, probe.peer, probe.tag, probe.communicator, probe.place)
            seen.value, seen.source = message.recv(), status.Get_source()
            seen.found_tag = status.Get_tag() if space is not self.rest else probe.tag
            self.arrived.append((space, seen))
        probe.done, probe.value, probe.source, probe.found_tag = True, seen.value, seen.source, seen.found_tag
        if take:
            probe.held = seen
            self.arrived = [entry for entry in self.arrived if entry[1] is not seen]
        return True

    def collective(self, rank: int, members: tuple[int, ...], communicator: Hashable, value: Any,
                   place: Any = None) -> MessageTransfer:
        """One rank's share: its value to all others, theirs to it."""
        number = self.calls[communicator]
        self.calls[communicator] += 1
        one = MessageTransfer("collective", rank, ANY, number, communicator, place, value, members=members)
        one.waits_for = frozenset(members) - {rank}
        tag = zlib.crc32(repr(("collective", communicator, number)).encode()) & _TAGS
        for other in members:
            if other != rank:
                self.rest.isend(value, dest=other, tag=tag)
        wanted = {other: self.rest.irecv(1 << 20, source=other, tag=tag) for other in members if other != rank}
        self.gathering.append((one, wanted, {rank: value}))
        return one

    def waited_for(self, one: MessageTransfer) -> frozenset[int]:
        """The ranks of which one must do something before it can complete."""
        return one.waits_for

    def progress(self) -> bool:
        """Ask for everything that is open; is anything new done?"""
        from mpi4py import MPI

        before = len(self.open) + len(self.gathering) + len(self.probing)
        still: list[tuple[MessageTransfer, Any]] = []
        for one, request in self.open:
            status = MPI.Status()
            done, value = request.test(status)
            if not done:
                still.append((one, request))
                continue
            one.done = one.matched = True
            if one.kind == "recv":
                first = self._space(one.communicator, one.tag)[0] is not self.rest
                one.value, one.source = value, status.Get_source()
                one.found_tag = status.Get_tag() if first else one.tag  # elsewhere a tag is made of the channel
        self.open = still
        for entry in list(self.gathering):
            one, wanted, values = entry
            for other in list(wanted):
                done, value = wanted[other].test()
                if done:
                    values[other] = value
                    del wanted[other]
            if not wanted:
                one.value, one.done, one.matched = values, True, True
                self.gathering.remove(entry)
        self.probing = [entry for entry in self.probing if not self._look(*entry)]
        return len(self.open) + len(self.gathering) + len(self.probing) < before

    def wait(self, *transfers: MessageTransfer) -> None:
        """Come back when one of these is done; without any, soon. Raises StuckRankError after the time limit."""
        if not transfers:
            self.progress()
            time.sleep(0.0005)
            return
        until = time.monotonic() + self.limit
        while not any(one.done for one in transfers):
            if self.progress():
                until = time.monotonic() + self.limit
            elif time.monotonic() > until:
                raise StuckRankError(transfers[0].place, transfers[0].waits_for)
            else:
                time.sleep(0.0005)

    def settle(self) -> int:
        """A moment later: how many messages are here that nobody has received."""
        until = time.monotonic() + 0.1
        while time.monotonic() < until:
            self.progress()
            time.sleep(0.001)
        return len(self.left_over())

    def left_over(self) -> Sequence[object]:
        """Messages that are here, and that nobody has received."""
        found: list[object] = [one.value for _, one in self.arrived]
        for space in (self.first, self.rest, *self.made):
            while True:
                message = space.improbe()
                if message is None:
                    break
                found.append(message.recv())
        return found


def _is_of(seen: MessageTransfer, source: int, tag: int) -> bool:
    return source in (ANY, seen.source) and tag in (ANY, seen.found_tag)
