"""What a picture of a region shows: G* of each graph with its cut, and G_b with its bicliques. For SVG and Graphviz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from snapset.analysis.dag.problem.graphs import Edge, Graph, Prepared, Reduced, prepare
from snapset.frontend.base.frozen_records import frozen
from snapset.pictures.vertex_labels import labels

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.level_problem import Section
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions, SolvedLevel

State = Literal["stored", "restored", "intact", "recomputed", "unneeded", "place", "chosen place"]
Shape = Literal["value", "partial", "place"]

FILLS: dict[State, str] = {
    "stored": "#f5b041",
    "restored": "#a9dfbf",
    "intact": "#e8f8f0",
    "recomputed": "#d6eaf8",
    "unneeded": "#f2f2f2",
    "place": "#ffffff",
    "chosen place": "#a9dfbf",
}
LEGEND: tuple[tuple[State, str], ...] = (
    ("stored", "stored itself (U)"),
    ("restored", "restored by S"),
    ("intact", "never overwritten"),
    ("recomputed", "recomputed"),
    ("unneeded", "not computed again"),
)
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8b4513")


@frozen
class Vertex:
    """A vertex of G*_i as it is drawn. ``cut``: it is in C_i. ``required``: it is in R_i. ``called``: what it is called
    by, if not its name."""

    name: str
    shape: Shape
    state: State
    cut: bool = False
    required: bool = False
    called: str = ""

    @property
    def label(self) -> str:
        return self.name[1:-1] if self.shape == "place" else self.called or self.name


@frozen
class Arrow:
    """An edge as it is drawn. ``colours``: of the bicliques that an edge of G_b is in; none elsewhere."""

    edge: Edge
    colours: tuple[str, ...] = ()


@frozen
class Panel:
    """One graph. ``bipartite``: G_b."""

    title: str
    vertices: tuple[Vertex, ...]
    arrows: tuple[Arrow, ...]
    bipartite: bool = False


def panels(result: HeadRegions) -> list[tuple[str, list[Panel]]]:
    """(title, panels) of each region that requires something. Graphs without an operation are not drawn, unless what
    they require is stored."""
    found = []
    for region in result.regions:
        if region.level.sections:
            figure = region.answer.choice.cost
            cost = f"{figure:,} {result.unit if figure != 1 else result.unit.removesuffix('s')}"
            drawn, trivial = _region(region)
            more = "" if not trivial else f"; {trivial} graph{'s' * (trivial > 1)} without an operation not drawn"
            found.append((f"{region.id} ({region.first.file}): {cost}{more}", drawn))
    return found


def _region(region: SolvedLevel) -> tuple[list[Panel], int]:
    """The graphs that are drawn, and the number of others."""
    ready, choice = prepare(region.level.problem), region.answer.choice
    restored = ready.restored(choice.S)
    drawn, trivial = list[Panel](), 0
    sections = {one.name: one for one in region.level.flattened}
    called: dict[str, str] = {}
    for graph, section, needed in by_line(region, ready):
        here = labels(graph.vertices, sections.get(graph.name))
        called |= here
        if not graph.edges and not graph.required & choice.U:
            trivial += 1
            continue
        cut, again = choice.cuts[graph.name], choice.recomputed[graph.name]
        vertices = []
        for v in sorted(graph.vertices, key=_in(needed.order)):
            state: State = "unneeded"
            if v in choice.U:
                state = "stored"
            elif v in restored and v in needed.arguments:
                state = "restored" if ready.overwrites[v] else "intact"
            elif v in again:
                state = "recomputed"
            vertices.append(Vertex(v, "partial" if v.startswith("∂") else "value", state, v in cut,
                                   v in graph.required, here[v]))
        last = f"-{section.last.end_line}" if section.last.end_line != section.first.line else ""
        title = f"{graph.name}: G* of line{'s' if last else ''} {section.first.line}{last}"
        drawn.append(Panel(title, tuple(vertices), tuple(map(Arrow, graph.edges))))
    places = sorted(ready.places)
    if places:
        drawn.append(_bipartite(region, ready.overwrites, places, called))
    return drawn, trivial


def _bipartite(region: SolvedLevel, overwrites: Mapping[str, frozenset[str]], places: list[str],
               called: Mapping[str, str]) -> Panel:
    choice, cover = region.answer.choice, region.answer.cover
    often = Counter(called.values())
    once = {v: mine for v, mine in called.items() if often[mine] == 1}  # the values of all graphs side by side
    restored = {v for v, own in overwrites.items() if own <= choice.S}
    vertices = [Vertex(v, "value", "stored" if v in choice.U else "restored" if v in restored else "unneeded",
                       called=once.get(v, v))
                for v, own in overwrites.items() if own]
    vertices += [Vertex(_place(o), "place", "chosen place" if o in choice.S else "place") for o in places]
    arrows = []
    for v, own in overwrites.items():
        for o in sorted(own):
            colours = tuple(COLOURS[number % len(COLOURS)] for number, b in enumerate(cover.bicliques)
                            if v in b.vertices and o in b.places)
            arrows.append(Arrow((v, _place(o)), colours))
    many = "1 biclique" if len(cover.bicliques) == 1 else f"{len(cover.bicliques)} bicliques"
    kind = "a minimal cover" if cover.exact else "a greedy cover"
    return Panel(f"G_b: values and the places that overwrite them; {many} ({kind}), one colour each",
                 tuple(vertices), tuple(arrows), True)


def _place(name: str) -> str:
    """Apart from vertices of the same name."""
    return f"[{name}]"


def by_line(region: SolvedLevel, ready: Prepared) -> list[tuple[Graph, Section, Reduced]]:
    """Each graph with its section and what of it precedes R, as the source has them."""
    level = region.level
    every = zip(level.problem.graphs, level.sections, ready.graphs, strict=True)
    return sorted(every, key=lambda one: (one[1].first, one[1].name))


def _in(order: tuple[str, ...]) -> Callable[[str], tuple[int, str]]:
    at = {v: n for n, v in enumerate(order)}
    return lambda v: (at.get(v, len(at)), v)
