"""Problems from, and answers as, ``networkx.DiGraph``: an AD tool that builds its graphs with networkx needs no other.

What is read of a graph (G*_i; edges lead from an argument to what is computed from it):

=====================  ==========================================================================================
of a vertex            ``required``: is it in R_i? (False). ``overwrites``: the places that overwrite it, an empty
                       list where nothing does; left out where no variable holds it. ``bytes``: what storing it
                       takes (1). ``count``: how often it is computed (1). ``price``: of computing it once more
                       (the graph's)
of the graph           ``name`` ('' or none: numbered). ``places``: bytes, or (bytes, count), of each overwrite
                       place (1). ``price``: of computing a vertex once more (0)
=====================  ==========================================================================================

What is given, beside that:

=====================  ==========================================================================================
of a vertex            ``stored``: is it in U? ``restored``: do the places that store (S) bring it back?
                       ``cut``: is it in C_i, what is recomputed from? ``recomputed``: is it computed again?
of the graph           ``S``, ``U``: sorted lists. ``cost``: of the choice, in all graphs. ``lower``: no choice costs
                       less (None: not known). ``proved``: is it an optimum?
=====================  ==========================================================================================

A vertex that is in several graphs is one value: what it says there must agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from snapset.analysis.dag.problem.graphs import Costs, Graph, Problem
from snapset.frontend.base.diagnostics import InputError

if TYPE_CHECKING:
    from networkx import DiGraph
    from snapset.analysis.dag.problem.choice import Choice

Attributes: TypeAlias = Mapping[str, Any]


def from_networkx(graphs: DiGraph | Iterable[DiGraph]) -> Problem:
    """The problem that one graph, or several of one G_b, state. Raises InputError for attributes that are none."""
    every = _several(graphs)
    vertices: dict[str, Attributes] = {}
    for graph in every:
        for vertex, attributes in graph.nodes(data=True):
            if not isinstance(vertex, str):
                raise InputError(f"vertex {vertex!r}: name vertices by strings: networkx.relabel_nodes(graph, str)")
            own = {name: one for name, one in attributes.items() if name in _OF_VALUES}
            if vertices.setdefault(vertex, own) != own:
                raise InputError(f"vertex {vertex}: two graphs say different things of it")
    price = _price(every)
    overwrites = {v: _places(v, found["overwrites"]) for v, found in vertices.items() if "overwrites" in found}
    costs = Costs(
        vertices={v: _size(v, one.get("bytes", 1)) * _size(v, one.get("count", 1)) for v, one in vertices.items()},
        places=_place_costs(every),
        prices={v: found.get("price", price) * found.get("count", 1) for v, found in vertices.items()},
        price=price,
    )
    return Problem(tuple(_graph(graph, number) for number, graph in enumerate(every, 1)), overwrites, costs)


def to_networkx(problem: Problem, choice: Choice | None = None, lower: int | None = None,
                proved: bool = False) -> tuple[DiGraph, ...]:
    """The graphs of a problem with all it says, and with what a choice does to them."""
    import networkx

    found = []
    for graph in problem.graphs:
        made = networkx.DiGraph(name=graph.name, places=dict(problem.costs.places), price=problem.costs.price)
        for vertex in sorted(graph.vertices):
            made.add_node(vertex, **_stated(problem, graph, vertex), **_chosen(problem, graph, vertex, choice))
        made.add_edges_from(graph.edges)
        if choice is not None:
            made.graph.update(S=sorted(choice.S), U=sorted(choice.U), cost=choice.cost, lower=lower, proved=proved)
        found.append(made)
    return tuple(found)


_OF_VALUES = ("overwrites", "bytes", "count", "price")


def _several(graphs: DiGraph | Iterable[DiGraph]) -> Sequence[DiGraph]:
    import networkx

    every = [graphs] if isinstance(graphs, networkx.Graph) else list(graphs)
    for graph in every:
        if not isinstance(graph, networkx.DiGraph) or graph.is_multigraph():
            raise InputError(f"{type(graph).__name__}: give networkx.DiGraph, one edge from an argument to its use")
    return every


def _graph(graph: DiGraph, number: int) -> Graph:
    required = frozenset(v for v, wanted in graph.nodes(data="required", default=False) if wanted)
    alone = {v for v in graph.nodes if not graph.degree(v)} - required
    if alone:
        raise InputError(f"vertex {min(alone)} has no edges and is not required: leave it out")
    return Graph(graph.name or f"graph {number}", tuple(graph.edges), required)


def _price(graphs: Sequence[DiGraph]) -> int:
    prices = {graph.graph.get("price", 0) for graph in graphs}
    if len(prices) > 1:
        raise InputError("the graphs give different prices of computing a vertex once more")
    return prices.pop() if prices else 0


def _places(vertex: str, given: object) -> frozenset[str]:
    if isinstance(given, str) or not isinstance(given, Iterable) or not all(isinstance(one, str) for one in given):
        raise InputError(f"vertex {vertex}: overwrites is a list of places, not {given!r}")
    return frozenset(given)


def _place_costs(graphs: Sequence[DiGraph]) -> dict[str, int]:
    found: dict[str, int] = {}
    for graph in graphs:
        for place, given in graph.graph.get("places", {}).items():
            size, count = given if isinstance(given, tuple) else (given, 1)
            cost = _size(place, size) * _size(place, count)
            if found.setdefault(place, cost) != cost:
                raise InputError(f"place {place}: two graphs say different things of it")
    return found


def _size(name: str, given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise InputError(f"{name}: {given!r} is no number of bytes or executions, 1 or more")
    return given


def _stated(problem: Problem, graph: Graph, vertex: str) -> dict[str, Any]:
    found: dict[str, Any] = {"required": vertex in graph.required, "bytes": problem.costs.of(vertex),
                             "price": problem.costs.again(vertex)}
    if vertex in problem.overwrites:
        found["overwrites"] = sorted(problem.overwrites[vertex])
    return found


def _chosen(problem: Problem, graph: Graph, vertex: str, choice: Choice | None) -> dict[str, bool]:
    if choice is None:
        return {}
    places = problem.overwrites.get(vertex)
    return {
        "stored": vertex in choice.U,
        "restored": places is not None and places <= choice.S,
        "cut": vertex in choice.cuts[graph.name],
        "recomputed": vertex in choice.recomputed[graph.name],
    }
