"""Graphs of regions as SVG, laid out without Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from snapset.pictures.dag_scene import FILLS, LEGEND, Arrow, Panel, Vertex, panels
from snapset.pictures.layered_layout import GraphLayout, Point, layered
from snapset.pictures.svg import drawn

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions

MOST = 250  # vertices of a graph that can still be looked at
MARGIN, TITLE, LETTER, TALL = 24.0, 26.0, 6.6, 24.0
CUT = "#c0392b"


def draw(results: Sequence[HeadRegions]) -> str:
    """One document: every region of every head, one graph under the other."""
    y, width, body = 12.0, 960.0, []
    for result in results:
        body.append(_text(MARGIN, y + 14, f"Store or recompute in {result.head}", size=16, weight="bold"))
        body += _legend(MARGIN, y + 38)
        y += 62
        for title, found in panels(result):
            body.append(_text(MARGIN, y + 14, title, size=14, weight="bold"))
            y += TITLE
            for panel in found:
                drawn = _Drawn(panel, y)
                body += [*drawn.lines()]
                y += drawn.height
                width = max(width, drawn.width)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{y:.0f}" '
            f'viewBox="0 0 {width:.0f} {y:.0f}" font-family="sans-serif" font-size="11">')
    arrow = ('<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
             'orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>')
    return "\n".join([head, arrow, f'<rect width="{width:.0f}" height="{y:.0f}" fill="white"/>', *body, "</svg>\n"])


class _Drawn:
    """One graph with its top at ``y``."""

    def __init__(self, panel: Panel, y: float) -> None:
        self.panel = panel
        self.y = y
        self.layout: GraphLayout | None = None
        self.width, self.height = 0.0, 2 * TITLE
        if len(panel.vertices) <= MOST:
            wide = {v.name: LETTER * len(v.label) + 18 for v in panel.vertices}
            self.layout = layered(wide, [arrow.edge for arrow in panel.arrows])
            self.width = self.layout.width + 2 * MARGIN
            self.height = self.layout.height + TALL + 2 * TITLE

    def lines(self) -> Iterator[str]:
        layout = self.layout
        many = "" if layout else f" ({len(self.panel.vertices):,} vertices: too many to draw; Graphviz text holds them)"
        yield _text(MARGIN, self.y + 12, self.panel.title + many, colour="#555")
        if layout is None:
            return
        yield f'<g transform="translate({MARGIN:g},{self.y + TITLE + TALL / 2:.1f})">'
        for arrow in self.panel.arrows:
            yield from self.arrow(arrow, layout.routes[arrow.edge])
        for vertex in self.panel.vertices:
            yield from _vertex(vertex, layout.centres[vertex.name])
        yield "</g>"

    def arrow(self, arrow: Arrow, route: Sequence[Point]) -> Iterator[str]:
        end = "" if self.panel.bipartite else ' marker-end="url(#arrow)"'
        for number, colour in enumerate(arrow.colours or ("#777",)):
            aside = 3.0 * number
            points = [(x + aside, y) for x, y in route]
            points[0] = points[0][0], points[0][1] + TALL / 2
            points[-1] = points[-1][0], points[-1][1] - TALL / 2
            wide = 2 if arrow.colours else 1
            yield f'<path d="{curve(points)}" fill="none" stroke="{colour}" stroke-width="{wide}"{end}/>'


def curve(points: Sequence[Point]) -> str:
    """A path through the points, leaving and reaching each one vertically."""
    (x, y), *rest = points
    path = f"M{x:.1f} {y:.1f}"
    for to_x, to_y in rest:
        middle = (y + to_y) / 2
        path += f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"
        x, y = to_x, to_y
    return path


def _vertex(vertex: Vertex, at: Point) -> Iterator[str]:
    """Values are ellipses, partials rounded, places boxes; the cut is red, what is required has a double border."""
    x, y = at
    border = f'stroke="{CUT}" stroke-width="3"' if vertex.cut else 'stroke="#555"'
    style = f'fill="{FILLS[vertex.state]}" {border}'
    half = (LETTER * len(vertex.label) + 18) / 2
    rings = [(half, TALL / 2, style)]
    if vertex.required:
        rings.append((half - 3, TALL / 2 - 3, f'fill="none" {border.replace("3", "1") if vertex.cut else border}'))
    for wide, tall, look in rings:
        if vertex.shape == "value":
            yield f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide:.1f}" ry="{tall:.1f}" {look}/>'
        else:
            round_ = 8 if vertex.shape == "partial" else 0
            yield (f'<rect x="{x - wide:.1f}" y="{y - tall:.1f}" width="{2 * wide:.1f}" height="{2 * tall:.1f}" '
                   f'rx="{round_}" {look}/>')
    name = drawn(f"{vertex.name}: {vertex.state}")
    yield (f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle"><title>{name}</title>'
           f"{drawn(vertex.label)}</text>")


def _legend(x: float, y: float) -> Iterator[str]:
    for state, label in LEGEND:
        yield f'<rect x="{x:.0f}" y="{y - 9:.0f}" width="14" height="11" fill="{FILLS[state]}" stroke="#555"/>'
        yield _text(x + 19, y, label)
        x += 40 + LETTER * len(label)
    yield f'<rect x="{x:.0f}" y="{y - 9:.0f}" width="14" height="11" fill="white" stroke="{CUT}" stroke-width="3"/>'
    yield _text(x + 19, y, "the cut; double border: required")


def _text(x: float, y: float, text: str, *, size: int = 12, weight: str = "normal", colour: str = "black") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}">'
            f"{drawn(text)}</text>")
