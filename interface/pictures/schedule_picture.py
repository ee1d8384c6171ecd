"""A time loop's best schedule as SVG: which step runs when, forward and backward, and which checkpoints are held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snapset import atomic_file
from snapset.analysis.schedules.actions import Adjoint, Advance, Content, StorageLevel
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.plot import PlotArea, document, label

if TYPE_CHECKING:
    from snapset.analysis.schedules.schedule_table import Offer

WIDTH, HEIGHT = 900, 320
LEFT, RIGHT, TOP, FOOT = 80, 30, 34, 60
PLAIN, RECORDED, REVERSED = "#666", "#0072b2", "#d55e00"
HELD = {Content.RESTART: "#009e73", Content.DEPENDENCIES: "#56b4e9"}
LEGEND = ((PLAIN, "forward"), (RECORDED, "forward, recorded"), (REVERSED, "adjoint"), (HELD[Content.RESTART], "restart "
          "data held"), (HELD[Content.DEPENDENCIES], "dependencies held"))  # fmt: skip
MOST_LINES = 20_000


def check(path: str) -> None:
    """Raises InputError, before anything runs, for a picture that could not be written."""
    if Path(path).suffix.lower() != ".svg":
        raise InputError(f"--picture {path}: pictures are drawn as SVG; give a name that ends in .svg")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"--picture {path}: there is no directory {Path(path).parent}")


def save(path: str, results: Sequence[Offer]) -> None:
    """Write the whole picture or nothing. Raises InputError for a schedule of too many actions."""
    if any(len(one.measured.actions) > MOST_LINES for one in results):
        raise InputError(f"--picture: over {MOST_LINES} actions are no picture; assume fewer steps")
    atomic_file.save(Path(path), draw(results), "picture")


def draw(results: Sequence[Offer]) -> str:
    """One SVG document, a panel for each loop."""
    y, body = 0.0, list[str]()
    for one in results:
        area = PlotArea(LEFT, WIDTH - RIGHT, y + TOP, y + TOP + HEIGHT, max(1, _length(one)),
                        max(1, one.measured.sizes.steps))
        body.append(label(12, y + 20, f"{one.name}: {one.measured.forward_steps} forward steps, "
                          f"{one.measured.total} bytes", "start", size=15, weight="bold"))
        body += area.axes("steps run, forward and backward", "step", 20)
        body += _lines(one, area)
        y += TOP + HEIGHT + FOOT
    x = 12.0
    for colour, text in LEGEND:
        body.append(f'<path d="M{x:g} {y + 4:g}h24" stroke="{colour}" stroke-width="3"/>')
        body.append(label(x + 30, y + 8, text, "start"))
        x += 60 + 7*len(text)
    return document(WIDTH, y + 24, body)


def _length(one: Offer) -> int:
    return one.measured.forward_steps + one.measured.counts.adjoint


def _lines(one: Offer, area: PlotArea) -> Iterator[str]:
    times, now = [0], 0
    for action in one.measured.actions:
        if isinstance(action, Advance):
            colour = RECORDED if action.store is Content.DEPENDENCIES else PLAIN
            yield _line(area, now, action.i, now + action.j - action.i, action.j, colour)
            now += action.j - action.i
        elif isinstance(action, Adjoint):
            yield _line(area, now, action.j, now + action.j - action.i, action.i, REVERSED)
            now += action.j - action.i
        times.append(now)
    for held in one.measured.counts.checkpoints:
        if held.where is not StorageLevel.WORK:
            end = times[-1] if held.freed is None else times[held.freed]
            yield _line(area, times[held.written], held.i, end, held.i, HELD[held.content], 3)


def _line(area: PlotArea, x0: int, y0: int, x1: int, y1: int, colour: str, width: int = 1) -> str:
    return (f'<path d="M{area.x(x0):.1f} {area.y(y0):.1f}L{area.x(x1):.1f} {area.y(y1):.1f}" stroke="{colour}" '
            f'stroke-width="{width}" fill="none"/>')
