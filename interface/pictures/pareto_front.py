"""Peak against traffic as SVG, logarithmic: a panel for the head and for each part, the strategies marked by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from snapset import atomic_file
from snapset.analysis.results import Frontier, HeadResult
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.plot import LogPlotArea, document, label, round_range
from snapset.pictures.svg import drawn

WIDTH, HEIGHT = 620, 300
LEFT, RIGHT, TOP, FOOT = 110, 150, 40, 50
MOST_LABELS = 40
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
    return drawn_panels([(frontier.title or result.head, frontier) for result in results
                         for frontier in result.frontiers])


def drawn_frontiers(head: str, frontiers: Sequence[Frontier]) -> str:
    """The same of one head."""
    return drawn_panels([(frontier.title or head, frontier) for frontier in frontiers])


def drawn_panels(panels: Sequence[tuple[str, Frontier]]) -> str:
    """A document of panels with these titles."""
    y, body = 8, []
    for title, frontier in panels:
        body += [f'<g transform="translate(0,{y})">', *_panel(frontier, title), "</g>"]
        y += TOP + HEIGHT + FOOT
    return document(WIDTH, max(y, 40), body)


def _panel(frontier: Frontier, title: str) -> Iterator[str]:
    shown = [(p.peak, p.traffic) for p in frontier.points] + list(frontier.marks.values())
    (least_x, most_x), (least_y, most_y) = (round_range(point[i] for point in shown) for i in (0, 1))
    area = LogPlotArea(LEFT, WIDTH - RIGHT, TOP, TOP + HEIGHT, most_x, most_y, least_x, least_y)
    x, y = area.x, area.y
    compared = "" if frontier.exact or not frontier.points else " (of what was compared)"
    yield label(LEFT, 22, f"{title}: peak against traffic{compared}", "start")
    yield from area.axes("peak, bytes", "traffic, bytes", 20, 4)
    steps = _stairs([(x(p.peak), y(p.traffic)) for p in frontier.points])
    if steps:
        yield f'<path d="{steps}" fill="none" stroke="{LINE}" stroke-width="1.5"/>'
    names: dict[tuple[int, int], list[str]] = {(p.peak, p.traffic): [] for p in frontier.points}
    for point in frontier.points:
        otherwise = drawn(", ".join(point.saved) or "as lazy")
        yield (f'<circle cx="{x(point.peak):.1f}" cy="{y(point.traffic):.1f}" r="3.5" fill="{LINE}">'
               f"<title>{otherwise}</title></circle>")
    for row, (name, (peak, traffic)) in enumerate(frontier.marks.items()):
        names.setdefault((peak, traffic), []).append(name)
        yield (f'<circle class="{drawn(name)}" cx="{x(peak):.1f}" cy="{y(traffic):.1f}" r="{6 + 3 * row}" '
               f'fill="none" stroke="{COLOURS.get(name, "#666")}" stroke-width="2"/>')
    saved = {(p.peak, p.traffic): p.saved for p in frontier.points}
    texts = [(x(at[0]), y(at[1]), _text(at, held, saved.get(at, ()))) for at, held in names.items()]
    yield from _labels(texts, area)


def _text(at: tuple[int, int], names: Sequence[str], saved: Sequence[str]) -> str:
    """``lazy, optimal: 9,600 / 8,800``"""
    more = f", +{len(saved) - 1}" if len(saved) > 1 else ""
    name = ", ".join(names) or (saved[0] + more if saved else "")
    return (f"{name}: " if name else "") + f"{at[0]:,} / {at[1]:,}"


def _labels(texts: Sequence[tuple[float, float, str]], area: LogPlotArea) -> Iterator[str]:
    """Beside their points, where no other label is: the first place of some around the point that is free."""
    taken: list[tuple[float, float, float, float]] = []
    for x, y, text in texts[:MOST_LABELS]:
        wide = 5.6 * len(text)
        places = [(x + 12, y + down) for down in (4, -10, 18, -24, 32, -38, 46)]
        places += [(x - 12 - wide, y + down) for down in (18, 32, 46, -10, -24)]
        boxes = [(left, base - 10, left + wide, base + 2) for left, base in places
                 if left >= area.left and left + wide <= WIDTH - 2 and area.top <= base <= area.bottom]
        free = next((one for one in boxes if not any(_overlap(one, other) for other in taken)), None)
        if free is not None:
            taken.append(free)
            yield label(free[0], free[3] - 2, text, "start", size=10)


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _stairs(points: Sequence[tuple[float, float]]) -> str:
    """More peak, then less traffic."""
    path = ""
    for x, y in points:
        path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
    return path
