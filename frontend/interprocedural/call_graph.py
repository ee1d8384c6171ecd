"""Who calls whom, and the order in which summaries can be made."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.frontend import ir
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.interprocedural.strongly_connected import components


def callees(procedure: ir.Procedure) -> tuple[str, ...]:
    """The procedures with source that the calls of ``procedure`` may run, in order of first mention."""
    return body_facts_of(procedure).callees


def call_graph(program: ir.Program) -> Mapping[str, tuple[str, ...]]:
    """For each procedure those with source that it may call, in order of first mention."""
    known = program.procedures
    return {
        key: tuple(callee for callee in callees(procedure) if callee in known)
        for key, procedure in known.items()
    }


def reachable(program: ir.Program, key: str) -> tuple[str, ...]:
    """``key`` and every procedure with source it may call, directly or not, in order of discovery."""
    return _reachable(call_graph(program), key)


def _reachable(graph: Mapping[str, tuple[str, ...]], key: str) -> tuple[str, ...]:
    found = {key: None}
    pending = [key]
    while pending:
        for callee in graph.get(pending.pop(), ()):
            if callee not in found:
                found[callee] = None
                pending.append(callee)
    return tuple(found)


def bottom_up(program: ir.Program, key: str, graph: Mapping[str, tuple[str, ...]] | None = None,
              ) -> tuple[tuple[str, ...], ...]:
    """What ``key`` may call and ``key`` itself, callees first; procedures that call each other in one group. ``graph``:
    the program's, where it is known.

    From the end it is the order in which procedures are first called, as far as callers have to come first.
    """
    graph = call_graph(program) if graph is None else graph
    backwards = {one: graph[one][::-1] for one in _reachable(graph, key)}
    return tuple(tuple(sorted(group)) for group in components(backwards))
