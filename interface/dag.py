"""Store or recompute, on graphs an AD tool built itself: ``snapset.dag`` (equations.md section 6).

    from snapset import dag
    code = (dag.Operation("t", ("d", "e"), {"d": dag.CONSTANT, "e": dag.CONSTANT}),
            dag.Operation("r", ("t",), {"t": dag.Partial(frozenset({"t"}))}))
    made = dag.extend("section", code)
    places = {"d": frozenset({"o1"}), "e": frozenset({"o2"}), "t": frozenset({"o3"})}
    answer = dag.solve(dag.Problem((made.graph,), places, recorded=made.recorded))
    answer.choice.S, answer.choice.U, answer.choice.cost, answer.optimum

:class:`Graph` takes a G* that is already made; :func:`weighted` makes costs from bytes and execution counts.
Nothing here reads Fortran.
"""

from __future__ import annotations

from snapset.analysis.dag.choice import Choice
from snapset.analysis.dag.elimination import CONSTANT, ONE, Extended, Operation, Partial, extend
from snapset.analysis.dag.graphs import Costs, Graph, Problem, placeholder, weighted
from snapset.analysis.dag.search import Effort
from snapset.analysis.dag.solving import Answer, Options, solve, to_json

__all__ = [
    "CONSTANT",
    "ONE",
    "Answer",
    "Choice",
    "Costs",
    "Effort",
    "Extended",
    "Graph",
    "Operation",
    "Options",
    "Partial",
    "Problem",
    "extend",
    "placeholder",
    "solve",
    "to_json",
    "weighted",
]
