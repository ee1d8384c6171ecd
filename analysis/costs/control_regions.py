"""The control flow of one level as sequences, branches and loops, for cost recursions: any flow graph."""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.dataflow.bitsets import members, union
from snapset.analysis.dataflow.solver import make_graph
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph, Loop
from snapset.frontend.interprocedural.strongly_connected import components


@frozen
class Repeat:
    """What runs repeatedly: a loop (``loop``), or a cycle of jumps (None, first met at ``line``). ``around``: its
    nodes, with those outside of the body that go with it."""

    loop: Loop | None
    line: int
    body: ControlRegion
    around: frozenset[int]


@frozen(eq=False)
class ControlRegion:
    """An acyclic graph. ``order`` is topological; each member is a node, or stands for a ``repeats`` entry.

    ``succs`` are inside the region; ``entries``: where control comes in. ``inside``: all nodes, those of loops too.
    """

    order: tuple[int, ...]
    succs: Mapping[int, tuple[int, ...]]
    entries: tuple[int, ...]
    repeats: Mapping[int, Repeat]
    inside: frozenset[int]

    @deep
    def names_lines(self) -> bool:
        """Is there a cycle of jumps, whose trip count has its line's number for a name?"""
        return any(one.loop is None or one.body.names_lines() for one in self.repeats.values())


def structure(flow: FlowGraph, nodes: frozenset[int], succs: Mapping[int, tuple[int, ...]],
              entry: int) -> ControlRegion:
    """The structure of a level: its nodes, their successors inside it, and its first node."""
    return _Builder(flow, succs, nodes).region(nodes, (entry,), frozenset())


class _Builder:
    def __init__(self, flow: FlowGraph, succs: Mapping[int, tuple[int, ...]], nodes: frozenset[int]) -> None:
        self.flow = flow
        self.succs = succs
        self.around: dict[int, int] = {}  # the loops that a node is in: a bit set of their places in the flow graph
        for place, loop in enumerate(flow.loops):
            for node in loop.body & nodes:
                self.around[node] = self.around.get(node, 0) | 1 << place

    def loops(self, nodes: frozenset[int]) -> list[Loop]:
        """The loops that some of these nodes are in, outer ones first: of a thousand loops few, so not all are looked
        through for each region."""
        return [self.flow.loops[place] for place in members(union(self.around.get(n, 0) for n in nodes))]

    @deep
    def region(self, nodes: frozenset[int], entries: tuple[int, ...], done: frozenset[int]) -> ControlRegion:
        """``done``: the loops that surround the region."""
        owner: dict[int, int] = {}
        repeats: dict[int, Repeat] = {}
        for loop in self.loops(nodes):
            if loop.index in done or any(map(owner.__contains__, loop.body)):
                continue  # around, or inside a loop that was found
            around = self.whole(loop, nodes)
            if not around or around & owner.keys():
                continue
            first = min(around)
            body = loop.body & nodes
            entered = {n for p in around - body for n in self.succs.get(p, ())} | set(entries)
            inner = tuple(n for n in body if n in entered) or (min(body),)
            repeats[first] = Repeat(loop, loop.stmt.span.line, self.region(body, inner, done | {loop.index}),
                                    frozenset(around))
            owner.update(dict.fromkeys(around, first))
        self.cycles(nodes, owner, repeats, done)
        graph = {n: self.collapsed(n, nodes, owner) for n in nodes if owner.get(n, n) == n}
        for node, target in owner.items():
            if more := self.collapsed(node, nodes, owner):
                graph[target] = tuple(dict.fromkeys((*graph[target], *more)))
        starts = tuple(dict.fromkeys(owner.get(e, e) for e in entries))
        order = make_graph(-1, {-1: starts, **graph}).order[1:]
        return ControlRegion(order, {n: graph[n] for n in order}, starts, repeats, nodes)

    def whole(self, loop: Loop, nodes: frozenset[int]) -> set[int]:
        """A loop's body with what each iteration passes outside of it; empty where it is not in the region."""
        body = loop.body & nodes
        if not body or (loop.init >= 0 and loop.init not in nodes):
            return set()
        around = {t for n in body for t in self.succs.get(n, ())
                  if t in nodes and t not in body and t != loop.end
                  and any(u in body for u in self.succs.get(t, ()))}
        if loop.init < 0 and not around and loop.test not in nodes:
            return set()
        return set(body) | around | ({loop.test} & nodes)

    def collapsed(self, node: int, nodes: frozenset[int], owner: Mapping[int, int]) -> tuple[int, ...]:
        own, found = owner.get(node, node), dict[int, None]()
        for t in self.succs.get(node, ()):
            if t in nodes and (to := owner.get(t, t)) != own:
                found[to] = None
        return tuple(found)

    def cycles(self, nodes: frozenset[int], owner: dict[int, int], repeats: dict[int, Repeat],
               done: frozenset[int]) -> None:
        """Collapse what still is a cycle: jumps backwards."""
        graph: dict[int, list[int]] = {owner.get(node, node): [] for node in nodes}
        for node in nodes:
            if found := self.collapsed(node, nodes, owner):
                graph[owner.get(node, node)].extend(found)
        for component in components(graph):
            single = len(component) == 1
            looping = single and any(n in self.succs.get(n, ()) for n in component if n not in repeats)
            if single and not looping:
                continue
            collapsed = frozenset(component)
            members = frozenset(n for n in nodes if owner.get(n, n) in collapsed)
            first = min(members)
            entered = {n for p in nodes - members for n in self.succs.get(p, ())}
            header = min(members & entered, default=first)
            cut = {n: behind if header not in (behind := self.succs.get(n, ())) else tuple(
                t for t in behind if t != header) for n in members}
            inner = _Builder(self.flow, cut, members)
            body = inner.region(members, (header,), done)
            for gone in [n for n in repeats if n in members]:
                del repeats[gone]
            repeats[first] = Repeat(None, self.flow.nodes[header].span.line, body, members)
            owner.update(dict.fromkeys(members, first))
