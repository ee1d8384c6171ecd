"""Control dependence: which tests decide whether a node runs. Right for unstructured code."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.dataflow.dominators import postdominators
from snapset.frontend.base.memo import Memo
from snapset.frontend.cfg.graph import FlowGraph


def control_dependence(flow: FlowGraph) -> Mapping[int, frozenset[int]]:
    """For each node the nodes with several successors that decide directly whether it runs."""
    return _DECIDING.get(flow, _deciding)


def _deciding(flow: FlowGraph) -> Mapping[int, frozenset[int]]:
    return {node: frozenset(test for test, _ in edges) for node, edges in control_edges(flow).items()}


_DECIDING: Memo[FlowGraph, Mapping[int, frozenset[int]]] = Memo(1 << 12)  # several analyses ask


def meetings(flow: FlowGraph) -> Mapping[int, int]:
    """For each node but the exit the first one behind it that every path from it comes by."""
    return _MEETINGS.get(flow, lambda one: postdominators(dict(enumerate(one.succs)), one.exit))


_MEETINGS: Memo[FlowGraph, Mapping[int, int]] = Memo(1 << 12)


def control_edges(flow: FlowGraph) -> Mapping[int, frozenset[tuple[int, int]]]:
    """For each node the (test, successor of it) that make it run.

    From the postdominator tree (Ferrante, Ottenstein & Warren 1987).
    """
    parent = meetings(flow)
    deciding: dict[int, set[tuple[int, int]]] = {}
    for source, targets in enumerate(flow.succs):
        if len(targets) < 2:
            continue
        stop = parent.get(source)
        for target in targets:
            runner: int | None = target
            while runner != stop and runner is not None:
                deciding.setdefault(runner, set()).add((source, target))
                runner = parent.get(runner)
    return {node: frozenset(edges) for node, edges in deciding.items()}


def with_deciders(nodes: frozenset[int], deciding: Mapping[int, frozenset[int]],
                  partners: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """All tests that decide, directly or through other tests, whether one of ``nodes`` runs.

    ``partners``: nodes that run whenever a test is evaluated (the init and step of a DO loop).
    """
    found: set[int] = set()
    work = list(nodes)
    while work:
        tests = deciding.get(work.pop())
        if tests and not tests <= found:
            fresh = tests.union(*(partners.get(test, ()) for test in tests)) - found
            found |= fresh
            work += fresh
    return frozenset(found)
