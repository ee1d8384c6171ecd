"""A flow graph that another tool made, with checkpointed parts: no Fortran, only sets of names.

    u = u*w        Node(use={"u", "w"}, out={"u"}, kill={"u"}, partials={"u": {"w"}, "w": {"u"}})

Parts are sets of nodes with one node that they are entered by and one that follows them; they may be nested. They are
levels here: the body is level "", and a part is one node of the level around it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from networkx import DiGraph

Key: TypeAlias = Hashable
Names: TypeAlias = frozenset[str]
BODY = ""
NONE: Names = frozenset()


@frozen
class OwnNode:
    """A statement. ``use``: what it may read; ``out``: may write; ``kill``: certainly writes whole. ``partials``: by
    operand that it is differentiated by, the locations that this partial derivative reads (none: it is a constant).
    ``runs``: how often it is executed.

    Raises TypeError for a plain text in place of a set, ValueError where ``kill`` is not in ``out``, or the operand of
    a partial derivative not in ``use``.
    """

    use: Names = NONE
    out: Names = NONE
    kill: Names = NONE
    partials: Mapping[str, Names] = field(default_factory=dict)
    runs: int = 1

    def __post_init__(self) -> None:
        collections("OwnNode", use=self.use, out=self.out, kill=self.kill, partials=self.partials)
        for operand, read in self.partials.items():
            collections("OwnNode", **{f"partials[{operand!r}]": read})
        put = object.__setattr__
        for name in ("use", "out", "kill"):
            put(self, name, frozenset(getattr(self, name)))
        put(self, "partials", {operand: frozenset(read) for operand, read in self.partials.items()})
        if stray := sorted(self.kill - self.out):
            raise ValueError(f"kill holds {', '.join(stray)}, which is not in out")
        if stray := sorted(self.partials.keys() - self.use):
            raise ValueError(f"partials has {', '.join(stray)}, which is not in use")
        if self.runs < 0:
            raise ValueError("runs is never negative")


@frozen
class PartNode:
    """What stands for a part in the level around it."""

    part: str


@frozen
class GraphLevel:
    """The body, or a part's inside. ``order``: its own nodes and the parts directly in it, from the entry on.
    ``own``: all its nodes, those of inner parts included. ``inner``: the parts directly in it."""

    name: str
    order: tuple[Key, ...]
    succs: Mapping[Key, tuple[Key, ...]]
    own: frozenset[Key]
    inner: frozenset[str]


@dataclass(frozen=True)
class OwnGraph:
    """``edges``: from node to node. ``entry``: where it begins. ``parts``: by name the nodes of each checkpointed part.
    ``size``: bytes of a location, for the figures. ``intact``: by part, what it reads and overwrites, and yet a second
    run right after the first would find as the first one did: ``do i = 2, n; g(i) = f(g(i-1))`` reads g(1) alone of the
    old values. Sets of names cannot tell; the tool answers for it.

    Raises ValueError for an edge or a part that names no node, a node that cannot be reached, parts that overlap, a
    part that is entered by, or followed by, more than one node, ``intact`` of no part, and a negative size.
    """

    nodes: Mapping[Key, OwnNode]
    edges: Iterable[tuple[Key, Key]]
    entry: Key
    parts: Mapping[str, Iterable[Key]] = field(default_factory=dict)
    size: Mapping[str, int] = field(default_factory=dict)
    intact: Mapping[str, Iterable[str]] = field(default_factory=dict)
    levels: Mapping[str, GraphLevel] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        collections("OwnGraph", nodes=self.nodes, edges=self.edges, parts=self.parts, size=self.size,
                    intact=self.intact)
        for name, unharmed in self.intact.items():
            collections("OwnGraph", **{f"intact[{name!r}]": unharmed})
            if name not in self.parts:
                raise ValueError(f"intact: there is no part {name}")
        for name, size in self.size.items():
            if size < 0:
                raise ValueError(f"size: {name} has {size} bytes")
        put = object.__setattr__
        put(self, "edges", tuple(dict.fromkeys((one, other) for one, other in self.edges)))
        put(self, "parts", {name: frozenset(inside) for name, inside in self.parts.items()})
        put(self, "intact", {name: frozenset(unharmed) for name, unharmed in self.intact.items()})
        known = self.nodes.keys()
        for key in (self.entry, *(key for edge in self.edges for key in edge)):
            if key not in known:
                raise ValueError(f"there is no node {key!r}")
        put(self, "levels", _levels(self))

    @classmethod
    def of(cls, graph: DiGraph, entry: Key, size: Mapping[str, int] | None = None,
           intact: Mapping[str, Iterable[str]] | None = None) -> OwnGraph:
        """From a networkx graph whose nodes have ``use``, ``out``, ``kill``, ``partials``, ``runs`` as attributes, all
        of which may be left out, and ``part``: the name of the innermost part it is in, or names, outermost first."""
        given = ("use", "out", "kill", "partials", "runs")
        nodes, parts = {}, dict[str, set[Key]]()
        for key, attributes in graph.nodes(data=True):
            values: dict[str, Any] = {name: attributes[name] for name in given if name in attributes}
            nodes[key] = OwnNode(**values)
            around = attributes.get("part", ())
            for name in (around,) if isinstance(around, str) else around:
                parts.setdefault(name, set()).add(key)
        return cls(nodes, tuple(graph.edges()), entry, parts, size or {}, intact or {})


def _levels(graph: OwnGraph) -> Mapping[str, GraphLevel]:
    """The body and all parts, outer before inner."""
    every = frozenset(graph.nodes)
    parts = {BODY: every, **{name: frozenset(inside) for name, inside in graph.parts.items()}}
    if len(parts) == len(graph.parts):
        raise ValueError("a part needs a name")
    for name, inside in graph.parts.items():
        if stray := [key for key in inside if key not in every]:
            raise ValueError(f"part {name} has {stray[0]!r}, which is no node")
        if not inside:
            raise ValueError(f"part {name} has no node")
    around = {name: _around(name, parts) for name in graph.parts}
    found = {}
    for name in sorted(parts, key=lambda one: -len(parts[one])):
        inner = frozenset(one for one, outer in around.items() if outer == name)
        found[name] = _level(graph, name, parts, inner)
    return found


def _around(name: str, parts: Mapping[str, Names | frozenset[Key]]) -> str:
    """The part around a part."""
    mine = parts[name]
    for other, theirs in parts.items():
        if other in (name, BODY):
            continue
        if mine == theirs:
            raise ValueError(f"parts {name} and {other} hold the same nodes: one must be inside the other")
        if mine & theirs and not (mine < theirs or theirs < mine):
            raise ValueError(f"parts {name} and {other} overlap: one must be inside the other")
    return min((other for other, theirs in parts.items() if other == BODY or mine < theirs),
               key=lambda one: (len(parts[one]), one == BODY))


def _level(graph: OwnGraph, name: str, parts: Mapping[str, frozenset[Key]], inner: frozenset[str]) -> GraphLevel:
    own = parts[name]
    stands: dict[Key, Key] = {key: key for key in own} | {key: PartNode(one) for one in inner for key in parts[one]}
    succs: dict[Key, dict[Key, None]] = {stands[key]: {} for key in own}
    entered = {one: {other for _, other in _crossing(graph, parts[one], False)} for one in (*inner, name)}
    left = {one: {other for _, other in _crossing(graph, parts[one], True)} for one in inner}
    for one in inner:
        if len(entered[one]) > 1 or len(left[one]) > 1:
            what = "entered by" if len(entered[one]) > 1 else "followed by"
            raise ValueError(f"part {one} is {what} more than one node")
    for source, target in graph.edges:
        if source in own and target in own and stands[source] != stands[target]:
            succs[stands[source]][stands[target]] = None
        elif source in own and target in own and source == stands[source]:
            succs[source][target] = None
    start = graph.entry if graph.entry in own else next(iter(entered[name]), None)
    order = _postorder({key: tuple(after) for key, after in succs.items()}, stands.get(start))[::-1]
    if missing := [key for key in succs if key not in set(order)]:
        raise ValueError(f"{missing[0]!r} cannot be reached from {start!r}")
    return GraphLevel(name, tuple(order), {key: tuple(after) for key, after in succs.items()}, own, inner)


def _crossing(graph: OwnGraph, inside: frozenset[Key], leaving: bool) -> list[tuple[Key, Key]]:
    """The edges into a set of nodes, or out of it."""
    return [(one, other) for one, other in graph.edges
            if (one in inside and other not in inside if leaving else one not in inside and other in inside)]


def _postorder(succs: Mapping[Key, tuple[Key, ...]], start: Key) -> list[Key]:
    found: list[Key] = []
    seen, stack = {start}, [(start, iter(succs.get(start, ())))]
    while stack:
        key, rest = stack[-1]
        step = next((one for one in rest if one not in seen), None)
        if step is None:
            stack.pop()
            found.append(key)
        else:
            seen.add(step)
            stack.append((step, iter(succs[step])))
    return found
