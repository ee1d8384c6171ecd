"""Where a graph's vertices and edges are drawn: layers from arguments to results (Sugiyama's method).

Kept instead of grandalf 0.8 (2023, needs pyparsing). Of the corpus' 101 graphs of 8 vertices or more its drawings are a
fifth wider with as many crossings (555, here 568), in twice the time and after an import of 130 ms; random graphs of 40
to 250 vertices become 2.7 to 4.6 times as wide. Graphviz draws better than both, but is no Python package, and its
picture would be another one on every machine: who has it gives ``--graph FILE.dot`` to ``dot``.

Vertices are put in layers by their longest path, edges over several layers run through points of their own, a few
sweeps put every vertex near the middle of its neighbours, and overlaps are pushed apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from snapset.analysis.dag.problem.graphs import Edge
from snapset.frontend.base.frozen_records import frozen

GAP, LAYER = 18.0, 74.0
SWEEPS = 8
Point = tuple[float, float]
Slot = str | tuple[Edge, int]  # a vertex, or a point of an edge in a layer


@frozen
class GraphLayout:
    """Where a layered graph is drawn.

    ``centres`` of the vertices, and the points that each edge runs through, ends included.
    """

    width: float
    height: float
    centres: Mapping[str, Point]
    routes: Mapping[Edge, Sequence[Point]]


def layered(widths: Mapping[str, float], edges: Sequence[Edge]) -> GraphLayout:
    """Lay out an acyclic graph whose vertices are ``widths``' keys, each so wide."""
    return _Layered(widths, edges).layout()


@dataclass
class _Layered:
    widths: Mapping[str, float]
    edges: Sequence[Edge]
    rows: list[list[Slot]] = field(default_factory=list)
    above: dict[Slot, list[Slot]] = field(default_factory=dict)
    below: dict[Slot, list[Slot]] = field(default_factory=dict)
    x: dict[Slot, float] = field(default_factory=dict)

    def layout(self) -> GraphLayout:
        layer = layers(list(self.widths), self.edges)
        self.fill(layer)
        for sweep in range(SWEEPS):
            self.sort(self.above if sweep % 2 == 0 else self.below)
        for row in self.rows:
            self.spread(row, [0.0] * len(row))
        for sweep in range(SWEEPS):
            self.shift(self.above if sweep % 2 == 0 else self.below)
        left = min((self.x[s] - self.width(s) / 2 for row in self.rows for s in row), default=0.0)
        right = max((self.x[s] + self.width(s) / 2 for row in self.rows for s in row), default=0.0)
        at = {slot: (self.x[slot] - left, LAYER * number) for number, row in enumerate(self.rows) for slot in row}
        routes = {edge: [at[slot] for slot in self.chain(edge, layer)] for edge in self.edges}
        centres = {v: at[v] for v in self.widths}
        return GraphLayout(right - left, LAYER * max(0, len(self.rows) - 1), centres, routes)

    def fill(self, layer: Mapping[str, int]) -> None:
        self.rows = [[] for _ in range(max(layer.values(), default=-1) + 1)]
        for v in self.widths:
            self.rows[layer[v]].append(v)
        for edge in self.edges:
            chain = self.chain(edge, layer)
            for number, slot in enumerate(chain[1:-1], 1):
                self.rows[layer[edge[0]] + number].append(slot)
            for one, other in pairwise(chain):
                self.below.setdefault(one, []).append(other)
                self.above.setdefault(other, []).append(one)

    def chain(self, edge: Edge, layer: Mapping[str, int]) -> list[Slot]:
        return [edge[0], *((edge, n) for n in range(layer[edge[0]] + 1, layer[edge[1]])), edge[1]]

    def width(self, slot: Slot) -> float:
        return self.widths[slot] if isinstance(slot, str) else 4.0

    def sort(self, near: Mapping[Slot, list[Slot]]) -> None:
        """Each row by the mean place of the neighbours in the row beside it."""
        for row in self.rows if near is self.above else reversed(self.rows):
            place = {slot: n for other in self.rows for n, slot in enumerate(other)}
            wish = {s: fmean(place[o] for o in near[s]) if near.get(s) else place[s] for s in row}
            row.sort(key=wish.__getitem__)

    def shift(self, near: Mapping[Slot, list[Slot]]) -> None:
        for row in self.rows if near is self.above else reversed(self.rows):
            self.spread(row, [fmean(self.x[o] for o in near[s]) if near.get(s) else self.x[s] for s in row])

    def spread(self, row: Sequence[Slot], wish: Sequence[float]) -> None:
        """As near to the wishes as the widths allow: the mean of pushing rightwards and pushing leftwards."""
        from_left, from_right = list(wish), list(wish)
        apart = [(self.width(a) + self.width(b)) / 2 + GAP for a, b in pairwise(row)]
        for n in range(1, len(row)):
            from_left[n] = max(wish[n], from_left[n - 1] + apart[n - 1])
        for n in range(len(row) - 2, -1, -1):
            from_right[n] = min(wish[n], from_right[n + 1] - apart[n])
        for slot, one, other in zip(row, from_left, from_right, strict=True):
            self.x[slot] = (one + other) / 2


def layers(vertices: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The longest path to each vertex; one without arguments stands right above its first user."""
    users: dict[str, list[str]] = {v: [] for v in vertices}
    missing = dict.fromkeys(vertices, 0)
    for a, b in edges:
        users[a].append(b)
        missing[b] += 1
    layer = dict.fromkeys(vertices, 0)
    minimal = [v for v in vertices if not missing[v]]
    todo = list(minimal)
    for v in todo:
        for user in users[v]:
            layer[user] = max(layer[user], layer[v] + 1)
            missing[user] -= 1
            if not missing[user]:
                todo.append(user)
    for v in minimal:
        layer[v] = min((layer[u] for u in users[v]), default=1) - 1
    return layer
