"""How control is reversed: DO variables regenerated, bounds preserved or the trip count recorded.

A DO loop's reversal runs the loop backwards and so gives its DO variable every value again. It needs
start, end and step: these are preserved (free when nothing overwrites them), or recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, union
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.recorded_control import Reversal
from snapset.frontend import ir
from snapset.frontend.cfg.graph import Loop


def plan_reversal(model: ProcedureModel, active: Active, behind: May = EMPTY, level: int = 0) -> Reversal:
    """Decide for each DO loop of a procedure; ``behind``: what may change between the exit of a ``level`` and the turn
    (split mode; a step of a time loop, whose adjoint waits for those of later steps).

    Bounds are preserved when nothing overwrites them between the loop and the turn, or when what does
    stands in fewer loops than the loop itself (one overwrite is taped, not one count per execution). A loop
    without derivative is run backwards only to restore what it taped; its trip count is recorded then,
    unless nothing changes its bounds. What only changes behind the exit is preserved.
    """
    steady = _steady(model)
    regenerating = _regenerating(model, steady)
    preserved: dict[int, May] = {}
    recorded: set[int] = set()
    overwritten = behind | union(model.effects[n].out for n in model.graph.order)
    for loop in model.flow.loops:
        if loop.init < 0 or loop.init not in model.graph.preds:
            continue
        bounds = model.effects[loop.init].use & ~regenerating.get(loop.init, EMPTY)
        overwriting = _overwriting(model, loop, bounds, regenerating) if bounds & overwritten else frozenset()
        if bounds & behind and model.flow.nodes[loop.init].level == level:
            overwriting |= {model.flow.exit}
        if _has_derivative(model, loop, active) and _worth_preserving(model, loop, overwriting):
            preserved[loop.end if overwriting else loop.init] = bounds
        elif overwriting:
            recorded.add(loop.index)
    beginning = {loop.init: steady[loop.index] for loop in model.flow.loops if loop.index in steady
                 and isinstance(loop.stmt, ir.Do) and loop.stmt.kind == "do"}  # others' variables are their own
    return Reversal(regenerating=regenerating, beginning=beginning, preserved=preserved, recorded=frozenset(recorded))


def _steady(model: ProcedureModel) -> dict[int, Exact]:
    """By structured loop, its DO variable, where that is not written in its body."""
    steady: dict[int, Exact] = {}
    for loop in model.flow.loops:
        var = exactly(model.effects[loop.step].kill) if loop.structured else EMPTY  # a scalar
        if var and not union(model.effects[n].out for n in loop.body if n != loop.step) & var:
            steady[loop.index] = var
    return steady


def _regenerating(model: ProcedureModel, steady: Mapping[int, Exact]) -> dict[int, Exact]:
    """By node the DO variables of the loops around it that reversal gives back."""
    inside = {around: exactly(union(steady.get(index, EMPTY) for index in around))
              for around in dict.fromkeys(node.loops for node in model.flow.nodes)}
    return {node.index: inside[node.loops] for node in model.flow.nodes if inside[node.loops]}


def _overwriting(model: ProcedureModel, loop: Loop, bounds: May, regenerating: Mapping[int, Exact]) -> frozenset[int]:
    """The nodes that may change a bound between the loop's beginning and the turn."""
    inside = (loop.init, *loop.body)
    found = {n for n in inside if bounds & model.effects[n].out}
    found.update(n for n in _reachable(model, loop) if bounds & model.effects[n].out & ~regenerating.get(n, EMPTY))
    return frozenset(found)


def _worth_preserving(model: ProcedureModel, loop: Loop, overwriting: frozenset[int]) -> bool:
    """Not when the loop itself changes its bounds (they are needed where its reversal begins, not where it
    ends), nor when what changes them stands in as many loops as the loop."""
    depth = len(model.flow.nodes[loop.init].loops)
    return loop.structured and all(
        n not in loop.body and n != loop.init and (n == model.flow.exit or len(model.flow.nodes[n].loops) < depth)
        for n in overwriting)


def _reachable(model: ProcedureModel, loop: Loop) -> set[int]:
    """The nodes that may run between the end of the loop and the turn of its level."""
    level = model.flow.levels[model.flow.nodes[loop.init].level]
    inside = set(level.nodes)
    seen, work = set(), [loop.end]
    while work:
        node = work.pop()
        if node in seen or node not in inside:
            continue
        seen.add(node)
        work.extend(model.flow.succs[node])
    return seen


def _has_derivative(model: ProcedureModel, loop: Loop, active: Active) -> bool:
    parts = {level.enter for level in model.flow.levels[1:]}
    return any(n in active.derivative or n in active.active_calls or n in parts for n in loop.body)


def evaluated_masks(model: ProcedureModel, graph: DirectedGraph, recorded: Collection[int]) -> frozenset[int]:
    """The WHERE statements whose mask assignments with a derivative record: it must be right."""
    nodes = model.flow.nodes
    wheres = {mask.where for n in recorded for mask in nodes[n].masks}
    return frozenset(n for n in graph.order if isinstance(stmt := nodes[n].stmt, ir.Where) and stmt.id in wheres)
