"""A choice (S, U), whether it satisfies the condition for recomputation (CR), and what it costs."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.dag.problem.graphs import Costs, Prepared, Reduced, union
from snapset.frontend.base.frozen_records import frozen


@frozen(kw_only=True)
class Choice:
    """``S``: the overwrite places that store. ``U``: the vertices stored themselves.

    ``cuts``: C_i of each graph, the known values from which R_i is recomputed. ``recomputed``: what is computed
    again in each graph. ``cost``: of S, U and the recomputations.
    """

    S: frozenset[str]
    U: frozenset[str]
    cuts: Mapping[str, frozenset[str]]
    recomputed: Mapping[str, frozenset[str]]
    cost: int


def recompute(graph: Reduced, known: frozenset[str]) -> tuple[frozenset[str], frozenset[str]] | None:
    """(C_i, what is computed again) if R_i can be had from ``known``, else None: (CR) for one graph."""
    cut: set[str] = set()
    again: set[str] = set()
    todo = sorted(graph.required)
    while todo:
        vertex = todo.pop()
        if vertex in known:
            cut.add(vertex)
        elif not graph.arguments[vertex]:
            return None
        elif vertex not in again:
            again.add(vertex)
            todo.extend(graph.arguments[vertex])
    return frozenset(cut), frozenset(again)


def evaluate(problem: Prepared, S: frozenset[str], U: frozenset[str]) -> Choice | None:
    """The choice with its cuts and cost, or None if (CR) does not hold."""
    known = problem.restored(S) | U
    cuts: dict[str, frozenset[str]] = {}
    again: dict[str, frozenset[str]] = {}
    for graph in problem.graphs:
        found = recompute(graph, known)
        if found is None:
            return None
        cuts[graph.name], again[graph.name] = found
    recomputed = sum(problem.costs.again(v) for vertices in again.values() for v in vertices)
    return Choice(S=S, U=U, cuts=cuts, recomputed=again, cost=stored(problem.costs, S, U) + recomputed)


def stored(costs: Costs, S: frozenset[str], U: frozenset[str]) -> int:
    """|S| + |U|, weighted."""
    return sum(map(costs.of_place, S)) + sum(map(costs.of, U))


def pruned(problem: Prepared, choice: Choice) -> Choice:
    """The choice without what no cut uses. (Only with a price on recomputation may a cut be no use.)"""
    used = union(choice.cuts.values())
    U = choice.U & used
    S = union(problem.overwrites[v] for v in used - U if v in problem.overwrites)
    better = evaluate(problem, S & choice.S, U)
    return better if better is not None and better.cost <= choice.cost else choice
