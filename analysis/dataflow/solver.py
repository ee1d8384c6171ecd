"""The one data-flow solver: a worklist in reverse postorder over any directed graph.

A problem (:mod:`snapset.analysis.dataflow.framework`) brings a transfer function and a join; states are whatever it
likes (an int, a pair of ints).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TypeVar

from snapset.frontend.base.frozen_records import frozen

S = TypeVar("S")


@frozen
class DirectedGraph:
    """A directed graph over chosen node numbers, in the order the solver should visit them.

    ``order`` is a reverse postorder from ``entry`` (unreachable nodes are absent). ``against_control``: its edges lead
    back from where control goes.
    """

    entry: int
    succs: Mapping[int, Sequence[int]]
    preds: Mapping[int, Sequence[int]]
    order: tuple[int, ...]
    against_control: bool = False

    def reversed(self, start: int) -> DirectedGraph:
        """The same graph against its edges, seen from ``start``; nodes that never reach it come last."""
        order = _reached(start, self.preds)[0] if start in self.preds else []
        seen = set(order)
        rest = [n for n in reversed(self.order) if n not in seen]
        return DirectedGraph(start, self.preds, self.succs, (*order, *rest), not self.against_control)


def make_graph(entry: int, succs: Mapping[int, Sequence[int]], inside: set[int] | None = None) -> DirectedGraph:
    """Number the nodes reachable from ``entry`` (within ``inside``) in reverse postorder."""
    order, found = _reached(entry, succs, inside)
    backward: dict[int, tuple[int, ...]] = dict.fromkeys(order, ())
    for n in order:
        for target in found[n]:
            backward[target] += (n,)
    return DirectedGraph(entry, {n: found[n] for n in order}, backward, tuple(order))


def _reached(entry: int, succs: Mapping[int, Sequence[int]],
             inside: set[int] | None = None) -> tuple[list[int], dict[int, Sequence[int]]]:
    """The nodes that are reached, in reverse postorder, and where each leads."""
    found: dict[int, Sequence[int]] = {entry: _within(succs, entry, inside)}
    post, stack = list[int](), [(entry, iter(found[entry]))]
    while stack:
        node, rest = stack[-1]
        for target in rest:
            if target not in found:
                found[target] = targets = _within(succs, target, inside)
                stack.append((target, iter(targets)))
                break
        else:
            stack.pop()
            post.append(node)
    post.reverse()
    return post, found


def _within(succs: Mapping[int, Sequence[int]], node: int, inside: set[int] | None) -> Sequence[int]:
    targets = succs.get(node, ())
    if inside is None or inside.issuperset(targets):
        return targets
    return tuple([t for t in targets if t in inside])


def fixpoint(graph: DirectedGraph, start: S, bottom: S, join: Callable[[S, S], S], transfer: Callable[[int, S], S],
             merge: Callable[[int, Sequence[S], S | None], S] | None = None) -> tuple[dict[int, S], dict[int, S]]:
    """The least fixed point of ``after = transfer(node, join of predecessors' after)``: before and after each node, in
    the graph's own direction.

    ``start`` enters at ``graph.entry``; ``bottom`` is join's neutral element. The transfer must be monotone; the
    lattice has finite height. ``merge(node, arriving, known)`` takes the place of ``join`` where it depends on the
    node, and on what was known there.
    """
    order, entry, preds, succs = graph.order, graph.entry, graph.preds, graph.succs
    rank = {node: place for place, node in enumerate(order)}
    before: dict[int, S] = {}
    after: dict[int, S] = {}
    again: list[int] = []  # places to be visited once more, before those not yet visited
    fresh, size = 0, len(order)
    queued: set[int] = set()
    while again or fresh < size:
        if again:
            at = heapq.heappop(again)
            queued.discard(at)
            node = order[at]
        else:
            node = order[fresh]
            fresh += 1
        sources = preds[node]
        if len(sources) == 1 and merge is None and node != entry:  # as nearly everywhere
            state = after.get(sources[0], bottom)
        else:
            arriving = [after[source] for source in sources if source in after]
            if node == entry:
                arriving.insert(0, start)
            if merge is not None:
                state = merge(node, arriving, before.get(node))
            elif arriving:
                state = arriving[0] if len(arriving) == 1 else reduce(join, arriving)
            else:
                state = bottom
        before[node] = state
        result = transfer(node, state)
        if node in after and after[node] == result:
            continue
        after[node] = result
        for target in succs[node]:
            if target in after and rank[target] not in queued:  # others will be visited anyway
                queued.add(rank[target])
                heapq.heappush(again, rank[target])
    return before, after
