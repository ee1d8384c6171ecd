"""The frontier of peak against traffic: what less of the one costs in the other, for a head and for each part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.analysis.placement.optimal_partition import NO_EFFECT, OptimalPartition, PartitionSearch
from snapset.analysis.placement.partition_decisions import Decision
from snapset.analysis.placement.two_sided_allocation import Option, cheapest_within, figures, least_peak
from snapset.analysis.recording.strategies import Place
from snapset.analysis.results import Frontier, FrontierPoint

MOST = 64


def frontiers(search: PartitionSearch, optimum: OptimalPartition, marked: Mapping[str, frozenset[Decision]],
              ids: Mapping[Place, str]) -> tuple[Frontier, ...]:
    """Of the head, then of each part that has a choice. ``marked``: the strategies to show, as decisions."""
    plus = set(search.points)
    exact = optimum.exact
    if exact and len(plus) < 1 << len(optimum.decisions):
        found = _along(search, optimum)
        exact = 0 < len(found) < MOST
        plus.update(found)
    found_parts = {place: ids[place] for place in dict.fromkeys(d.place for d in optimum.decisions)}
    points = [(one, search.with_parts(one)) for one in plus]
    head = [(sum_.figures.peak, sum_.figures.traffic, one) for one, (sum_, _) in points]
    result = [_frontier("", head, marked, search, exact)]
    for place, title in found_parts.items():
        part = [(*parts[place], one) for one, (_, parts) in points]
        result.append(_frontier(title, part, marked, search, exact and len(plus) == 1 << len(optimum.decisions)))
    return tuple(result)


def _frontier(title: str, points: Iterable[tuple[int, int, frozenset[Decision]]],
              marked: Mapping[str, frozenset[Decision]], search: PartitionSearch, exact: bool) -> Frontier:
    kept: list[FrontierPoint] = []
    every = sorted(points, key=lambda p: (p[0], p[1], len(p[2]), sorted(p[2])))
    for peak, traffic, plus in every:
        if not kept or traffic < kept[-1].traffic:
            kept.append(FrontierPoint(peak, traffic, search.described(plus)))
    at = {plus: (peak, traffic) for peak, traffic, plus in every}
    return Frontier(title, tuple(kept), {name: at[plus] for name, plus in marked.items() if plus in at}, exact)


def _along(search: PartitionSearch, optimum: OptimalPartition) -> list[frozenset[Decision]]:
    """All points of the frontier when effects add up: where the least traffic within a peak has its steps."""
    best = optimum.best
    effects = search.shares(best, optimum.decisions)
    if effects is None:
        return []
    base = Option(best.left, best.inside, best.figures.traffic, best.figures.snapshot)
    items = [(NO_EFFECT, effect) for effect in effects.values()]
    known: dict[int, tuple[int, frozenset[Decision]]] = {}

    def at(peak: int) -> int:
        """The least traffic with at most this peak."""
        if peak not in known:
            taken = cheapest_within(base, items, peak)
            found = figures(base, (item[i] for item, i in zip(items, taken, strict=True)))
            known[peak] = found.traffic, best.plus ^ {d for d, i in zip(effects, taken, strict=True) if i}
        return known[peak][0]

    low, high = least_peak(base, items), base.d + base.c + sum(abs(e.d) + abs(e.c) for e in effects.values())
    work = [(low, high)]
    while work and len(known) < 40 * MOST:
        low, high = work.pop()
        if at(low) == at(high) or high - low <= 1:
            continue
        middle = (low + high) // 2
        work += [(low, middle), (middle, high)]
    return [plus for _, plus in known.values()]
