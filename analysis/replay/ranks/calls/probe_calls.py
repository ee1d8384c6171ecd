"""Looking for messages before they are received: MPI_PROBE, MPI_IPROBE, MPI_MPROBE, MPI_IMPROBE.

What the first run saw (source, tag, how many elements) is recorded, and told to every later run.
"""

from __future__ import annotations

from snapset.analysis.messages.communicators import Communicator
from snapset.analysis.messages.exchange import ANY, MessageTransfer
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.ranks.calls.calling_rank import (
    ANY_SOURCE,
    ANY_TAG,
    MESSAGE_NO_PROC,
    PROC_NULL,
    CallArguments,
    CallingRank,
)
from snapset.analysis.replay.ranks.message_buffers import number, store
from snapset.analysis.replay.ranks.rank_events import Choice

_NOTHING: tuple[int, ...] = ()


def probe(rank: CallingRank, name: str, given: CallArguments) -> None:
    """One event, whatever comes of it."""
    source, (comm, members) = number(given["source"]), rank.communicator(given)
    if source == PROC_NULL:
        if "flag" in given:
            store(given["flag"], 1)
        if "message" in given:
            store(given["message"], MESSAGE_NO_PROC)
        rank.status(given["status"], PROC_NULL, ANY_TAG)
        return
    if source != ANY_SOURCE and not 0 <= source < len(members.members):
        raise ReplayError(f"rank {source} is none of the {len(members.members)} there are")
    look = _Look(rank, comm, members, name in ("mpi_iprobe", "mpi_improbe"), "message" in given)
    at = rank.port.counter
    seen = rank.port.poll(lambda: look.ask(source, number(given["tag"])), look.repeat)
    assert isinstance(seen, tuple)
    if "flag" in given:
        store(given["flag"], int(bool(seen)))
    if seen:
        rank.status(given["status"], seen[0], seen[1], seen[2])
        if "message" in given:
            rank.port.probed.setdefault(at + 1, None)
            store(given["message"], at + 1)


class _Look:
    """One probe: at once or until something is there; ``take``: the message is for MPI_MRECV alone."""

    def __init__(self, rank: CallingRank, comm: int, members: Communicator, at_once: bool, take: bool) -> None:
        self.port, self.comm, self.members, self.at_once, self.take = rank.port, comm, members, at_once, take
        self.at = rank.port.counter

    def ask(self, source: int, tag: int) -> Choice:
        """What is there."""
        found = self.begin(source, tag)
        if self.at_once and not found.done:
            self.port.wait()
        if self.at_once and not found.done:
            self.port.exchange.stop_probing(found)
            return _NOTHING
        self.port.wait(found)
        self.settle(found)
        size = int(found.value[1].size)
        return self.members.members.index(found.source), found.found_tag, size, self.comm

    def repeat(self, known: Choice) -> None:
        """Wait for what the first run saw."""
        if isinstance(known, tuple) and known:
            found = self.begin(known[0], known[1])
            self.port.wait(found)
            self.settle(found)

    def begin(self, source: int, tag: int) -> MessageTransfer:
        port = self.port
        wild = source in (ANY_SOURCE, ANY)
        text = "looks for a message from " + ("anyone" if wild else str(source))
        return port.exchange.probe(port.rank, ANY if wild else self.members.members[source], tag,
                                   port.space(self.comm), port.place(text), frozenset(self.members.members), self.take)

    def settle(self, found: MessageTransfer) -> None:
        if self.port.again is None:
            self.port.first[self.at].message = found.value[0]
            self.port.first[self.at].peer = found.source
        if self.take:
            self.port.probed[self.at + 1] = found
