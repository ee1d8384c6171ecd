"""Who overwrites a location: in C's first run, in C̄, or behind the part (out(C), out(C̄), out(D̄))."""

from __future__ import annotations

from collections.abc import Iterable

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import singleton
from snapset.analysis.evidence.search import Entered, Search, Steps, meant, on_the_way
from snapset.analysis.evidence.ways import nearest_way
from snapset.frontend.base.deep_recursion import deep


def written_in_first_run(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int,
                         location: int) -> Steps | None:
    """Writes of a part's first run."""
    return search.run(adjoint.model, node, level.parts[node].first_run_nodes, location, "overwrites")


def changed_in_part(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int, location: int,
                    entered: Entered) -> Steps | None:
    """Writes of a part's own adjoint, which leave the location changed."""
    if node in level.graph.parts:
        inner = adjoint.levels[level.graph.parts[node]]
        return changed_in_level(search, adjoint, inner, [inner.graph.forward.entry], location, entered)
    model, bit = adjoint.model, singleton(location)
    site = model.calls[node]
    if not site.targets:
        return (search.step(model, node, "unknown", location),) if model.effects[node].out & bit else None
    for target in site.targets:
        key = adjoint.code.callees.get((node, target.key))
        if key is None:
            continue
        callee = search.adjoints.by_key[key]
        for there in meant(model, target, bit, callee.out, written=True):
            start = [callee.levels[0].graph.forward.entry]
            steps = changed_in_level(search, callee, callee.levels[0], start, there, entered)
            if steps:
                return (search.call_step(model, callee.model, node, location, there), *steps)
    return None


@deep
def changed_in_level(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, start: Iterable[int],
                     location: int, entered: Entered) -> Steps | None:
    """Writes of a level's forward sweep and of its parts from some nodes on: the nearest."""
    start = sorted(start)
    mark = (adjoint.key, level.graph.index, location, f"out {start}")
    if mark in entered:
        return None
    graph, at, bit = level.graph.forward, (adjoint.key, level.graph.index), singleton(location)
    found = nearest_way(start, lambda n: graph.succs.get(n, ()),
                        lambda n: bool(search.solved.changed(at, n) & bit),
                        lambda n: _changed_by(search, adjoint, level, n, location, entered | {mark}))
    return on_the_way(found)


def _changed_by(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int, location: int,
                entered: Entered) -> Steps | None:
    model, bit = adjoint.model, singleton(location)
    if node in level.parts:
        facts = level.parts[node]
        if facts.out_c & bit:
            return written_in_first_run(search, adjoint, level, node, location)
        inner = changed_in_part(search, adjoint, level, node, location, entered) if facts.out_cbar & bit else None
        if inner and node in level.graph.parts:
            return search.step(model, node, "part", location), *inner
        return inner
    if (node in level.running or node in adjoint.split_calls) and model.effects[node].out & bit:
        return search.run(model, node, (node,), location, "overwrites")
    if node == level.graph.leave and not level.graph.index and adjoint.dying & bit:
        return (search.step(model, node, "ends", location),)
    return None
