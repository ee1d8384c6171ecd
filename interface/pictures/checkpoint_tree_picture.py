"""A divided run as SVG, after the paper's Fig. 2: steps from left to right, what is done from top to bottom.

Green: plain runs to a split point. Red and blue: a leaf's recording and its way back. Gold and pink: how long the
capsule of the beginning and those taken on the way stand; what they hold is told where the mouse rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from snapset import atomic_file
from snapset.frontend.base.diagnostics import InputError
from snapset.pictures.plot import document, label, ticks
from snapset.pictures.svg import drawn

if TYPE_CHECKING:
    from snapset.analysis.replay.divide.divide_results import CapsuleSize, DivideComparison, DividePlan

WIDTH, LEFT, RIGHT = 1000, 40, 20
TALLEST = 1400
GREEN, RED, BLUE, GOLD, PINK = "#009e73", "#d55e00", "#0072b2", "#e6b800", "#cc79a7"
MOST_EVENTS = 20_000


def check(path: str) -> None:
    """Raises InputError, before anything runs, for a picture that could not be written."""
    if Path(path).suffix.lower() != ".svg":
        raise InputError(f"--picture {path}: pictures are drawn as SVG; give a name that ends in .svg")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"--picture {path}: there is no directory {Path(path).parent}")


def save(path: str, results: Sequence[DivideComparison]) -> None:
    """Write the whole picture or nothing. Raises OSError where it cannot be written."""
    atomic_file.save(Path(path), draw(results), "picture")


def draw(results: Sequence[DivideComparison]) -> str:
    """One SVG document, a panel for each tree."""
    y, body = 12.0, []
    for result in results:
        for plan in result.plans:
            body.append(label(12, y + 12, f"{result.head}: {result.driver}, {plan.mid}, {result.steps} steps", "start",
                              size=15, weight="bold"))
            panel = _Panel(plan, y + 26)
            body += panel.draw()
            y = panel.bottom + 44
    legend = "green: run; red, blue: a leaf, there and back; gold, pink: capsules (their bytes: rest the mouse there)"
    body.append(label(12, y, legend, "start", colour="#666"))
    return document(WIDTH, y + 14, body)


@dataclass(slots=True)
class _Panel:
    plan: DividePlan
    top: float

    @property
    def rows(self) -> int:
        return len(self.plan.tree.splits) + 2 * len(self.plan.tree.leaves)

    @property
    def row(self) -> float:
        return min(9.0, TALLEST / max(1, self.rows))

    @property
    def bottom(self) -> float:
        return self.top + self.rows * self.row

    def x(self, step: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * step / max(1, self.plan.tree.n)

    def draw(self) -> Iterator[str]:
        from snapset.analysis.divide.tree import TreeSplit

        if self.rows > MOST_EVENTS:
            yield label(LEFT, self.top + 8, f"{self.rows} rows are too many to draw: take longer leaves", "start")
            return
        y, lines, standing = self.top, list[str](), list[tuple[int, float]]()
        for event in self.plan.tree.events:
            if isinstance(event, TreeSplit):
                y += self.row
                lines.append(self._line(event.sigma, event.kappa, y, GREEN, "run again"))
                standing.append((event.kappa, y))
                continue
            y += self.row
            lines.append(self._line(event.sigma, event.phi, y, RED, "leaf, recorded"))
            y += self.row
            lines.append(self._line(event.sigma, event.phi, y, BLUE, "leaf, taken back"))
            if standing and standing[-1][0] == event.sigma:
                at, since = standing.pop()
                yield self._capsule(self.plan.capsules[at], since, y, PINK)
        yield self._capsule(self.plan.start, self.top, y, GOLD)
        yield from lines
        for step in ticks(self.plan.tree.n):
            yield label(self.x(step), self.bottom + 18, f"{step:,}", "middle")

    def _line(self, first: int, last: int, y: float, colour: str, what: str) -> str:
        return (f'<path d="M{self.x(first):.1f} {y:.1f}H{self.x(last):.1f}" stroke="{colour}" '
                f'stroke-width="{max(0.5, self.row / 3):.1f}"><title>{drawn(f"{what}: steps {first} to {last}")}'
                "</title></path>")

    def _capsule(self, one: CapsuleSize, since: float, until: float, colour: str) -> str:
        names = ", ".join(one.variables) or "nothing of the procedure that runs"
        text = f"step {one.at}, {one.where}: {one.bytes} bytes of {one.state}, {one.depth} active procedures; {names}"
        return (f'<path d="M{self.x(one.at):.1f} {since:.1f}V{until:.1f}" stroke="{colour}" stroke-width="2">'
                f"<title>{drawn(text)}</title></path>")
