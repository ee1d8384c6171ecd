"""Ranks that take turns: each runs until it waits for something that has not happened, always in the same order.

A strand gives what it waits for, or ends. Which thing a wildcard takes is the exchange's seeded choice; all else is
settled by the order of the ranks, so that two runs are alike. When nobody can go on, the wait-for graph says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from snapset.analysis.messages.exchange import Exchange, ExchangeError, MessageTransfer
from snapset.frontend.base.frozen_records import frozen


class Strand(Protocol):
    """One rank's run."""

    def resume(self) -> Sequence[MessageTransfer] | None:
        """Go on until something must be waited for: any of these; None at the end. Raises what the rank raises."""


@frozen
class BlockedRank:
    """Where a rank stands, and the ranks of which one must move first."""

    rank: int
    place: Any
    waits_for: tuple[int, ...]


@frozen
class RunEnd:
    """How a run of all ranks ended. ``blocked``: by rank, empty where all came to their ends; ``cycle``: those of them
    that wait for each other; ``failed``: the rank that could not go on, and why."""

    blocked: tuple[BlockedRank, ...] = ()
    cycle: tuple[int, ...] = ()
    failed: tuple[int, Exception] | None = None

    @property
    def ends(self) -> bool:
        """Did every rank come to its end?"""
        return not self.blocked and self.failed is None


def run_strands(strands: Sequence[Strand], exchange: Exchange,
                tolerated: tuple[type[Exception], ...] = (ExchangeError,),
                heard: Callable[[int], None] = lambda rank: None) -> RunEnd:
    """Let the ranks run, in order, each as far as it gets, until all have ended or none can go on."""
    waiting: dict[int, Sequence[MessageTransfer] | None] = dict.fromkeys(range(len(strands)), ())
    while waiting:
        moved = False
        for rank in list(waiting):
            needs = waiting[rank]
            if needs and not any(one.done for one in needs):
                continue
            moved = True
            heard(rank)
            try:
                needs = strands[rank].resume()
            except tolerated as error:
                return RunEnd(failed=(rank, error))
            if needs is None:
                del waiting[rank]
            else:
                waiting[rank] = needs
        if not moved:
            return _stuck(waiting, exchange)
    return RunEnd()


def _stuck(waiting: dict[int, Sequence[MessageTransfer] | None], exchange: Exchange) -> RunEnd:
    blocked = []
    for rank, needs in sorted(waiting.items()):
        assert needs
        others = sorted({other for one in needs for other in exchange.waited_for(one)})
        blocked.append(BlockedRank(rank, needs[0].place, tuple(others)))
    return stuck_at(blocked)


def stuck_at(blocked: Sequence[BlockedRank]) -> RunEnd:
    """The end of a run in which these ranks wait, with a cycle of the wait-for graph."""
    there = {one.rank for one in blocked}
    import networkx as nx  # much code, which only a run that is stuck needs

    graph = nx.DiGraph((one.rank, other) for one in blocked for other in one.waits_for if other in there)
    try:
        cycle = tuple(edge[0] for edge in nx.find_cycle(graph))
    except nx.NetworkXNoCycle:
        cycle = ()
    return RunEnd(tuple(blocked), cycle)
