"""CLU Algorithm 1: given S, the vertices U to store so that every R_i can be recomputed, at least cost."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Literal

from snapset.analysis.dag.problem.choice import Choice, evaluate
from snapset.analysis.dag.problem.graphs import Costs, Numbering, Prepared, Reduced, union
from snapset.analysis.dag.solvers.max_flow import FlowNetwork

Tie = Literal["arguments", "required"]


def complete(problem: Prepared, S: frozenset[str], tie: Tie = "arguments") -> Choice:
    """Algorithm 1 on every graph: the choice (S, U) with U the union of the cuts' unrestored vertices."""
    completion = Completion(problem, tie)
    completion.move(S)
    return completion.choice()


class Cut:
    """C' of one graph: the cheapest vertices that separate R from the minimal vertices that are not known
    (lines 02, 03), kept while it becomes known or unknown what S restores.

    Every vertex is an edge in -> out whose capacity is its cost, or 0 if it is known, so a minimum cut is a
    minimum vertex cut; a price on recomputing v is an edge from the source to its in-end. Among the cheapest the
    nearest to R wins, as the paper has it: the least sum of distances to R, exactly, since each capacity is
    ``cost * scale + distance`` with ``scale`` above any sum of distances. Elements of R themselves come last
    (``tie="arguments"``), for in Fig. 5 the paper takes t, at distance 1, and not the partial ∂r/∂t it gives;
    ``tie="required"`` takes them first, by distance 0. What is still tied is the cut nearest to R, of which there
    is only one.
    """

    def __init__(self, graph: Reduced, costs: Costs, tie: Tie) -> None:
        self.graph = graph
        ranks = _ranks(graph, tie)
        self.scale = 1 + sum(ranks.values())
        self.number = {v: n for n, v in enumerate(graph.order)}
        self.full = {v: costs.of(v) * self.scale + ranks[v] for v in graph.order}
        endless = 1 + sum(self.full.values()) + self.scale * sum(map(costs.again, graph.order))
        source, sink = 2 * len(graph.order), 2 * len(graph.order) + 1
        self.flow = FlowNetwork(sink + 1, source, sink)
        self.inner: dict[str, int] = {}
        for v, n in self.number.items():
            self.inner[v] = self.flow.add(2 * n, 2 * n + 1, self.full[v])
            again = costs.again(v) * self.scale if graph.arguments[v] else endless
            if again:
                self.flow.add(source, 2 * n, again)
            if v in graph.required:
                self.flow.add(2 * n + 1, sink, endless)
            for a in graph.arguments[v]:
                self.flow.add(2 * self.number[a] + 1, 2 * n, endless)

    def set(self, vertex: str, known: bool) -> None:
        self.flow.change(self.inner[vertex], 0 if known else self.full[vertex])

    def cost(self) -> int:
        """Of the cut and the recomputations."""
        return self.flow.maximise() // self.scale

    def vertices(self, known: frozenset[str]) -> frozenset[str]:
        """C', without what is known."""
        return self.among(self.number.keys() - known)

    def among(self, vertices: Iterable[str]) -> frozenset[str]:
        """Those of some vertices, none of them known, that are in C'."""
        self.flow.maximise()
        far = self.flow.far()
        return frozenset(v for v in vertices if far[2 * (n := self.number[v]) + 1] and not far[2 * n])


class Completion:
    """Algorithm 1 for one S after another. ``held``: vertices that are in U in any case.

    A step from one S to the next costs what it changes, not what the graphs hold.
    """

    def __init__(self, problem: Prepared, tie: Tie = "arguments") -> None:
        self.problem = problem
        self.cuts = [Cut(graph, problem.costs, tie) for graph in problem.graphs]
        self.S: frozenset[str] = frozenset()
        self.held: frozenset[str] = frozenset()
        numbering = Numbering(problem.places)
        self.numbering = numbering
        self.places = {v: numbering.bits(places) for v, places in problem.overwrites.items()}
        self.users: dict[str, list[str]] = {}
        for v, places in problem.overwrites.items():
            for o in places:
                self.users.setdefault(o, []).append(v)
        self.lost = numbering.bits(numbering.names)
        self.owners: dict[str, list[int]] = {}
        for number, graph in enumerate(problem.graphs):
            for v in graph.order:
                self.owners.setdefault(v, []).append(number)
        self.figures = [0] * len(self.cuts)
        self.stale = set(range(len(self.cuts)))
        self.known = {v: not places for v, places in self.places.items()}
        for v, known in self.known.items():
            if known:
                self._set(v, True)
        self.shared = frozenset(v for v, numbers in self.owners.items() if len(numbers) > 1)
        self.sharing = [self.shared.intersection(graph.order) for graph in problem.graphs]
        self.cutting = [frozenset[str]()] * len(self.cuts)
        self.times: Counter[str] = Counter()
        self.twice = 0
        self.priced = any(problem.costs.again(v) for graph in problem.graphs for v in graph.order)
        self.spent = 0

    def move(self, S: frozenset[str], held: frozenset[str] = frozenset()) -> None:
        """Go to another S (and other held vertices)."""
        changed = self.S ^ S
        few = sum(len(self.users.get(o, ())) for o in changed) < len(self.places)
        touched = union(self.users.get(o, ()) for o in changed) if few else frozenset(self.places)
        self.lost ^= self.numbering.bits(changed)
        costs = self.problem.costs
        for old, new, of in ((self.S, S, costs.of_place), (self.held, held, costs.of)):
            self.spent += sum(map(of, new - old)) - sum(map(of, old - new))
        held_before, self.S, self.held = self.held, S, held
        for v in touched | (held_before ^ held):
            known = v in held or self.places.get(v, -1) & self.lost == 0
            if known != self.known.get(v, False):
                self.known[v] = known
                self._set(v, known)

    def _set(self, vertex: str, known: bool) -> None:
        for number in self.owners[vertex]:
            self.cuts[number].set(vertex, known)
            self.stale.add(number)

    def cost(self) -> int:
        """What the choice costs."""
        if self.shared and self.priced:  # what one graph stores spares another recomputations
            return self.choice().cost
        for number in self.stale:
            self.figures[number] = self.cuts[number].cost()
            if self.sharing[number]:
                self._share(number)
        self.stale.clear()
        return sum(self.figures) + self.spent - self.twice

    def _share(self, number: int) -> None:
        """Note which shared vertices a graph's cut takes: what several take is stored once."""
        cutting = self.cuts[number].among(v for v in self.sharing[number] if not self.known.get(v))
        for v in cutting ^ self.cutting[number]:
            more = v in cutting
            self.times[v] += 1 if more else -1
            if self.times[v] > (1 if more else 0):
                self.twice += self.problem.costs.of(v) if more else -self.problem.costs.of(v)
        self.cutting[number] = cutting

    def choice(self) -> Choice:
        known = self.problem.restored(self.S) | self.held
        U = union(cut.vertices(known) for cut in self.cuts) | self.held
        choice = evaluate(self.problem, self.S, U)
        if choice is None:
            raise AssertionError("a vertex cut leaves a required value without a source")
        return choice


def _ranks(graph: Reduced, tie: Tie) -> Mapping[str, int]:
    """Each vertex's distance to R (edges on the shortest path), R's own after all sums of others or 0.

    Distances in G*_R are those in G*': every path from a vertex of G*' to R is in G*'.
    """
    distance = dict.fromkeys(sorted(graph.required), 0)
    todo = deque(distance)
    while todo:
        vertex = todo.popleft()
        for a in graph.arguments[vertex]:
            if a not in distance:
                distance[a] = distance[vertex] + 1
                todo.append(a)
    last = 0 if tie == "required" else 1 + sum(distance.values())
    return {v: d or last for v, d in distance.items()}
