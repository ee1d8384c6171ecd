"""Who calls whom, and the order in which summaries can be made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.frontend import ir
from snapset.frontend.walk import statements


def callees(procedure: ir.Procedure) -> Iterator[str]:
    """The procedures with source that the calls of ``procedure`` may run, as often as they are called."""
    for stmt in statements(procedure.body):
        if isinstance(stmt, ir.Call):
            yield from stmt.targets


def call_graph(program: ir.Program) -> Mapping[str, tuple[str, ...]]:
    """For each procedure those with source that it may call, in order of first mention."""
    known = program.procedures
    return {
        key: tuple(dict.fromkeys(callee for callee in callees(procedure) if callee in known))
        for key, procedure in known.items()
    }


def reachable(program: ir.Program, key: str) -> tuple[str, ...]:
    """``key`` and every procedure with source it may call, directly or not, in order of discovery."""
    graph = call_graph(program)
    found = {key: None}
    pending = [key]
    while pending:
        for callee in graph.get(pending.pop(), ()):
            if callee not in found:
                found[callee] = None
                pending.append(callee)
    return tuple(found)


def bottom_up(program: ir.Program, key: str) -> tuple[tuple[str, ...], ...]:
    """What ``key`` may call and ``key`` itself, callees first; procedures that call each other in one group."""
    import networkx as nx

    graph = call_graph(program)
    calls = nx.DiGraph()
    for caller in reachable(program, key):
        calls.add_node(caller)
        calls.add_edges_from((caller, callee) for callee in graph[caller])
    groups = nx.condensation(calls)
    members = nx.get_node_attributes(groups, "members")
    return tuple(tuple(sorted(members[group])) for group in reversed(list(nx.topological_sort(groups))))
