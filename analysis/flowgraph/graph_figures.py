"""What the stack of an adjoint of a tool's own flow graph holds: bytes that are ever pushed, and its highest point.

In straight-line code both are exact. In loops only the number of runs is known, not their order: of what stands in one
loop with a part, all runs but those that certainly follow the part's last one are taken to come before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.analysis.equations import NamedSolution
from snapset.analysis.flowgraph.own_graph import BODY, GraphLevel, Key, Names, OwnGraph, PartNode
from snapset.frontend.base.frozen_records import frozen


@frozen
class GraphFigures:
    """Bytes; None where a size is not given."""

    traffic: int | None
    peak: int | None


def bytes_of(graph: OwnGraph, names: Iterable[str]) -> int | None:
    """The bytes of locations, each once."""
    sizes = [graph.size.get(name) for name in names]
    return None if None in sizes else sum(one for one in sizes if one is not None)


def figures(graph: OwnGraph, taped: Mapping[Key, Names], solutions: Mapping[str, NamedSolution]) -> GraphFigures:
    """All pushes, tapes as often as their node runs, snapshots as often as their part begins; the highest point."""
    pushed = frozenset[str]().union(*taped.values(), *(one.snp | one.sbk for one in solutions.values()))
    if bytes_of(graph, pushed) is None:
        return GraphFigures(None, None)
    stack = _Stack(graph, taped, solutions)
    return GraphFigures(stack.traffic(), stack.peak(graph.levels[BODY]))


class _Stack:
    def __init__(self, graph: OwnGraph, taped: Mapping[Key, Names], solutions: Mapping[str, NamedSolution]) -> None:
        self.graph = graph
        self.taped = taped
        self.solutions = solutions

    def traffic(self) -> int:
        return sum(self.bytes(names)*self.graph.nodes[key].runs for key, names in self.taped.items()) + sum(
            self.bytes(one.snp | one.sbk)*self.runs(PartNode(name)) for name, one in self.solutions.items())

    def bytes(self, names: Names) -> int:
        return sum(self.graph.size[name] for name in names)

    def runs(self, key: Key) -> int:
        """How often a level's node is executed in all; a part as often as the node that it begins with."""
        while isinstance(key, PartNode):
            key = self.graph.levels[key.part].order[0]
        return self.graph.nodes[key].runs

    def once(self, key: Key) -> int:
        """What one run of a level's node pushes: its tape, or a part's snapshot."""
        if isinstance(key, PartNode):
            found = self.solutions[key.part]
            return self.bytes(found.snp | found.sbk)
        return self.bytes(self.taped.get(key, frozenset()))

    def peak(self, level: GraphLevel) -> int:
        """The highest point within one run of a level's sweeps, over the height that they begin with.

        The forward sweep ends with all its pushes. Where the adjoint of a part begins, what precedes the part is there,
        its Snp has been popped, and its second run and backward sweep come on top.
        """
        entered = 1 if level.name == BODY else max(self.runs(PartNode(level.name)), 1)
        times = {key: -(-self.runs(key)//entered) for key in level.order}
        pushes = {key: self.once(key) for key in level.order}
        heights = [sum(pushes[key]*times[key] for key in level.order)]
        for name in level.inner:
            part = PartNode(name)
            if times[part]:
                behind = _reached(level.succs, level.succs[part])
                before = _reached(_turned(level.succs), (part,))
                there = sum(pushes[key]*(times[key] - self._follows(level, key, part, key in behind)) for key in before)
                snapshot = self.bytes(self.solutions[name].sbk) - pushes[part]
                heights.append(there + snapshot + self.peak(self.graph.levels[name]))
        return max(heights)

    def _follows(self, level: GraphLevel, key: Key, part: Key, behind: bool) -> int:
        """1 if a node in one loop with a part certainly runs once more behind the part's last run: every way from the
        part to the level's end leads through it."""
        if not behind or key == part:
            return 0
        without = {one: tuple(other for other in after if other != key) for one, after in level.succs.items()}
        ends = {one for one in level.order if not level.succs[one]} or self._leaving(level)
        return 0 if _reached(without, (part,)) & ends else 1

    def _leaving(self, level: GraphLevel) -> set[Key]:
        """The nodes of a part that it is left from."""
        inside = {key for key in level.order if not isinstance(key, PartNode)}
        found: set[Key] = {one for one, other in self.graph.edges if one in inside and other not in level.own}
        for name in level.inner:
            own = self.graph.levels[name].own
            if any(one in own and other not in level.own for one, other in self.graph.edges):
                found.add(PartNode(name))
        return found


def _turned(succs: Mapping[Key, tuple[Key, ...]]) -> dict[Key, tuple[Key, ...]]:
    found: dict[Key, list[Key]] = {key: [] for key in succs}
    for one, after in succs.items():
        for other in after:
            found[other].append(one)
    return {key: tuple(before) for key, before in found.items()}


def _reached(succs: Mapping[Key, tuple[Key, ...]], starts: Iterable[Key]) -> set[Key]:
    found, waiting = set(starts), list(starts)
    while waiting:
        for one in succs[waiting.pop()]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
