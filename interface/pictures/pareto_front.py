"""Peak against traffic as SVG: a panel for the head and for each part, the strategies marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from snapset import atomic_file
from snapset.analysis.results import Frontier, HeadResult
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.plot import PlotArea, document, label
from snapset.pictures.svg import drawn

WIDTH, HEIGHT = 620, 300
LEFT, RIGHT, TOP, FOOT = 110, 150, 40, 50
LINE = "#0072b2"
COLOURS = {"lazy": "#d55e00", "eager": "#009e73", "optimal": "#cc79a7"}


def check(path: str) -> None:
    """Raises InputError, before anything runs, for a picture that could not be written."""
    if Path(path).suffix.lower() != ".svg":
        raise InputError(f"--pareto-picture {path}: pictures are drawn as SVG; give a name that ends in .svg")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"--pareto-picture {path}: there is no directory {Path(path).parent}")


def save(path: str, results: Sequence[HeadResult]) -> None:
    """Write the whole picture or nothing. Raises OSError where it cannot be written."""
    atomic_file.save(Path(path), draw(results), "picture")


def draw(results: Sequence[HeadResult]) -> str:
    """One SVG document: every frontier of every head, one under the other."""
    y, body = 8, []
    for result in results:
        for frontier in result.frontiers:
            title = frontier.title or result.head
            body += [f'<g transform="translate(0,{y})">', *_panel(frontier, title), "</g>"]
            y += TOP + HEIGHT + FOOT
    return document(WIDTH, max(y, 40), body)


def _panel(frontier: Frontier, title: str) -> Iterator[str]:
    shown = [(p.peak, p.traffic) for p in frontier.points] + list(frontier.marks.values())
    most_x, most_y = (max((point[i] for point in shown), default=1) or 1 for i in (0, 1))
    right = WIDTH - RIGHT
    area = PlotArea(LEFT, right, TOP, TOP + HEIGHT, most_x, most_y)
    x, y = area.x, area.y
    compared = "" if frontier.exact else " (of what was compared)"
    yield label(LEFT, 22, f"{title}: peak against traffic{compared}", "start")
    yield from area.axes("peak, bytes", "traffic, bytes", 20, 4)
    steps = _stairs([(x(p.peak), y(p.traffic)) for p in frontier.points])
    yield f'<path d="{steps}" fill="none" stroke="{LINE}" stroke-width="1.5"/>'
    for point in frontier.points:
        yield f'<circle cx="{x(point.peak):.1f}" cy="{y(point.traffic):.1f}" r="3.5" fill="{LINE}"/>'
    for row, (name, (peak, traffic)) in enumerate(frontier.marks.items()):
        colour, at = COLOURS.get(name, "#666"), TOP + 18 * row
        yield (f'<circle class="{drawn(name)}" cx="{x(peak):.1f}" cy="{y(traffic):.1f}" r="{6 + 3 * row}" '
               f'fill="none" stroke="{colour}" stroke-width="2"/>')
        yield f'<circle cx="{right + 20}" cy="{at}" r="5" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield label(right + 32, at + 4, name, "start")


def _stairs(points: Sequence[tuple[float, float]]) -> str:
    """More peak, then less traffic."""
    path = ""
    for x, y in points:
        path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
    return path
