"""The problem of CLU section 4: extended computational graphs G*_i, required sets R_i, the use-overwrite graph G_b.

Vertices and places are named by strings. The same vertex in two graphs is one value, stored once; a vertex and
a place of the same name have nothing to do with each other. Beyond the paper, G_b may also hold intermediate
vertices: those whose value sits in a program variable, so that a store on overwrite restores it too. That makes
per-statement To Be Recorded one of the choices; without it the paper's claim that flattening never costs more
than per-statement To Be Recorded is false (``t = 5*d + 4*e; r = cos(t)`` needs t, or d and e).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from graphlib import CycleError, TopologicalSorter

from snapset.frontend.base.collection_arguments import collections, nested
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

Edge = tuple[str, str]


@frozen
class Graph:
    """G*_i with its required set R_i: ``edges`` lead from an argument to what is computed from it.

    Constants are no vertices. A vertex without edges is there if it is required.
    """

    name: str
    edges: tuple[Edge, ...]
    required: frozenset[str]

    def __post_init__(self) -> None:
        collections("Graph", required=self.required)
        nested("Graph", edges=self.edges)

    @property
    def vertices(self) -> frozenset[str]:
        return self.required.union(*self.edges) if self.edges else self.required


@frozen
class Costs:
    """What storing a vertex (U) or at a place (S) costs, and computing a vertex once more.

    All in one unit, positive integers (a price may be 0): 1 and 1 and 0 where nothing is said, the paper's
    |S| + |U|. For bytes and execution counts see :func:`weighted`.
    """

    vertices: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    prices: Mapping[str, int] = field(default_factory=dict)
    price: int = 0

    def __post_init__(self) -> None:
        collections("Costs", vertices=self.vertices, places=self.places, prices=self.prices)

    def of(self, vertex: str) -> int:
        return self.vertices.get(vertex, 1)

    def of_place(self, place: str) -> int:
        return self.places.get(place, 1)

    def again(self, vertex: str) -> int:
        """The price of recomputing the vertex."""
        return self.prices.get(vertex, self.price)


def weighted(sizes: Mapping[str, int], counts: Mapping[str, int], places: Mapping[str, tuple[int, int]],
             price: int = 0) -> Costs:
    """Costs in bytes over a whole run.

    ``sizes``, ``counts``: the bytes of each vertex's value, and how often it is computed (1 where not said).
    ``places``: bytes and executions of each overwrite place. ``price``: bytes one recomputed operation counts for.
    """
    collections("weighted", sizes=sizes, counts=counts)
    nested("weighted", places=places)
    names = {*sizes, *counts}
    return Costs(
        vertices={v: sizes.get(v, 1) * counts.get(v, 1) for v in names},
        places={o: size * count for o, (size, count) in places.items()},
        prices={v: price * counts.get(v, 1) for v in names},
        price=price,
    )


@frozen
class Problem:
    """A set of graphs and one G_b.

    ``overwrites`` is G_b: for each vertex whose value a variable holds, the places that overwrite it on some path.
    An empty set says that nothing overwrites it: it can always be read again (so can a constant). Every minimal
    vertex from which something required is computed must be in it: a forgotten one would be taken as intact.
    ``recorded``: the vertices whose values per-statement To Be Recorded restores, if that is to be compared.
    """

    graphs: tuple[Graph, ...]
    overwrites: Mapping[str, frozenset[str]]
    costs: Costs = field(default_factory=Costs)
    recorded: frozenset[str] | None = None

    def __post_init__(self) -> None:
        collections("Problem", graphs=self.graphs, recorded=self.recorded)
        nested("Problem", overwrites=self.overwrites)


def placeholder(variable: str) -> str:
    """The place that stands for the end of a variable's scope: its last values are lost there."""
    return f"end of {variable}"


@frozen
class Reduced:
    """G*_R: the subgraph of all that precedes R, in topological ``order``.

    ``arguments`` and ``uses`` are the direct predecessors and successors of each vertex.
    """

    name: str
    order: tuple[str, ...]
    arguments: Mapping[str, tuple[str, ...]]
    uses: Mapping[str, tuple[str, ...]]
    required: frozenset[str]

    @property
    def minimal(self) -> frozenset[str]:
        return frozenset(v for v in self.order if not self.arguments[v])


def reduced(graph: Graph) -> Reduced:
    """G*_R of a graph. Raises InputError if it has a cycle."""
    before: dict[str, set[str]] = {v: set() for v in graph.vertices}
    for a, b in graph.edges:
        before[b].add(a)
    wanted, todo = set(graph.required), sorted(graph.required)
    while todo:
        fresh = before[todo.pop()] - wanted
        wanted |= fresh
        todo.extend(fresh)
    arguments = {v: tuple(sorted(before[v])) for v in sorted(wanted)}
    try:
        order = tuple(TopologicalSorter(arguments).static_order())
    except CycleError as error:
        raise InputError(f"graph {graph.name} has a cycle through {error.args[1][0]}: "
                         "one vertex for each value computed") from error
    uses: dict[str, list[str]] = {v: [] for v in arguments}
    for v in order:
        for a in arguments[v]:
            uses[a].append(v)
    return Reduced(graph.name, order, arguments, {v: tuple(u) for v, u in uses.items()}, graph.required)


@frozen
class Prepared:
    """A problem checked and reduced: what the algorithms work on.

    ``overwrites`` is G_b induced by the vertices of the reduced graphs, ``places`` its O. ``recorded``: the S and U of
    per-statement To Be Recorded, if the problem says what that restores.
    """

    graphs: tuple[Reduced, ...]
    overwrites: Mapping[str, frozenset[str]]
    costs: Costs
    recorded: tuple[frozenset[str], frozenset[str]] | None

    @property
    def places(self) -> frozenset[str]:
        return union(self.overwrites.values())

    @property
    def required(self) -> frozenset[str]:
        return union(g.required for g in self.graphs)

    def restored(self, S: frozenset[str]) -> frozenset[str]:
        """V_S: the vertices all of whose overwrites store."""
        return frozenset(v for v, places in self.overwrites.items() if places <= S)


def prepare(problem: Problem) -> Prepared:
    """Check and reduce a problem.

    Raises InputError for a cycle, a minimal vertex missing from G_b, or a cost that is no positive integer.
    """
    graphs = tuple(map(reduced, problem.graphs))
    for graph in graphs:
        for vertex in sorted(graph.minimal - problem.overwrites.keys()):
            raise InputError(f"graph {graph.name}: nothing says what overwrites {vertex}, "
                             "which required values depend on: list it in overwrites, with no places if nothing does")
    named = ((problem.costs.vertices, 1), (problem.costs.places, 1), (problem.costs.prices, 0),
             ({"price": problem.costs.price}, 0))
    for table, least in named:
        for name, cost in table.items():
            if not isinstance(cost, int) or cost < least:
                raise InputError(f"the cost of {name} is {cost}: give an integer of at least {least}")
    vertices = union(g.arguments for g in graphs)
    overwrites = {v: frozenset(problem.overwrites[v]) for v in sorted(vertices) if v in problem.overwrites}
    recorded = None
    if problem.recorded is not None:
        held = problem.recorded & problem.overwrites.keys()
        recorded = union(problem.overwrites[v] for v in held), problem.recorded - held
    return Prepared(graphs, overwrites, problem.costs, recorded)


class Numbering:
    """Names as the positions of bits, in the order of the names."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = sorted(names)
        self.number = {name: n for n, name in enumerate(self.names)}

    def bits(self, names: Iterable[str]) -> int:
        """A set as bits; what is not numbered is left out."""
        found = bytearray(len(self.names) // 8 + 1)
        for name in names:
            n = self.number.get(name)
            if n is not None:
                found[n >> 3] |= 1 << (n & 7)
        return int.from_bytes(found, "little")


def union(sets: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)
