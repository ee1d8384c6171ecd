"""Who calls whom, and the order in which summaries can be made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snapset.frontend import ir
from snapset.frontend.components import components
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
    """What ``key`` may call and ``key`` itself, callees first; procedures that call each other in one group.

    From the end it is the order in which procedures are first called, as far as callers have to come first.
    """
    graph = call_graph(program)
    backwards = {one: graph[one][::-1] for one in (key, *reachable(program, key))}
    return tuple(tuple(sorted(group)) for group in components(backwards))
