"""From a straight-line computational graph to G*: partials, preaccumulation by vertex elimination, R (CLU section 1).

The edges of the linearised graph carry labels. A label is a vertex of G*, or the constant 1, or another constant;
constants need no vertex, no store and no recomputation. Eliminating j replaces every i -> j -> k by i -> k with
label ``c_ki + c_kj * c_ji``, a new vertex of G* unless constant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from heapq import heappop, heappush
from typing import Literal

from snapset.analysis.dag.problem.graphs import Edge, Graph
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

Order = Literal["forward", "reverse", "markowitz"]
ORDERS: tuple[Order, ...] = ("forward", "reverse", "markowitz")


@frozen
class Partial:
    """A local partial derivative: the vertices its closed form reads; none if constant. ``one``: it is 1."""

    reads: frozenset[str] = frozenset()
    one: bool = False

    def __post_init__(self) -> None:
        collections("Partial", reads=self.reads)


CONSTANT = Partial()
ONE = Partial(one=True)


@frozen
class Operation:
    """``result = phi(arguments)``: one vertex of G. ``partials`` of the arguments that derivatives pass through.

    A partial may read the result itself (d exp(x) = exp(x)).
    """

    result: str
    arguments: tuple[str, ...]
    partials: Mapping[str, Partial] = field(default_factory=dict)

    def __post_init__(self) -> None:
        collections("Operation", arguments=self.arguments, partials=self.partials)


@frozen
class Label:
    """What an edge carries: the vertex ``name`` of G*, or a constant of that name, or 1."""

    name: str
    constant: bool = False
    one: bool = False

    @property
    def vertex(self) -> str | None:
        return None if self.constant else self.name


@frozen
class Product:
    """``c_ki + c_kj * c_ji``; ``old`` is None where there was no edge i -> k."""

    old: Label | None
    left: Label
    right: Label


@frozen
class Extended:
    """G* and what is left of the linearised graph.

    ``remainder``: its edges with their labels. ``eliminated``: the vertices, in order. ``operations``: the
    multiplications and additions of the preaccumulation. ``products``: how each label that is no local partial
    is computed, constants included; ``partials``: which argument and result each of the others is the partial of.
    ``recorded``: what per-statement TBR would restore.
    """

    graph: Graph
    remainder: Mapping[Edge, Label]
    eliminated: tuple[str, ...]
    operations: int
    products: Mapping[str, Product]
    recorded: frozenset[str]
    partials: Mapping[str, Edge]


def extend(name: str, operations: tuple[Operation, ...], *, outputs: frozenset[str] | None = None,
           order: Order = "markowitz", scarce: bool = True, values: frozenset[str] = frozenset()) -> Extended:
    """G* of a sequence of operations, each vertex computed once, before it is used.

    ``outputs``: the vertices whose adjoints come from outside (default: those nothing else uses); they are never
    eliminated, and what leads to none of them carries no derivative. ``scarce``: stop where fewest labels are
    not constant (then fewest edges, then operations), as in Fig. 5, instead of going on to the bipartite graph.
    ``values``: vertices required besides the labels: indices and controls that the adjoint code reads.
    Raises InputError for a vertex computed twice or after its use.
    """
    collections("extend", operations=operations, outputs=outputs, values=values)
    _check(name, operations)
    linear = _Linear(operations, outputs)
    local = {label.name: edge for edge, label in linear.edges.items()}
    read = frozenset(v for label in local for v in linear.reads[label])
    least, kept = linear.size, 0
    done: list[str] = []
    for vertex in _ORDERS[order](linear):
        linear.eliminate(vertex)
        done.append(vertex)
        if not scarce or linear.size < least:
            least, kept = linear.size, len(done)
    if kept < len(done):  # too far: once more, up to there
        linear = _Linear(operations, outputs)
        for vertex in done[:kept]:
            linear.eliminate(vertex)
    labels = {label.vertex for label in linear.edges.values() if label.vertex is not None}
    arcs = [(a, o.result) for o in operations for a in o.arguments] + linear.arcs(labels)
    graph = Graph(name, tuple(dict.fromkeys(arcs)), frozenset(labels) | values)
    return Extended(graph, linear.edges, tuple(done[:kept]), linear.operations, linear.products, read | values, local)


def _check(name: str, operations: tuple[Operation, ...]) -> None:
    results: set[str] = set()
    read: set[str] = set()
    for operation in operations:
        read |= set(operation.arguments)
        if operation.result in results or operation.result in read:
            raise InputError(f"graph {name}: {operation.result} is computed after it was used or computed: "
                             "give each value a vertex of its own, in the order of execution")
        results.add(operation.result)
        strays = operation.partials.keys() - set(operation.arguments)
        if strays:
            raise InputError(f"graph {name}: {operation.result} has a partial for {min(strays)}, "
                             "which is no argument of it")


class _Linear:
    """The linearised graph while its vertices are eliminated.

    ``reads`` are the arguments in G* of each label made (none: constant); ``inner`` what can still be eliminated.
    """

    def __init__(self, operations: tuple[Operation, ...], outputs: frozenset[str] | None) -> None:
        self.reads: dict[str, frozenset[str]] = {}
        self.products: dict[str, Product] = {}
        self.operations = 0
        used = {a for o in operations for a in o.partials}
        ends = outputs if outputs is not None else frozenset(o.result for o in operations) - used
        self.place = {o.result: number for number, o in enumerate(operations)}
        self.edges: dict[Edge, Label] = {}
        self.carried: Counter[str] = Counter()
        self.into: dict[str, set[str]] = {}
        self.out: dict[str, set[str]] = {}
        useful = set(ends)
        for operation in reversed(operations):
            if operation.result in useful:
                useful |= operation.partials.keys()
                for a, partial in operation.partials.items():
                    self.connect(a, operation.result, self.local(operation.result, a, partial))
        self.inner = {v for v in self.into if v in self.out and v not in ends}

    def local(self, result: str, argument: str, partial: Partial) -> Label:
        return self.label(result, argument, partial.reads, partial.one)

    def label(self, result: str, argument: str, reads: frozenset[str], one: bool = False) -> Label:
        name = f"∂{result}/∂{argument}"
        while name in self.reads:
            name += "'"
        self.reads[name] = reads
        return Label(name, not reads, one)

    def connect(self, i: str, k: str, label: Label) -> None:
        self.drop(i, k)
        self.edges[i, k] = label
        if label.vertex is not None:
            self.carried[label.vertex] += 1
        self.out.setdefault(i, set()).add(k)
        self.into.setdefault(k, set()).add(i)

    def eliminate(self, j: str) -> None:
        before, after = sorted(self.into[j]), sorted(self.out[j])
        for i in before:
            for k in after:
                self.connect(i, k, self.fused(i, j, k))
        for i in before:
            self.drop(i, j)
            self.out[i].discard(j)
        for k in after:
            self.drop(j, k)
            self.into[k].discard(j)
        self.inner.discard(j)

    def fused(self, i: str, j: str, k: str) -> Label:
        """c_ki + c_kj * c_ji"""
        old, left, right = self.edges.get((i, k)), self.edges[j, k], self.edges[i, j]
        if old is None and (left.one or right.one):
            return right if left.one else left
        reads = frozenset(x.vertex for x in (old, left, right) if x is not None and x.vertex is not None)
        if reads:
            self.operations += (old is not None) + (not left.one and not right.one)
        label = self.label(k, i, reads)
        self.products[label.name] = Product(old, left, right)
        return label

    def drop(self, i: str, k: str) -> None:
        old = self.edges.pop((i, k), None)
        if old is not None and old.vertex is not None:
            self.carried[old.vertex] -= 1
            if not self.carried[old.vertex]:
                del self.carried[old.vertex]

    @property
    def size(self) -> tuple[int, int]:
        """What scarcity counts: labels that are not constant, then edges."""
        return len(self.carried), len(self.edges)

    def arcs(self, labels: set[str]) -> list[Edge]:
        """The edges of G* into ``labels`` and what they are made of."""
        found, todo, seen = [], sorted(labels), set(labels)
        while todo:
            vertex = todo.pop()
            for a in sorted(self.reads.get(vertex, ())):
                found.append((a, vertex))
                if a not in seen:
                    seen.add(a)
                    todo.append(a)
        return found


def _forward(linear: _Linear) -> Iterator[str]:
    yield from sorted(linear.inner, key=linear.place.__getitem__)


def _reverse(linear: _Linear) -> Iterator[str]:
    yield from sorted(linear.inner, key=linear.place.__getitem__, reverse=True)


def _markowitz(linear: _Linear) -> Iterator[str]:
    """Again and again the vertex with the fewest pairs of neighbours, the first of several."""
    def entry(vertex: str) -> tuple[int, int, str]:
        return len(linear.into[vertex]) * len(linear.out[vertex]), linear.place[vertex], vertex

    heap = sorted(map(entry, linear.inner))
    while heap:
        found = heappop(heap)
        vertex = found[2]
        if vertex in linear.inner and found == entry(vertex):
            near = (linear.into[vertex] | linear.out[vertex]) & linear.inner
            yield vertex
            for other in near:
                heappush(heap, entry(other))


_ORDERS: Mapping[Order, Callable[[_Linear], Iterator[str]]] = {
    "forward": _forward, "reverse": _reverse, "markowitz": _markowitz}
