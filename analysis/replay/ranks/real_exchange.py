"""The messages of real ranks: what :class:`snapset.analysis.messages.exchange.Exchange` is in one process, by mpi4py.

First runs communicate on a communicator for each of the program's (the first few it makes), with its own tags; all
else (second runs that send again, adjoints, collectives) on another, by a tag made of its channel, so that no wildcard
sees it. Nothing here blocks: a
transfer is asked whether it is done, and who has waited too long is stuck (:class:`StuckRankError`).

A receive is no request of MPI's: what has come is taken by a matched probe, so that a message may be of any length, and
goes to the first receive, in the order in which they were started, that it fits.
"""

from __future__ import annotations

import time
import zlib
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from snapset.analysis.messages.communicators import FIRST_HANDLE
from snapset.analysis.messages.exchange import ANY, MessageTransfer, Sends
from snapset.frontend.base.diagnostics import InputError

_TAGS: Final = 0x0FFFFFFF
_MADE: Final = 8
_ROUNDS: Final = 25


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


@dataclass(slots=True, eq=False)
class _Wanted:
    """A receive that is under way: ``source`` and ``tag`` on ``space``, ANY where they are wildcards there."""

    space: Any
    source: int
    tag: int
    value: Any = None
    found: tuple[int, int] | None = None

    def takes(self, space: Any, source: int, tag: int) -> bool:
        """Is a message for it?"""
        return space is self.space and self.source in (ANY, source) and self.tag in (ANY, tag)


class RealExchange:
    """One rank's way to the others. ``world``: an MPI communicator of its own. ``balance``: messages sent, less those
    received; ``shares``: what collectives send, kept until it is gone."""

    def __init__(self, world: Any, sends: Sends = "synchronous", limit: float = 5.0) -> None:
        self.first, self.rest = world.Dup(), world.Dup()
        self.made = [world.Dup() for _ in range(_MADE)]
        self.sends, self.limit, self.balance = sends, limit, 0
        self.sending: list[tuple[MessageTransfer, Any]] = []
        self.shares: list[Any] = []
        self.wanted: list[_Wanted] = []
        self.receiving: list[tuple[MessageTransfer, _Wanted]] = []
        self.calls: defaultdict[Hashable, int] = defaultdict(int)
        self.probing: list[tuple[MessageTransfer, bool]] = []
        self.arrived: list[_Wanted] = []
        self.gathering: list[tuple[MessageTransfer, dict[int, _Wanted], dict[int, Any]]] = []

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
        self.balance += 1
        self.sending.append((one, start(value, dest=to, tag=number)))
        return one

    def receive(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
                others: frozenset[int] = frozenset(), held: Any = None) -> MessageTransfer:
        """Want a value, or the one that a probe has taken."""
        one = MessageTransfer("recv", rank, source, tag, communicator, place)
        one.waits_for = others if source == ANY else frozenset((source,))
        space, number = self._space(communicator, tag)
        wanted = _Wanted(space, source, number)
        seen: _Wanted | None = held or next((probe for probe in self.arrived if _fits(wanted, probe)), None)
        if seen is None:
            self.wanted.append(wanted)
            self.receiving.append((one, wanted))
        else:
            self.arrived = [entry for entry in self.arrived if entry is not seen]
            self._received(one, seen)
        return one

    def _received(self, one: MessageTransfer, seen: _Wanted) -> None:
        self.balance -= 1
        one.done = one.matched = True
        one.value = seen.value
        one.source, one.found_tag = self._told(one, seen)

    def _told(self, one: MessageTransfer, seen: _Wanted) -> tuple[int, int]:
        """Source and tag, where a tag is not made of the channel."""
        source, tag = seen.found or (ANY, ANY)
        return source, one.tag if seen.space is self.rest else tag

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
        space, number = self._space(probe.communicator, probe.tag)
        wanted = _Wanted(space, probe.peer, number)
        seen = None
        while seen is None:
            seen = next((one for one in self.arrived if _fits(wanted, one)), None)
            if seen is None and not self._fetch(wanted):
                return False
        probe.done, probe.value = True, seen.value
        probe.source, probe.found_tag = self._told(probe, seen)
        if take:
            probe.held = seen
            self.arrived = [entry for entry in self.arrived if entry is not seen]
        return True

    def _fetch(self, wanted: _Wanted) -> bool:
        """Take a message that fits, if one has come: it is for the first receive that it fits, else for a probe."""
        from mpi4py import MPI

        status = MPI.Status()
        message = wanted.space.improbe(MPI.ANY_SOURCE if wanted.source == ANY else wanted.source,
                                       MPI.ANY_TAG if wanted.tag == ANY else wanted.tag, status)
        if message is None:
            return False
        source, tag = status.Get_source(), status.Get_tag()
        one = next((each for each in self.wanted if each.takes(wanted.space, source, tag)), None)
        if one is None:
            one = _Wanted(wanted.space, source, tag)
            self.arrived.append(one)
        else:
            self.wanted.remove(one)
        one.value, one.found = message.recv(), (source, tag)
        return True

    def collective(self, rank: int, members: tuple[int, ...], communicator: Hashable, value: Any,
                   place: Any = None) -> MessageTransfer:
        """One rank's share: its value to all others, theirs to it."""
        number = self.calls[communicator]
        self.calls[communicator] += 1
        one = MessageTransfer("collective", rank, ANY, number, communicator, place, value, members=members)
        one.waits_for = frozenset(members) - {rank}
        tag = zlib.crc32(repr(("collective", communicator, number)).encode()) & _TAGS
        wanted = {other: _Wanted(self.rest, other, tag) for other in members if other != rank}
        self.wanted += wanted.values()
        self.shares += [self.rest.isend(value, dest=other, tag=tag) for other in members if other != rank]
        self.gathering.append((one, wanted, {rank: value}))
        return one

    def waited_for(self, one: MessageTransfer) -> frozenset[int]:
        """The ranks of which one must do something before it can complete."""
        return one.waits_for

    def progress(self) -> bool:
        """Ask for everything that is open; is anything new done?"""
        before = len(self.sending) + len(self.wanted) + len(self.gathering) + len(self.probing)
        for one, request in list(self.sending):
            if request.test()[0]:
                one.done = one.matched = True
                self.sending.remove((one, request))
        self.shares = [one for one in self.shares if not one.test()[0]]
        for wanted in list(self.wanted):
            while wanted.found is None and self._fetch(wanted):
                pass
        for one, wanted in list(self.receiving):
            if wanted.found is not None:
                self.receiving.remove((one, wanted))
                self._received(one, wanted)
        for entry in list(self.gathering):
            one, shares, values = entry
            if all(share.found is not None for share in shares.values()):
                one.value = {**values, **{other: share.value for other, share in shares.items()}}
                one.done = one.matched = True
                self.gathering.remove(entry)
        self.probing = [entry for entry in self.probing if not self._look(*entry)]
        return len(self.sending) + len(self.wanted) + len(self.gathering) + len(self.probing) < before

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
        """Messages this rank has sent, less those it has received: the sum over all ranks are those that nobody has.
        Counted, not looked for: what is still under way counts, too. All ranks come here, stuck ones as well; receives
        that nobody has waited for have a moment to take what is for them."""
        for _ in range(_ROUNDS):
            self.progress()
            told = self.rest.allgather((self.balance, len(self.receiving)))
            if not sum(one for one, _ in told) or not sum(many for _, many in told):
                break
            time.sleep(0.02)
        return self.balance


def _fits(wanted: _Wanted, seen: _Wanted) -> bool:
    """Is what a probe has seen what is wanted?"""
    return seen.found is not None and wanted.takes(seen.space, *seen.found)
