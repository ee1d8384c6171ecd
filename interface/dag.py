"""Store or recompute: ``snapset.dag`` (docs/dag.md), on graphs an AD tool built itself, or from Fortran.

    from snapset import dag
    code = (dag.Operation("t", ("d", "e"), {"d": dag.CONSTANT, "e": dag.CONSTANT}),
            dag.Operation("r", ("t",), {"t": dag.Partial(frozenset({"t"}))}))
    made = dag.extend("section", code)
    places = {"d": frozenset({"o1"}), "e": frozenset({"o2"}), "t": frozenset({"o3"})}
    answer = dag.solve(dag.Problem((made.graph,), places, recorded=made.recorded))
    answer.choice.S, answer.choice.U, answer.choice.cost, answer.optimum

Or with networkx, graphs in and graphs out (attributes: docs/dag.md)::

    code = networkx.DiGraph([("d", "t"), ("e", "t"), ("t", "cos t")])
    code.add_node("d", overwrites=["o1"])
    code.add_node("e", overwrites=["o2"])
    code.add_node("t", overwrites=["o3"], bytes=8)
    code.add_node("cos t", required=True, bytes=8)
    (answer,) = dag.choose(code)
    [vertex for vertex, stored in answer.nodes(data="stored") if stored]

:class:`Graph` takes a G* that is already made; :func:`weighted` makes costs from bytes and execution counts.
:func:`decide` makes the graphs from Fortran, and answers for every region of a head; :func:`document` is its JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from snapset.analysis.dag.problem.choice import Choice
from snapset.analysis.dag.problem.graphs import Costs, Graph, Problem, placeholder, weighted
from snapset.analysis.dag.problem.networkx_graphs import from_networkx, to_networkx
from snapset.analysis.dag.problem.vertex_elimination import CONSTANT, ONE, Extended, Operation, Partial, extend
from snapset.analysis.dag.solvers.annealing import Effort
from snapset.analysis.dag.solvers.solve import Answer, Options, solve, to_json
from snapset.frontend.base.collection_arguments import collections

if TYPE_CHECKING:
    from networkx import DiGraph
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions, Wanted
    from snapset.frontend.base.source_model import ReadOptions
    from snapset.library.analysis import Choices, Region

__all__ = [
    "CONSTANT",
    "ONE",
    "Answer",
    "Choice",
    "Costs",
    "Effort",
    "Extended",
    "Graph",
    "HeadRegions",
    "Operation",
    "Options",
    "Partial",
    "Problem",
    "Wanted",
    "choose",
    "decide",
    "document",
    "extend",
    "from_networkx",
    "placeholder",
    "solve",
    "to_json",
    "to_networkx",
    "weighted",
]


def __getattr__(name: str) -> Any:
    """Import what reads Fortran when it is first asked for."""
    if name in ("HeadRegions", "Wanted"):
        return getattr(import_module("snapset.analysis.dag.fortran.solved_levels"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def choose(graphs: DiGraph | Iterable[DiGraph], options: Options | None = None) -> tuple[DiGraph, ...]:
    """What to store and what to recompute, as graphs: those given, with ``stored``, ``restored``, ``cut`` and
    ``recomputed`` on each vertex (:mod:`snapset.analysis.dag.problem.networkx_graphs`).

    Raises InputError for attributes that are none, and for what :func:`solve` refuses.
    """
    problem = from_networkx(graphs)
    answer = solve(problem, options)
    return to_networkx(problem, answer.choice, answer.lower, answer.proved)


def decide(
    paths: Iterable[str],
    head: str,
    wanted: Wanted | None = None,
    choices: Choices | None = None,
    *,
    read: ReadOptions | None = None,
    regions: Iterable[Region] = (),
) -> HeadRegions:
    """S and U for every region of one head's call tree: each procedure's own code, and each marked part.

    ``wanted``: method, elimination order, what is counted (:class:`Wanted`).
    Raises InputError for what :func:`snapset.report` refuses, and for calls in split mode.
    """
    collections("decide", paths=paths, regions=regions)
    from snapset.analysis.dag.fortran.head_problems import head_regions
    from snapset.frontend.base.diagnostics import InputError
    from snapset.library.analysis import Choices, analysis_options, load, parse_heads

    heads = parse_heads([head])
    if len(heads) != 1:
        raise InputError(f"{head}: {len(heads)} heads where one is wanted; call snapset.dag.decide for each")
    program = load(paths, read, regions=regions, heads=[head])
    return head_regions(program, heads[0], wanted, analysis_options(choices or Choices()))


def document(result: HeadRegions) -> dict[str, Any]:
    """What ``snapset dag --format json`` prints, as plain dictionaries and lists."""
    from snapset.render.records.dag_json import dag_document

    return dag_document(result)
