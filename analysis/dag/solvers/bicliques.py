"""A minimal cover of G_b by maximal bicliques (CLU section 4.2), and their augmentation where they overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from snapset.analysis.dag.problem.graphs import Numbering
from snapset.analysis.dataflow.bitsets import members, union
from snapset.frontend.base.frozen_records import frozen

EXACT_BICLIQUES = 60
EXACT_STEPS = 20_000

Neighbours = Mapping[str, frozenset[str]]


@frozen
class Biclique:
    """(V_B, O_B): every place of O_B overwrites every vertex of V_B."""

    vertices: frozenset[str]
    places: frozenset[str]

    @property
    def key(self) -> tuple[list[str], list[str]]:
        """What the bicliques are ordered by, so that every run does the same."""
        return sorted(self.vertices), sorted(self.places)


@frozen
class BicliqueCover:
    """``exact``: no cover by maximal bicliques has fewer; otherwise it is the greedy one."""

    bicliques: tuple[Biclique, ...]
    exact: bool


def cover(overwrites: Neighbours) -> BicliqueCover:
    """Cover all edges of G_b by as few maximal bicliques as possible.

    Among covers of that size, the one with the fewest edges covered twice. In Fig. 6(c) that is the paper's, whose
    ``({v2}, {o3})`` is not maximal: ``({v2}, {o1, o2, o3})`` is, and is what augmentation makes of it. Exact where a
    component has at most ``EXACT_BICLIQUES`` maximal bicliques and its search ends in ``EXACT_STEPS`` steps; greedy
    beyond, among the closures of single vertices and places. Connected components are covered one by one.
    """
    chosen: list[Biclique] = []
    exact = True
    for part in _components({v: places for v, places in sorted(overwrites.items()) if places}):
        twins = _Twins(part)
        every = _maximal(twins)
        candidates = every if every is not None else _closures(twins)
        greedy = _greedy(twins, candidates)
        best = _Exact(twins, candidates, greedy).run() if every is not None else None
        chosen += map(twins.biclique, greedy if best is None else best)
        exact = exact and best is not None
    return BicliqueCover(tuple(sorted(chosen, key=lambda b: b.key)), exact)


def augmented(bicliques: Iterable[Biclique], overwrites: Neighbours) -> list[Biclique]:
    """Algorithm 2, line 04: each with all places of its vertices, so that storing there restores them."""
    places = Numbering(frozenset[str]().union(*overwrites.values()))
    rows = {v: places.bits(own) for v, own in overwrites.items()}
    found = []
    for biclique in bicliques:
        more = union(rows[v] for v in biclique.vertices) & ~places.bits(biclique.places)
        found.append(Biclique(biclique.vertices, biclique.places.union(places.names[n] for n in members(more))))
    return found


def _components(graph: Neighbours) -> list[dict[str, frozenset[str]]]:
    """G_b's connected components: each is covered for itself."""
    users: dict[str, list[str]] = {}
    for v, places in graph.items():
        for o in places:
            users.setdefault(o, []).append(v)
    seen: set[str] = set()
    found = []
    for start in graph:
        part, todo = set(), [] if start in seen else [start]
        while todo:
            v = todo.pop()
            if v not in part:
                part.add(v)
                for o in graph[v]:
                    todo.extend(users.pop(o, ()))
        if part:
            seen |= part
            found.append({v: graph[v] for v in sorted(part)})
    return found


Pair = tuple[int, int]  # a biclique: bits of vertex classes, bits of place classes


class _Twins:
    """A component with what has the same neighbours put together: no cover needs to tell twins apart.

    ``rows``: for each class of vertices the bits of its places' classes; ``columns``: the other way round.
    """

    def __init__(self, graph: Neighbours) -> None:
        by_places: dict[frozenset[str], list[str]] = {}
        for v, own in graph.items():
            by_places.setdefault(own, []).append(v)
        self.vertices = list(by_places.values())
        users: dict[str, list[int]] = {}
        for number, own in enumerate(by_places):
            for o in own:
                users.setdefault(o, []).append(number)
        by_users: dict[tuple[int, ...], list[str]] = {}
        for o in sorted(users):
            by_users.setdefault(tuple(users[o]), []).append(o)
        self.places = list(by_users.values())
        self.columns = [union(1 << n for n in numbers) for numbers in by_users]
        self.rows = [0] * len(self.vertices)
        for place, column in enumerate(self.columns):
            for row in members(column):
                self.rows[row] |= 1 << place

    def biclique(self, pair: Pair) -> Biclique:
        return Biclique(frozenset(v for n in members(pair[0]) for v in self.vertices[n]),
                        frozenset(o for n in members(pair[1]) for o in self.places[n]))

    def closure(self, places: int) -> Pair:
        """The maximal biclique with the vertices that all of ``places`` overwrite."""
        vertices = _common(self.columns, places)
        return vertices, _common(self.rows, vertices)

    def edges(self, pair: Pair) -> Iterator[tuple[int, int]]:
        return ((v, o) for v in members(pair[0]) for o in members(pair[1]))


def _common(neighbours: Sequence[int], of: int) -> int:
    found = -1
    for one in members(of):
        found &= neighbours[one]
    return found


def _maximal(twins: _Twins) -> list[Pair] | None:
    """All maximal bicliques (their place sets are the intersections of neighbourhoods), None if too many."""
    found: set[int] = set()
    for own in twins.rows:
        found |= {own} | {own & other for other in found if own & other}
        if len(found) > EXACT_BICLIQUES:
            return None
    return sorted(twins.closure(places) for places in found)


def _closures(twins: _Twins) -> list[Pair]:
    """The maximal bicliques around one vertex's places, or around one place: enough to cover every edge."""
    around = {*twins.rows, *(_common(twins.rows, users) for users in twins.columns)}
    return sorted((_common(twins.columns, places), places) for places in around)


def _greedy(twins: _Twins, candidates: Sequence[Pair]) -> list[Pair]:
    """Again and again the biclique with the most edges not yet covered, the first of several."""
    open_ = list(twins.rows)
    heap = [(-v.bit_count() * o.bit_count(), number) for number, (v, o) in enumerate(candidates)]
    heapify(heap)
    uncovered = [list(members(vertices)) for vertices, _ in candidates]
    chosen = []
    left = sum(row.bit_count() for row in open_)
    while left:
        _, number = heappop(heap)
        places = candidates[number][1]
        uncovered[number] = [v for v in uncovered[number] if open_[v]]
        gain = -sum([(open_[v] & places).bit_count() for v in uncovered[number]])
        if heap and (gain, number) > heap[0]:
            heappush(heap, (gain, number))
            continue
        chosen.append(candidates[number])
        for v in uncovered[number]:
            open_[v] &= ~places
        left += gain
    return chosen


class _Exact:
    """Branch and bound: whichever biclique covers the open edge with the fewest candidates. Edges are bits."""

    def __init__(self, twins: _Twins, candidates: Sequence[Pair], start: Sequence[Pair]) -> None:
        number = {edge: n for n, edge in enumerate(
            (v, o) for v, row in enumerate(twins.rows) for o in members(row))}
        self.masks = {pair: sum(1 << number[edge] for edge in twins.edges(pair)) for pair in candidates}
        self.sizes = {pair: self.size(twins, pair) for pair in candidates}
        self.by_edge = [[pair for pair in candidates if self.masks[pair] >> n & 1] for n in range(len(number))]
        self.rarest = sorted(range(len(number)), key=lambda n: (len(self.by_edge[n]), n))
        self.best = tuple(start)
        self.figure = self.measure(self.best)
        self.steps = 0

    def size(self, twins: _Twins, pair: Pair) -> int:
        """How many edges of G_b a biclique covers."""
        return (sum(len(twins.vertices[n]) for n in members(pair[0]))
                * sum(len(twins.places[n]) for n in members(pair[1])))

    def measure(self, chosen: Sequence[Pair]) -> tuple[int, int]:
        return len(chosen), sum(self.sizes[pair] for pair in chosen)

    def run(self) -> tuple[Pair, ...] | None:
        """None if the search was given up."""
        self.extend((), (1 << len(self.by_edge)) - 1)
        return self.best if self.steps <= EXACT_STEPS else None

    def extend(self, chosen: tuple[Pair, ...], open_: int) -> None:
        self.steps += 1
        if self.steps > EXACT_STEPS:
            return
        if not open_:
            if self.measure(chosen) < self.figure:
                self.best, self.figure = chosen, self.measure(chosen)
            return
        largest = max((mask & open_).bit_count() for mask in self.masks.values())
        if len(chosen) + -(-open_.bit_count() // largest) > self.figure[0]:
            return
        edge = next(n for n in self.rarest if open_ >> n & 1)
        for pair in sorted(self.by_edge[edge], key=lambda p: (-(self.masks[p] & open_).bit_count(), p)):
            self.extend((*chosen, pair), open_ & ~self.masks[pair])
