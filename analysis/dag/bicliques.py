"""A minimal cover of G_b by maximal bicliques (CLU section 4.2), and their augmentation where they overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from snapset.analysis.dag.graphs import union

EXACT_BICLIQUES = 60
EXACT_STEPS = 20_000

Neighbours = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Biclique:
    """(V_B, O_B): every place of O_B overwrites every vertex of V_B."""

    vertices: frozenset[str]
    places: frozenset[str]

    @property
    def key(self) -> tuple[list[str], list[str]]:
        """What the bicliques are ordered by, so that every run does the same."""
        return sorted(self.vertices), sorted(self.places)


@dataclass(frozen=True, slots=True)
class Cover:
    """``exact``: no cover by maximal bicliques has fewer; otherwise it is the greedy one."""

    bicliques: tuple[Biclique, ...]
    exact: bool


def cover(overwrites: Neighbours) -> Cover:
    """Cover all edges of G_b by as few maximal bicliques as possible.

    Among covers of that size, the one with the fewest edges covered twice. In Fig. 6(c) that is the paper's, whose
    ``({v2}, {o3})`` is not maximal: ``({v2}, {o1, o2, o3})`` is, and is what augmentation makes of it. Exact where a
    component has at most ``EXACT_BICLIQUES`` maximal bicliques and its search ends in ``EXACT_STEPS`` steps; greedy
    beyond, among the closures of single vertices and places. Connected components are covered one by one.
    """
    chosen: list[Biclique] = []
    exact = True
    for part in _components({v: places for v, places in sorted(overwrites.items()) if places}):
        every = _maximal(part)
        candidates = every if every is not None else _closures(part)
        greedy = _greedy(candidates)
        best = _Exact(candidates, greedy).run() if every is not None else None
        chosen += greedy if best is None else best
        exact = exact and best is not None
    return Cover(tuple(sorted(chosen, key=lambda b: b.key)), exact)


def _components(graph: Neighbours) -> list[dict[str, frozenset[str]]]:
    """G_b's connected components: each is covered for itself."""
    users = _users(graph)
    seen: set[str] = set()
    found = []
    for start in graph:
        part, todo = set(), [] if start in seen else [start]
        while todo:
            v = todo.pop()
            if v not in part:
                part.add(v)
                todo.extend(u for o in graph[v] for u in users[o] if u not in part)
        if part:
            seen |= part
            found.append({v: graph[v] for v in sorted(part)})
    return found


def _users(graph: Neighbours) -> dict[str, list[str]]:
    """The vertices of each place."""
    users: dict[str, list[str]] = {}
    for v, places in graph.items():
        for o in places:
            users.setdefault(o, []).append(v)
    return users


def augmented(biclique: Biclique, overwrites: Neighbours) -> Biclique:
    """Algorithm 2, line 04: with all places of its vertices, so that storing there restores them."""
    return Biclique(biclique.vertices, biclique.places | union(overwrites[v] for v in biclique.vertices))


def _closure(graph: Neighbours, places: frozenset[str]) -> Biclique:
    """The maximal biclique with the vertices that all of ``places`` overwrite."""
    vertices = frozenset(v for v, own in graph.items() if places <= own)
    return Biclique(vertices, frozenset.intersection(*(graph[v] for v in vertices)))


def _maximal(graph: Neighbours) -> list[Biclique] | None:
    """All maximal bicliques (their place sets are the intersections of neighbourhoods), None if too many."""
    found: set[frozenset[str]] = set()
    for own in graph.values():
        found |= {own} | {own & other for other in found if own & other}
        if len(found) > EXACT_BICLIQUES:
            return None
    return sorted((_closure(graph, places) for places in found), key=lambda b: b.key)


def _closures(graph: Neighbours) -> list[Biclique]:
    """The maximal bicliques around one vertex's places, or around one place: enough to cover every edge."""
    users = _users(graph)
    around = set(graph.values()) | {frozenset.intersection(*(graph[v] for v in own)) for own in users.values()}
    found = []
    for places in around:
        vertices = frozenset(v for v in users[min(places)] if places <= graph[v])
        found.append(Biclique(vertices, places))
    return sorted(found, key=lambda b: b.key)


def _edges(biclique: Biclique) -> frozenset[tuple[str, str]]:
    return frozenset((v, o) for v in biclique.vertices for o in biclique.places)


def _greedy(candidates: Sequence[Biclique]) -> list[Biclique]:
    """Again and again the biclique with the most edges not yet covered, the first of several."""
    edges = [_edges(b) for b in candidates]
    open_ = set().union(*edges)
    heap = [(-len(own), number) for number, own in enumerate(edges)]
    heapify(heap)
    chosen = []
    while open_:
        _, number = heappop(heap)
        gain = -len(edges[number] & open_)
        if heap and (gain, number) > heap[0]:
            heappush(heap, (gain, number))
            continue
        chosen.append(candidates[number])
        open_ -= edges[number]
    return chosen


class _Exact:
    """Branch and bound: whichever biclique covers the open edge with the fewest candidates."""

    def __init__(self, candidates: Sequence[Biclique], start: Sequence[Biclique]) -> None:
        self.edges = {b: _edges(b) for b in candidates}
        self.by_edge: dict[tuple[str, str], list[Biclique]] = {}
        for biclique in candidates:
            for edge in sorted(self.edges[biclique]):
                self.by_edge.setdefault(edge, []).append(biclique)
        self.best = tuple(start)
        self.figure = self.measure(self.best)
        self.steps = 0

    def measure(self, chosen: Sequence[Biclique]) -> tuple[int, int]:
        return len(chosen), sum(len(self.edges[b]) for b in chosen)

    def run(self) -> tuple[Biclique, ...] | None:
        """None if the search was given up."""
        self.extend((), frozenset(self.by_edge))
        return self.best if self.steps <= EXACT_STEPS else None

    def extend(self, chosen: tuple[Biclique, ...], open_: frozenset[tuple[str, str]]) -> None:
        self.steps += 1
        if self.steps > EXACT_STEPS:
            return
        if not open_:
            if self.measure(chosen) < self.figure:
                self.best, self.figure = chosen, self.measure(chosen)
            return
        largest = max(len(e & open_) for e in self.edges.values())
        if len(chosen) + -(-len(open_) // largest) > self.figure[0]:
            return
        edge = min(open_, key=lambda e: (len(self.by_edge[e]), e))
        for biclique in sorted(self.by_edge[edge], key=lambda b: (-len(self.edges[b] & open_), b.key)):
            self.extend((*chosen, biclique), open_ - self.edges[biclique])
