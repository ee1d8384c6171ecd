"""Graphs of regions as Graphviz text: for each region a digraph with a cluster for each G*, and a graph for G_b."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from snapset.frontend.base.visible_text import visible_line
from snapset.pictures.dag_scene import FILLS, Panel, Vertex, panels

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions

SHAPES = {"value": "ellipse", "partial": "box", "place": "box"}


def write(results: Sequence[HeadRegions]) -> str:
    """Several graphs one after another: ``dot`` reads them all."""
    return "".join(f"{line}\n" for result in results for line in _head(result))


def _head(result: HeadRegions) -> Iterator[str]:
    yield f"// {result.head}"
    for title, found in panels(result):
        yield f"digraph {quoted(title)} {{"
        yield f"  label={quoted(title)}; labelloc=t; fontname=sans; node [fontname=sans, style=filled];"
        for number, panel in enumerate(found):
            yield f"  subgraph cluster_{number} {{"
            yield f"    label={quoted(panel.title)};"
            yield from (f"    {line}" for line in _panel(panel, number))
            yield "  }"
        yield "}"


def _panel(panel: Panel, number: int) -> Iterator[str]:
    for vertex in panel.vertices:
        yield f"{_id(number, vertex.name)} [label={quoted(vertex.label)}, {_style(vertex)}];"
    for arrow in panel.arrows:
        a, b = arrow.edge
        colour = f', color="{":".join(arrow.colours)}"' if arrow.colours else ""
        head = "arrowhead=none" if panel.bipartite else "arrowhead=normal"
        yield f"{_id(number, a)} -> {_id(number, b)} [{head}{colour}];"
    if panel.bipartite:
        places = "; ".join(_id(number, v.name) for v in panel.vertices if v.shape == "place")
        yield f"{{ rank=same; {places}; }}"


def _id(number: int, name: str) -> str:
    """The same value stands in several clusters."""
    return quoted(f"{number}: {name}")


def _style(vertex: Vertex) -> str:
    """A cut's vertices have a thick red border, required ones a double one."""
    border = 'color="#c0392b", penwidth=3' if vertex.cut else "color=black"
    rounded = ', style="filled,rounded"' if vertex.shape == "partial" else ""
    double = ", peripheries=2" if vertex.required else ""
    return f'shape={SHAPES[vertex.shape]}, fillcolor="{FILLS[vertex.state]}", {border}{rounded}{double}'


def quoted(text: str) -> str:
    """A Graphviz string."""
    escaped = visible_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
