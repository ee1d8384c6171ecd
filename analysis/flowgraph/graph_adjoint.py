"""The analyses of a tool's own flow graph: activity, adjoint liveness, To Be Recorded, the sets of every part.

The equations are those of docs/equations.md, on sets of names: "One statement", "Code without checkpoints", "A
checkpointed part C". Tests (nodes with several successors) always run. What a second run would find unharmed (*intact*)
is what the graph says, as far as D̄ leaves it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from snapset.analysis.equations import NamedSolution, solve
from snapset.analysis.flowgraph.graph_choice import Recorded, cheapest_sides
from snapset.analysis.flowgraph.graph_figures import bytes_of, figures
from snapset.analysis.flowgraph.graph_text import text
from snapset.analysis.flowgraph.own_graph import BODY, NONE, GraphLevel, Key, Names, OwnGraph, OwnNode, PartNode
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.frozen_records import frozen

Ways: TypeAlias = Mapping[Key, Names]
Strategy: TypeAlias = Literal["lazy", "eager", "optimal"]
Sides: TypeAlias = tuple[Iterable[str], Iterable[str], Iterable[str]]


@frozen
class GraphPart:
    """A checkpointed part: the six sets the equations start from, the two of D, the solution. ``first_run``: the nodes
    of its first run. ``snapshot_bytes``: of one run, each location once; None where a size is not given."""

    req: Names
    use_c: Names
    out_c: Names
    use_cbar: Names
    out_cbar: Names
    use_dbar: Names
    out_dbar: Names
    solution: NamedSolution
    first_run: frozenset[Key]
    snapshot_bytes: int | None


@frozen
class GraphAdjoint:
    """What an adjoint of the graph must do. By node: ``varied`` before it, ``useful`` behind it, ``reads``: use(I'),
    ``required`` before it, ``taped`` by it. ``needed``: the nodes that the forward sweep of their level runs.
    ``parts``: by name. ``traffic_bytes``: all that is pushed; ``peak_bytes``: the stack's highest point, exact in
    straight-line code, else never too low (:mod:`snapset.analysis.flowgraph.graph_figures`); None where a size is not
    given."""

    varied: Ways
    useful: Ways
    reads: Ways
    needed: frozenset[Key]
    required: Ways
    taped: Ways
    parts: Mapping[str, GraphPart]
    traffic_bytes: int | None
    peak_bytes: int | None

    def __str__(self) -> str:
        return text(self.traffic_bytes, self.peak_bytes,
                    {name: (one.solution, one.snapshot_bytes) for name, one in self.parts.items()}, self.taped)


@frozen
class _State:
    """use(D̄) and out(D̄)."""

    use: Names = NONE
    out: Names = NONE

    def __or__(self, other: _State) -> _State:
        return _State(self.use | other.use, self.out | other.out)


def adjoint(graph: OwnGraph, independents: Iterable[str], dependents: Iterable[str],
            strategy: Strategy = "lazy",
            sides: Mapping[str, Sides] | None = None) -> GraphAdjoint:
    """Analyse a graph whose adjoint gives the derivatives of ``dependents`` by ``independents``.

    ``strategy``: lazy, eager, or optimal: the lowest peak that is found, with the least traffic, never dearer than the
    others (:mod:`snapset.analysis.flowgraph.graph_choice`). ``sides``: by part (Opt1+, Opt2+, Opt3+), a partition of
    DH (6), instead of the strategy.

    Raises ValueError for an unknown strategy or part, an independent or dependent that no node has, a side naming what
    its Opt set does not hold, sizes that optimal lacks; TypeError for a plain text in place of a set.
    """
    collections("adjoint", independents=independents, dependents=dependents)
    sides = sides or {}
    if strategy not in ("lazy", "eager", "optimal"):
        raise ValueError(f"unknown strategy {strategy!r}: lazy, eager or optimal, or sides for a partition")
    if stray := sorted(sides.keys() - graph.parts.keys()):
        raise ValueError(f"sides: there is no part {stray[0]}")
    independents, dependents = frozenset(independents), frozenset(dependents)
    known = frozenset().union(*(node.use | node.out for node in graph.nodes.values()))
    for what, given in (("independents", independents), ("dependents", dependents)):
        if stray := sorted(given - known):
            raise ValueError(f"{what}: no node reads or writes {stray[0]}")
    return _Adjoint(graph, independents, dependents).best(strategy, sides)


class _Adjoint:
    def __init__(self, graph: OwnGraph, independents: Names, dependents: Names) -> None:
        self.graph = graph
        self.strategy: Strategy = "lazy"
        self.sides: Mapping[str, Sides] = {}
        self.within = False  # sides may name more than the Opt sets hold
        succs: dict[Key, list[Key]] = {key: [] for key in graph.nodes}
        for one, other in graph.edges:
            succs[one].append(other)
        self.succs = {key: tuple(after) for key, after in succs.items()}
        self.varied, self.useful = self._activity(independents, dependents)
        self.reads = {key: self._derivative(key, node) for key, node in graph.nodes.items()}
        self.behind: dict[Key, _State] = {}
        self.inner: dict[str, _State] = {}  # use(C̄), out(C̄)
        self.first: dict[str, frozenset[Key]] = {}
        self.intact: dict[str, Names] = {name: frozenset(graph.intact.get(name, ())) for name in graph.parts}
        for level in reversed(list(graph.levels.values())):
            self.inner[level.name] = self._with_intact(level)
        self.required: dict[Key, Names] = {}
        self.parts: dict[str, GraphPart] = {}

    def best(self, strategy: Strategy, sides: Mapping[str, Sides]) -> GraphAdjoint:
        """Under a strategy, or the cheapest; ``sides`` count for their parts in any case."""
        if strategy == "optimal":
            starts = [self._sides_of(one, sides) for one in ("lazy", "eager")]
            self.within = True
            sides = {**cheapest_sides(lambda chosen: self._recorded({**chosen, **sides}), starts), **sides}
        self.strategy, self.sides = strategy, sides
        return self.result()

    def _sides_of(self, strategy: Strategy, given: Mapping[str, Sides]) -> Mapping[str, tuple[Names, Names, Names]]:
        self.strategy, self.sides = strategy, given
        parts = self.result().parts
        return {name: (one.solution.opt1 & one.solution.sbk, one.solution.opt2 & one.solution.sbk,
                       one.solution.opt3 & one.solution.snp) for name, one in parts.items()}

    def _recorded(self, sides: Mapping[str, Sides]) -> Recorded:
        self.sides = sides
        found = self.result()
        solutions = {name: part.solution for name, part in found.parts.items()}
        return figures(self.graph, found.taped, solutions), solutions

    def result(self) -> GraphAdjoint:
        """What the strategy or the sides that are set lead to."""
        self.required, self.parts = {}, {}
        for level in self.graph.levels.values():
            entering = NONE if level.name == BODY else self.parts[level.name].solution.req_c
            self._record(level, entering)
        taped = {key: self._taped(key, node) for key, node in self.graph.nodes.items()}
        cost = figures(self.graph, taped, {name: one.solution for name, one in self.parts.items()})
        needed = frozenset(key for key, node in self.graph.nodes.items() if self._runs(key, node))
        return GraphAdjoint(self.varied, self.useful, self.reads, needed,
                            {key: self.required[key] for key in self.graph.nodes}, taped, self.parts,
                            cost.traffic, cost.peak)

    # ------------------------------------------------------------ activity

    def _activity(self, independents: Names, dependents: Names) -> tuple[Ways, Ways]:
        """Varied before each node, useful behind it, over the whole graph."""
        nodes = self.graph.nodes

        def vary(key: Key, before: Names) -> Names:
            node = nodes[key]
            return (before - node.kill) | (node.out if before & node.partials.keys() else NONE)

        def need(key: Key, after: Names) -> Names:
            node = nodes[key]
            return (after - node.kill) | (frozenset(node.partials) if after & node.out else NONE)

        preds: dict[Key, list[Key]] = {key: [] for key in nodes}
        for one, other in self.graph.edges:
            preds[other].append(one)
        varied = _solved(nodes, preds, {self.graph.entry: independents}, vary)
        ends = {key: dependents for key in nodes if not self.succs[key]}
        return varied, _solved(nodes, self.succs, ends, need)

    def _derivative(self, key: Key, node: OwnNode) -> Names:
        """use(I'): what the partial derivatives by varied operands read, where the result is useful."""
        if not node.out & self.useful[key]:
            return NONE
        return NONE.union(*(read for operand, read in node.partials.items() if operand in self.varied[key]))

    # ------------------------------------------------------------ adjoint liveness

    def _with_intact(self, level: GraphLevel) -> _State:
        """use and out of a level's adjoint, where a part need not save what is intact, unless D̄ changes it. What is
        intact the part's adjoint leaves changed, which D̄ of another part, or of the same in a loop, may not bear."""
        while True:
            found = self._liveness(level)
            left = {name: self.intact[name] - self.behind[PartNode(name)].out for name in level.inner}
            if all(left[name] == self.intact[name] for name in level.inner):
                return found
            self.intact |= left

    def _liveness(self, level: GraphLevel) -> _State:
        """use and out of a level's adjoint with nothing behind it; notes the state behind each of its nodes."""
        before = dict.fromkeys(level.order, _State())
        changed = True
        while changed:
            changed = False
            for key in reversed(level.order):
                behind = _State()
                for after in level.succs[key]:
                    behind |= before[after]
                self.behind[key] = behind
                now = before[key] | self._through(key, behind)
                changed |= now != before[key]
                before[key] = now
        return before[level.order[0]]

    def _through(self, key: Key, behind: _State) -> _State:
        name = _part_of(key)
        if name is not None:
            out_c, live, _ = self._first_run(name, behind.use)
            inner = self.inner[name]
            return _State(live | inner.use, inner.out | ((behind.out | out_c) - (inner.use - self.intact[name])))
        node, reads = self.graph.nodes[key], self.reads[key]
        if self._runs(key, node):
            return _State(reads | node.use | (behind.use - node.kill), (behind.out | node.out) - reads)
        return _State(reads | behind.use, behind.out - reads)

    def _runs(self, key: Key, node: OwnNode) -> bool:
        """needed(I), or a test."""
        return bool(node.out & self.behind[key].use) or len(self.succs[key]) > 1

    def _first_run(self, name: str, wanted: Names) -> tuple[Names, Names, Names]:
        """out(C), what is live before C, use(C): of the nodes that make something that D̄ uses."""
        inside = self.graph.levels[name].own
        nodes = {key: self.graph.nodes[key] for key in inside}
        succs = {key: tuple(one for one in self.succs[key] if one in inside) for key in inside}
        ends = {key: wanted for key in inside if len(succs[key]) < len(self.succs[key]) or not self.succs[key]}

        def live(key: Key, after: Names) -> Names:
            node = nodes[key]
            runs = after & node.out or len(self.succs[key]) > 1
            return (after - node.kill) | node.use if runs else after

        behind = _solved(nodes, succs, ends, live)
        run = frozenset(key for key in inside if behind[key] & nodes[key].out or len(self.succs[key]) > 1)
        self.first[name] = run if any(nodes[key].out for key in run) else frozenset()

        def exposed(key: Key, after: Names) -> Names:
            return (after - nodes[key].kill) | nodes[key].use if key in run else after

        read = _solved(nodes, succs, {}, exposed)
        (start,) = self._starts(name)
        out_c = NONE.union(*(nodes[key].out for key in run))
        return out_c, live(start, behind[start]), exposed(start, read[start])

    def _starts(self, name: str) -> tuple[Key, ...]:
        """The node that a part begins with."""
        key = self.graph.levels[name].order[0]
        inner = _part_of(key)
        return (key,) if inner is None else self._starts(inner)

    # ------------------------------------------------------------ To Be Recorded

    def _record(self, level: GraphLevel, entering: Names) -> None:
        preds: dict[Key, list[Key]] = {key: [] for key in level.order}
        for one, after in level.succs.items():
            for other in after:
                preds[other].append(one)
        self.required |= _solved(level.order, preds, {level.order[0]: entering}, self._required)
        for name in level.inner:
            self.parts[name] = self._part(name, self.required[PartNode(name)])

    def _required(self, key: Key, before: Names) -> Names:
        """Req behind a node, a part's Req_D."""
        name = _part_of(key)
        if name is not None:
            return self._part(name, before).solution.req_d
        node = self.graph.nodes[key]
        required = before | self.reads[key]
        return required - node.kill if self._runs(key, node) else required

    def _part(self, name: str, req: Names) -> GraphPart:
        behind, inner = self.behind[PartNode(name)], self.inner[name]
        out_c, _, use_c = self._first_run(name, behind.use)
        sets = {"req": req, "out_c": out_c, "out_dbar": behind.out, "out_cbar": inner.out,
                "use_cbar": inner.use - self.intact[name]}
        if name in self.sides:
            one, two, three = map(frozenset, self.sides[name])
            if self.within:
                options = solve(**sets, strategy="lazy")
                one, two, three = one & options.opt1, two & options.opt2, three & options.opt3
            found = solve(**sets, strategy="partition", plus1=one, plus2=two, plus3=three)
        else:
            found = solve(**sets, strategy=self.strategy)
        return GraphPart(req, use_c, out_c, inner.use, inner.out, behind.use, behind.out, found, self.first[name],
                         bytes_of(self.graph, found.snp | found.sbk))

    def _taped(self, key: Key, node: OwnNode) -> Names:
        return node.out & (self.required[key] | self.reads[key]) if self._runs(key, node) else NONE


def _part_of(key: Key) -> str | None:
    """The part that a level's node stands for."""
    return key.part if isinstance(key, PartNode) else None


def _solved(nodes: Iterable[Key], sources: Mapping[Key, Iterable[Key]], given: Mapping[Key, Names],
            transfer: Callable[[Key, Names], Names]) -> dict[Key, Names]:
    """The least solution of: what comes to a node is ``given``, and what ``transfer`` makes of its ``sources``."""
    order = tuple(nodes)
    found = {key: given.get(key, NONE) for key in order}
    changed = True
    while changed:
        changed = False
        for key in order:
            now = found[key].union(*(transfer(one, found[one]) for one in sources.get(key, ())))
            changed |= now != found[key]
            found[key] = now
    return found
