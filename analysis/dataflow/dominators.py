"""Immediate dominators: Cooper, Harvey & Kennedy, "A simple, fast dominance algorithm" (2001)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snapset.analysis.dataflow.solver import make_graph


def immediate_dominators(succs: Mapping[int, Sequence[int]], entry: int) -> dict[int, int]:
    """Of every node that ``entry`` reaches, but of ``entry`` itself, the last node all paths to it go through."""
    graph = make_graph(entry, succs)
    rank = {node: place for place, node in enumerate(graph.order)}
    found: dict[int, int] = {entry: entry}
    changed = True
    while changed:
        changed = False
        for node in graph.order[1:]:
            common: int | None = None
            for before in graph.preds[node]:
                if before in found:
                    common = before if common is None else _meeting(common, before, found, rank)
            assert common is not None  # in reverse postorder some predecessor has been seen
            if found.get(node) != common:
                found[node] = common
                changed = True
    del found[entry]
    return found


def _meeting(one: int, other: int, found: Mapping[int, int], rank: Mapping[int, int]) -> int:
    """Where two nodes' chains of dominators meet."""
    while one != other:
        while rank[one] > rank[other]:
            one = found[one]
        while rank[other] > rank[one]:
            other = found[other]
    return one
