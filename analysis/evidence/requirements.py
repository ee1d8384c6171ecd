"""Whose derivative, before a part, still reads a location in the backward sweep (Req): looked for against the order of
execution, and at the callers of a procedure where it is required already when it is entered."""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, singleton
from snapset.analysis.evidence.adjoint_reads import known_of_split_call, read_by, reads_of_call
from snapset.analysis.evidence.derivative_reads import reading_partials
from snapset.analysis.evidence.search import Entered, Search, Steps, on_the_way
from snapset.analysis.evidence.steps import EvidenceStep
from snapset.analysis.evidence.ways import nearest_way
from snapset.analysis.procedures.call_binding import Target
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.strategies import Place
from snapset.frontend.base.deep_recursion import deep


@deep
def required_before(search: Search, place: Place, location: int, entered: Entered) -> Steps | None:
    """Whose derivative reads it: the nearest before a part."""
    key, index, node = place
    mark = (key, index, location, f"req {node}")
    if mark in entered:
        return None
    adjoint, level = search.at(place)
    entering, marked = _entering(search, adjoint, index), entered | {mark}
    graph, at, bit = level.graph.forward, (key, index), singleton(location)
    found = nearest_way(graph.preds.get(node, ()), lambda n: graph.preds.get(n, ()),
                        lambda n: bool(search.solved.kept_for(at, n, entering, True) & bit),
                        lambda n: _required_by(search, adjoint, level, n, location, marked))
    if found is None and node == graph.entry:
        return _from_outside(search, adjoint, level, location, marked)
    return on_the_way(found)


def _required_by(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int, location: int,
                 entered: Entered) -> Steps | None:
    """What makes one node, or where the level begins, require it."""
    model, bit = adjoint.model, singleton(location)
    record = search.records[adjoint.key].levels[level.graph.index]
    if node in level.parts:
        facts = level.parts[node]
        if facts.passed & bit:
            return (passed(search, model, node, location),)
        taped = May(record.solved[node].choice.req_d & facts.use_cbar)
        for read in _reached_through(model, location, taped):
            return read_by(search, adjoint, level, node, read, entered)
        return None  # what is required behind it was so before it
    if node in adjoint.split_calls:
        steps = reads_of_call(search, adjoint, node, location, entered)
        return steps or known_of_split_call(search, adjoint, node, bit)
    for read in _reached_through(model, location, adjoint.derivative.get(node, EMPTY)):
        note = reading_partials(model, adjoint.active.varied.get(node, EMPTY), node, read)
        return (search.step(model, node, "adjoint reads", location, note),)
    again = (record.again.at.get(node), record.again.behind.get(node))
    if any(one.operands & bit for one in again if one is not None):
        return (search.step(model, node, "again", location),)
    if node == level.graph.forward.entry and _entering(search, adjoint, level.graph.index) & bit:
        return _from_outside(search, adjoint, level, location, entered)
    return None


def passed(search: Search, model: ProcedureModel, node: int, location: int) -> EvidenceStep:
    """A call whose passed expression has a derivative that reads it."""
    return search.step(model, node, "adjoint reads", location, "the derivative of an expression that is passed")


def _reached_through(model: ProcedureModel, location: int, read: May) -> Iterator[int]:
    """What of ``read`` a location is needed for: itself, or what a pointer leads to that it is the association of."""
    for one in members(read):
        if one == location or model.space.descriptors_of(singleton(one)) & singleton(location):
            yield one


def _entering(search: Search, adjoint: ProcedureAdjoint, index: int) -> May:
    """Req where a level begins."""
    record = search.records[adjoint.key]
    if not index:
        return record.entering
    for parent, level in zip(record.levels, adjoint.levels, strict=True):
        for node, child in level.graph.parts.items():
            if child == index and node in parent.solved:
                return May(parent.solved[node].choice.req_c)
    return EMPTY


def _from_outside(search: Search, adjoint: ProcedureAdjoint, level: LevelAdjoint, location: int,
                  entered: Entered) -> Steps | None:
    """Req_C of the part that a level is, or of the calls that run a code."""
    index = level.graph.index
    for parent in adjoint.levels if index else ():
        for node, child in parent.graph.parts.items():
            if child == index and node in parent.parts:
                steps = required_before(search, (adjoint.key, parent.graph.index, node), location, entered)
                return None if steps is None else (search.step(adjoint.model, node, "part", location), *steps)
    if index:
        return None
    for caller, target, node, parent in _calls_of(search, adjoint):
        for outer in members(target.link(location).out):
            steps = required_before(search, (caller.key, parent.graph.index, node), outer, entered)
            if steps:
                return search.call_step(caller.model, adjoint.model, node, outer, location), *steps
    return None


def _calls_of(search: Search,
              adjoint: ProcedureAdjoint) -> Iterator[tuple[ProcedureAdjoint, Target, int, LevelAdjoint]]:
    for key in search.adjoints.planning.callers(adjoint.key):
        caller = search.adjoints.by_key[key]
        for (node, procedure), code in caller.code.callees.items():
            levels = [one for one in caller.levels if node in one.graph.forward.preds]
            if code == adjoint.key and levels:
                targets = caller.model.calls[node].targets
                yield caller, next(one for one in targets if one.key == procedure), node, levels[0]
