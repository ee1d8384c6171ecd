"""Who reads a location in C̄: C's second run, or its backward sweep.

use(C̄) holds ``u`` because some way through C leads to a statement whose derivative, or which itself when it runs
again, reads u, and nothing on the way overwrites u first. The nearest such statement is shown.
"""

from __future__ import annotations

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, singleton
from snapset.analysis.evidence.derivative_reads import reading_partials
from snapset.analysis.evidence.search import Entered, Search, Steps, meant, on_the_way
from snapset.analysis.evidence.ways import nearest_way
from snapset.frontend.base.deep_recursion import deep


def reads_in_part(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int, location: int,
                  entered: Entered) -> Steps | None:
    """Reads in a part's own adjoint."""
    if node in level.graph.parts:
        return reads_in_level(search, adjoint, adjoint.levels[level.graph.parts[node]], location, entered)
    return reads_of_call(search, adjoint, node, location, entered)


@deep
def reads_in_level(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, location: int,
                   entered: Entered) -> Steps | None:
    """Reads in the adjoint of a level: the nearest from where it begins."""
    mark = (adjoint.key, level.graph.index, location, "use")
    if mark in entered:
        return None
    graph, at, bit = level.graph.forward, (adjoint.key, level.graph.index), singleton(location)
    found = nearest_way([graph.entry], lambda n: graph.succs.get(n, ()),
                        lambda n: bool(search.solved.used(at, n) & bit),
                        lambda n: read_by(search, adjoint, level, n, location, entered | {mark}))
    return on_the_way(found)


def read_by(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int, location: int,
            entered: Entered) -> Steps | None:
    """What one node of a level reads: its derivative, itself where the forward sweep runs it, an inner part."""
    model, bit = adjoint.model, singleton(location)
    if node in level.parts:
        return _read_by_part(search, adjoint, level, node, location, entered)
    if node in adjoint.split_calls:
        steps = reads_of_call(search, adjoint, node, location, entered)
        return steps or known_of_split_call(search, adjoint, node, bit)
    if adjoint.derivative.get(node, EMPTY) & bit:
        note = reading_partials(model, adjoint.active.varied.get(node, EMPTY), node, location)
        return (search.step(model, node, "adjoint reads", location, note),)
    if node in adjoint.sides and adjoint.active.derivative[node] & bit:
        return (search.step(model, node, "reads", location, "to record which side was taken"),)
    if node in level.running and model.effects[node].use & bit:
        return search.run(model, node, (node,), location, "reads")
    return None


def _read_by_part(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int, location: int,
                  entered: Entered) -> Steps | None:
    model, bit, facts = adjoint.model, singleton(location), level.parts[node]
    if facts.use_cbar & bit:
        inner = reads_in_part(search, adjoint, level, node, location, entered)
        if inner:
            return (search.step(model, node, "part", location), *inner) if node in level.graph.parts else inner
    if facts.use_c & bit:
        return search.run(model, node, facts.first_run_nodes, location, "reads")
    return (search.step(model, node, "adjoint reads", location),) if facts.passed & bit else None


def reads_of_call(search: Search, adjoint: ProcedureAdjoint, node: int, location: int,
                  entered: Entered) -> Steps | None:
    """Reads in the adjoint of a call: of the callee, or of the arguments, which are evaluated again."""
    model, bit = adjoint.model, singleton(location)
    site = model.calls[node]
    if not site.targets:
        return (search.step(model, node, "unknown", location),) if model.effects[node].use & bit else None
    for target in site.targets:
        key = adjoint.code.callees.get((node, target.key))
        if key is None:
            continue
        callee = search.adjoints.by_key[key]
        for inner in meant(model, target, bit, callee.use, written=False):
            steps = reads_in_level(search, callee, callee.levels[0], inner, entered)
            if steps:
                return (search.call_step(model, callee.model, node, location, inner), *steps)
    varied = adjoint.active.varied.get(node, EMPTY)
    evaluated = site.index_reads
    for argument in site.stmt.args:
        evaluated |= model.refs.partials(argument.value, varied)
    if evaluated & bit:
        return (search.step(model, node, "adjoint reads", location, "an argument is evaluated again"),)
    return None


def known_of_split_call(search: Search, adjoint: ProcedureAdjoint, node: int, bit: May) -> Steps | None:
    """What a call in split mode reads by itself."""
    call = adjoint.split_calls[node]
    if (call.entry | call.partials) & bit or adjoint.model.effects[node].use & bit:
        return (search.step(adjoint.model, node, "adjoint reads", next(members(bit)), "a call in split mode"),)
    return None
