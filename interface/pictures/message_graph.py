"""The communication graph as SVG: a column for each rank, time downwards, parts shaded, arrows back in red."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from snapset import atomic_file
from snapset.analysis.messages.communication_trace import PlacedEvent, PlacedTrace, placed
from snapset.analysis.messages.part_verdicts import PartVerdicts
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.svg import drawn

if TYPE_CHECKING:
    from snapset.analysis.replay.experiment.ranked_plans import RankedComparison

COLUMN, ROW, LEFT, TOP, MOST = 260, 22, 60, 50, 4000


def save(path: str, result: RankedComparison) -> None:
    """Draw the messages of one head. Raises InputError where the program itself is stuck: then there is no trace."""
    if result.traces is None:
        raise InputError("--picture: the program is stuck by itself, there is no graph of it to draw")
    atomic_file.save(Path(path), draw(placed(result.traces.ranks)), "picture")


def draw(trace: PlacedTrace) -> str:
    """The picture's text, of the first few thousand events."""
    verdicts = PartVerdicts(trace)
    longest = min(MOST, max((len(one) for one in trace.events), default=0))
    width, height = 2*LEFT + COLUMN*len(trace.events), TOP + ROW*(longest + 2)
    found = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             'font-size="11">', '<rect width="100%" height="100%" fill="white"/>']  # fmt: skip
    for rank in range(len(trace.events)):
        found.append(f'<text x="{_x(rank)}" y="24" text-anchor="middle" font-weight="bold">rank {rank}</text>')
    back = {(one.start, one.end) for name in trace.parts for one in verdicts.on(name).arrows_back}
    found += _shades(trace)
    for one in trace.all():
        if one.at < MOST:
            found += _event(one)
    for arrow in verdicts.arrows:
        if arrow.start.at < MOST and arrow.end.at < MOST:
            found.append(_arrow(arrow.start, arrow.end, (arrow.start, arrow.end) in back))
    return "\n".join((*found, "</svg>", ""))


def _x(rank: int) -> int:
    return LEFT + COLUMN*rank + COLUMN//2


def _y(at: int) -> int:
    return TOP + ROW*at + ROW//2


def _shades(trace: PlacedTrace) -> list[str]:
    found = []
    for name, spans in trace.parts.items():
        for rank, (first, behind) in spans.items():
            depth = sum(1 for other, others in trace.parts.items() if other != name and rank in others
                        and others[rank][0] <= first and behind <= others[rank][1])  # fmt: skip
            inset, top = 20 + 8*min(depth, 5), TOP + ROW*min(first, MOST)
            found.append(f'<rect x="{_x(rank) - COLUMN//2 + inset}" y="{top}" width="{COLUMN - 2*inset}" '
                         f'height="{max(3, ROW*(min(behind, MOST) - min(first, MOST)))}" fill="#336699" '
                         f'fill-opacity="0.15"><title>{drawn(name)}</title></rect>')  # fmt: skip
    return found


def _event(one: PlacedEvent) -> list[str]:
    line = one.event.where.rpartition(":")[2]
    text = f"{line}: {one.event.kind}" if line else f"{one.event.kind} {one.event.message}"
    return [f'<circle cx="{_x(one.rank)}" cy="{_y(one.at)}" r="3"><title>{drawn(one.event.where)}</title></circle>',
            f'<text x="{_x(one.rank) - 8}" y="{_y(one.at) + 4}" text-anchor="end">{drawn(text)}</text>']  # fmt: skip


def _arrow(start: PlacedEvent, end: PlacedEvent, back: bool) -> str:
    colour, thick = ("#cc0000", 2) if back else ("#888888", 1)
    way = 1 if end.rank > start.rank else -1
    x, y = _x(end.rank) - 4*way, _y(end.at)
    return (f'<g stroke="{colour}" stroke-width="{thick}" fill="{colour}"><line x1="{_x(start.rank) + 4*way}" '
            f'y1="{_y(start.at)}" x2="{x}" y2="{y}"/><path d="M{x} {y} l{-7*way} -3 l0 6 z"/></g>')  # fmt: skip
