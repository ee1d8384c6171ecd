"""Immediate dominators: Cooper, Harvey & Kennedy, "A simple, fast dominance algorithm" (2001).

networkx has the same; loading it takes as long as the report of a small program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.analysis.dataflow.solver import DirectedGraph, make_graph


def immediate_dominators(graph: DirectedGraph) -> dict[int, int]:
    """Of every node that the entry reaches, but of the entry itself, the last node all paths to it go through."""
    entry = graph.entry
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


def postdominators(succs: Mapping[int, Iterable[int]], leave: int) -> dict[int, int]:
    """For each node but ``leave`` the first node behind it that every path from it comes by. Nodes that never get to
    ``leave`` (STOP, infinite loops) count as leading to it."""
    back: dict[int, list[int]] = {node: [] for node in (*succs, leave)}
    for source, targets in succs.items():
        for target in targets:
            back.setdefault(target, []).append(source)
    graph = make_graph(leave, back)
    stuck = back.keys() - graph.preds.keys()
    if stuck:
        back[leave] += [node for node in back if node in stuck]
        graph = make_graph(leave, back)
    return immediate_dominators(graph)
