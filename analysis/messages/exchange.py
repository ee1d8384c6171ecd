"""Where messages meet: sends and receives of all ranks, matched first in, first out by communicator, source and tag.

Synchronous sends are complete when a receive has taken them (what a correct program must survive: MPI, section on
progress), buffered ones at once. A wildcard receive takes the offer of one of the sources that have one; which one is
decided by a seed, and can be read from ``MessageTransfer.source`` afterwards.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

Sends: TypeAlias = "Literal['synchronous', 'buffered'] | int"
"""How sends behave; a number: the seed by which each send is one or the other."""
ANY: Final = -1
"""The source or tag of a wildcard. Ranks and tags are not negative."""


class ExchangeError(Exception):
    """A call that no communication can serve: a wait without a request, say."""


@dataclass(slots=True, eq=False)
class MessageTransfer:
    """A send, a receive or one rank's share of a collective, from its start to its completion.

    ``peer``: destination or source (ANY: not known yet). ``place``: what is said of it. ``value``: what is sent, or,
    when it is ``done``, what was received. ``held``: the offer that a probe has taken, for a receive to come.
    """

    kind: Literal["send", "recv", "collective", "probe"]
    rank: int
    peer: int
    tag: int
    communicator: Hashable
    place: Any = None
    value: Any = None
    buffered: bool = False
    done: bool = False
    matched: bool = False
    source: int = ANY
    found_tag: int = ANY
    members: tuple[int, ...] = ()
    waits_for: frozenset[int] = frozenset()
    held: Any = None


@dataclass(slots=True)
class _Gathering:
    arrived: dict[int, MessageTransfer] = field(default_factory=dict)


class MessageExchange(Protocol):
    """Where a rank's messages go: :class:`Exchange` in one process, or real ones."""

    def send(self, rank: int, to: int, tag: int, communicator: Hashable, value: Any, place: Any = None,
             synchronous: bool = False) -> MessageTransfer:
        """Offer a value to a rank."""

    def receive(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
                others: frozenset[int] = frozenset(), held: Any = None) -> MessageTransfer:
        """Want a value; ``held``: that of the offer which a probe has taken."""

    def probe(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
              others: frozenset[int] = frozenset(), take: bool = False) -> MessageTransfer:
        """Wait for an offer; ``take``: no other receive may have it then."""

    def stop_probing(self, probe: MessageTransfer) -> None:
        """A probe that only looked."""

    def collective(self, rank: int, members: tuple[int, ...], communicator: Hashable, value: Any,
                   place: Any = None) -> MessageTransfer:
        """One rank's share."""


class Exchange:
    """The messages in flight. ``choices``: sources that wildcards took, in order."""

    def __init__(self, sends: Sends = "synchronous", seed: int = 1) -> None:
        self.sends = sends
        self.random = random.Random(sends if isinstance(sends, int) else seed)
        self.offers: dict[tuple[Hashable, int], list[MessageTransfer]] = defaultdict(list)
        self.wanted: dict[tuple[Hashable, int], list[MessageTransfer]] = defaultdict(list)
        self.probing: dict[tuple[Hashable, int], list[tuple[MessageTransfer, bool]]] = defaultdict(list)
        self.gatherings: dict[tuple[Hashable, tuple[int, ...], int], _Gathering] = {}
        self.calls: dict[tuple[Hashable, int], int] = defaultdict(int)
        self.sent_bytes: dict[str, int] = defaultdict(int)

    # ------------------------------------------------------------ starting

    def send(self, rank: int, to: int, tag: int, communicator: Hashable, value: Any, place: Any = None,
             synchronous: bool = False) -> MessageTransfer:
        """Offer a value to a rank."""
        one = MessageTransfer("send", rank, to, tag, communicator, place, value)
        one.buffered = not synchronous and (self.sends == "buffered" or (isinstance(self.sends, int)
                                                                         and self.random.random() < 0.5))
        one.done = one.buffered
        one.waits_for = frozenset((to,))
        for receive in self.wanted[communicator, to]:
            if _fits(receive, one):
                self._meet(one, receive)
                return one
        self.offers[communicator, to].append(one)
        for probe, take in list(self.probing[communicator, to]):
            if _fits(probe, one) and one in self.offers[communicator, to]:
                self.probing[communicator, to].remove((probe, take))
                self._see(probe, one, take)
        return one

    def receive(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
                others: frozenset[int] = frozenset(), held: Any = None) -> MessageTransfer:
        """Want a value. ``others``: the ranks that a wildcard may hear from; ``held``: the offer that a probe took."""
        one = MessageTransfer("recv", rank, source, tag, communicator, place)
        one.waits_for = others if source == ANY else frozenset((source,))
        found = self.candidates(one) if held is None else [held]
        if found:
            self._meet(found[0] if len(found) == 1 else self.random.choice(found), one)
        else:
            self.wanted[communicator, rank].append(one)
        return one

    def probe(self, rank: int, source: int, tag: int, communicator: Hashable, place: Any = None,
              others: frozenset[int] = frozenset(), take: bool = False) -> MessageTransfer:
        """Wait for an offer, which stays one; ``take``: for the receive that is given it as ``held``."""
        one = MessageTransfer("probe", rank, source, tag, communicator, place)
        one.waits_for = others if source == ANY else frozenset((source,))
        found = self.candidates(one)
        if found:
            self._see(one, found[0] if len(found) == 1 else self.random.choice(found), take)
        else:
            self.probing[communicator, rank].append((one, take))
        return one

    def stop_probing(self, probe: MessageTransfer) -> None:
        """A probe that only looked, and found nothing."""
        key = probe.communicator, probe.rank
        self.probing[key] = [one for one in self.probing[key] if one[0] is not probe]

    def _see(self, probe: MessageTransfer, offer: MessageTransfer, take: bool) -> None:
        probe.done, probe.source, probe.found_tag, probe.value = True, offer.rank, offer.tag, offer.value
        if take:
            probe.held = offer
            self.offers[offer.communicator, offer.peer].remove(offer)

    def candidates(self, receive: MessageTransfer) -> list[MessageTransfer]:
        """The offers that a receive could take now: the first of each source that fits."""
        first: dict[int, MessageTransfer] = {}
        for offer in self.offers[receive.communicator, receive.rank]:
            if _fits(receive, offer):
                first.setdefault(offer.rank, offer)
        return [first[rank] for rank in sorted(first)]

    def _meet(self, offer: MessageTransfer, receive: MessageTransfer) -> None:
        key = offer.communicator, offer.peer
        if offer in self.offers[key]:
            self.offers[key].remove(offer)
        if receive in self.wanted[key]:
            self.wanted[key].remove(receive)
        offer.matched = receive.matched = offer.done = receive.done = True
        receive.value, receive.source, receive.found_tag = offer.value, offer.rank, offer.tag

    # ------------------------------------------------------------ collectives

    def collective(self, rank: int, members: tuple[int, ...], communicator: Hashable, value: Any,
                   place: Any = None) -> MessageTransfer:
        """One rank's share; done, with the values of all ``members`` by rank, when all have come."""
        number = self.calls[communicator, rank]
        self.calls[communicator, rank] += 1
        one = MessageTransfer("collective", rank, ANY, number, communicator, place, value, members=members)
        there = self.gatherings.setdefault((communicator, members, number), _Gathering()).arrived
        there[rank] = one
        if set(there) == set(members):
            values = {each: there[each].value for each in members}
            for each in there.values():
                each.value, each.done, each.matched = values, True, True
            del self.gatherings[communicator, members, number]
        else:
            one.waits_for = frozenset(members)
        return one

    def waited_for(self, one: MessageTransfer) -> frozenset[int]:
        """The ranks of which one must do something before it can complete."""
        if one.kind != "collective":
            wild = one.kind in ("recv", "probe") and one.peer == ANY
            return one.waits_for - {one.rank} if wild else one.waits_for
        there = self.gatherings.get((one.communicator, one.members, one.tag))
        return frozenset(one.members) - frozenset(there.arrived if there else ())

    # ------------------------------------------------------------ the end

    def left_over(self) -> tuple[MessageTransfer, ...]:
        """Sends that no receive has taken."""
        return tuple(one for offers in self.offers.values() for one in offers)


def _fits(receive: MessageTransfer, offer: MessageTransfer) -> bool:
    return receive.peer in (ANY, offer.rank) and receive.tag in (ANY, offer.tag)
