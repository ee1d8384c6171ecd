"""CLU Algorithm 1: given S, the vertices U to store so that every R_i can be recomputed, at least cost."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Literal

from snapset.analysis.dag.choice import Choice, evaluate
from snapset.analysis.dag.graphs import Costs, Prepared, Reduced, union

Tie = Literal["arguments", "required"]
Ends = tuple[str, str]  # a vertex of the split graph: (vertex, "in" or "out")
SOURCE: Ends = ("", "source")
SINK: Ends = ("", "sink")


def complete(problem: Prepared, S: frozenset[str], tie: Tie = "arguments") -> Choice:
    """Algorithm 1 on every graph: the choice (S, U) with U the union of the cuts' unrestored vertices."""
    restored = problem.restored(S)
    U = union(cut(graph, restored & frozenset(graph.order), problem.costs, tie) for graph in problem.graphs)
    choice = evaluate(problem, S, U)
    if choice is None:
        raise AssertionError("a vertex cut leaves a required value without a source")
    return choice


def cut(graph: Reduced, restored: frozenset[str], costs: Costs, tie: Tie = "arguments") -> frozenset[str]:
    """C': the cheapest vertices that separate R from the minimal vertices that are not restored (lines 02, 03).

    Every vertex becomes an edge in -> out whose capacity is its cost, so a minimum cut is a minimum vertex cut;
    a price on recomputing v is an edge from the source to its in-end. Among the cheapest the nearest to R wins, as
    the paper has it: the least sum of distances, exactly, since each capacity is ``cost * scale + distance`` with
    ``scale`` above any sum of distances. Elements of R themselves come last (``tie="arguments"``), for in
    Fig. 5 the paper takes t, at distance 1, and not the partial ∂r/∂t it gives; ``tie="required"`` takes them
    first, by distance 0. What is still tied is the cut nearest to R, of which there is only one.
    """
    from networkx import DiGraph, minimum_cut

    inner = _between(graph, restored)
    ranks = _ranks(graph, inner, tie)
    scale = 1 + sum(ranks.values())
    net = DiGraph()
    for v in graph.order:
        if v not in inner:
            continue
        net.add_edge((v, "in"), (v, "out"), capacity=costs.of(v) * scale + ranks[v])
        if not graph.arguments[v]:
            net.add_edge(SOURCE, (v, "in"))
        elif costs.again(v):
            net.add_edge(SOURCE, (v, "in"), capacity=costs.again(v) * scale)
        if v in graph.required:
            net.add_edge((v, "out"), SINK)
        net.add_edges_from(((a, "out"), (v, "in")) for a in graph.arguments[v] if a in inner)
    if SOURCE not in net:
        return frozenset()
    _, (near, far) = minimum_cut(net, SOURCE, SINK)
    return frozenset(v for v in inner if (v, "in") in near and (v, "out") in far)


def _between(graph: Reduced, restored: frozenset[str]) -> frozenset[str]:
    """The vertices that R needs but S does not restore: all of G*' and, where nothing on the way is
    unrestored and minimal, what is merely computed again."""
    found: set[str] = set()
    todo = sorted(graph.required - restored)
    while todo:
        vertex = todo.pop()
        if vertex not in found:
            found.add(vertex)
            todo.extend(a for a in graph.arguments[vertex] if a not in restored)
    return frozenset(found)


def _ranks(graph: Reduced, inner: frozenset[str], tie: Tie) -> Mapping[str, int]:
    """Each vertex's distance to R in G*' (edges on the shortest path), R's own after all sums of others or 0."""
    distance = dict.fromkeys(sorted(graph.required & inner), 0)
    todo = deque(distance)
    while todo:
        vertex = todo.popleft()
        for a in graph.arguments[vertex]:
            if a in inner and a not in distance:
                distance[a] = distance[vertex] + 1
                todo.append(a)
    last = 0 if tie == "required" else 1 + sum(distance.values())
    return {v: d or last for v, d in distance.items()}
