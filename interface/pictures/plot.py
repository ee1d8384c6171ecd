"""Plots as SVG: what the stack's picture and the Pareto front share. Axes with round numbers, linear or logarithmic,
grid, text, document.

Kept instead of a library. matplotlib 3.11 is 103 MB with what it needs beside numpy and takes 0.85 s to import, for two
plots of axes, steps and circles; two of its files of the same plot differ. pygal 3.1 (1.9 MB, 65 ms) has no steps and
no marks beneath the axis, and its SVG fetches scripts from elsewhere unless told not to. These lines are the same on
every machine, and :mod:`snapset.pictures.svg` makes names of files and variables harmless in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, floor, log10

from snapset.frontend.base.frozen_records import frozen
from snapset.pictures.svg import drawn


@frozen
class PlotArea:
    """A rectangle with its origin at the left and below, and the greatest numbers that its sides stand for."""

    left: float
    right: float
    top: float
    bottom: float
    most_x: int
    most_y: int

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * value / self.most_x

    def y(self, value: float) -> float:
        return self.top + (self.bottom - self.top) * (1 - value / self.most_y)

    def x_ticks(self, most: int) -> list[int]:
        return ticks(self.most_x, most)

    def y_ticks(self) -> list[int]:
        return ticks(self.most_y)

    def axes(self, x_label: str, y_label: str, y_label_at: float, most_x_ticks: int = 5) -> Iterator[str]:
        """Grid lines, round numbers at both axes, what they count. ``y_label_at``: how far to the right that stands."""
        left, right, top, bottom = (f"{side:g}" for side in (self.left, self.right, self.top, self.bottom))
        for value in self.y_ticks():
            y = self.y(value)
            yield f'<path d="M{left} {y:.1f}H{right}" stroke="#ddd"/>'
            yield label(self.left - 6, y + 4, f"{value:,}", "end")
        for value in self.x_ticks(most_x_ticks):
            x = self.x(value)
            yield f'<path d="M{x:.1f} {bottom}v5" stroke="black"/>'
            yield label(x, self.bottom + 18, f"{value:,}", "middle")
        yield f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="black"/>'
        middle = (self.top + self.bottom) / 2
        yield (f'<text transform="translate({y_label_at:g},{middle:g}) rotate(-90)" text-anchor="middle">'
               f"{drawn(y_label)}</text>")
        yield label((self.left + self.right) / 2, self.bottom + 36, x_label, "middle")


@frozen
class LogPlotArea(PlotArea):
    """The same with logarithmic axes, from ``least_x`` and ``least_y`` (1 or more) on. What is less stands there."""

    least_x: int
    least_y: int

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * _share(value, self.least_x, self.most_x)

    def y(self, value: float) -> float:
        return self.top + (self.bottom - self.top) * (1 - _share(value, self.least_y, self.most_y))

    def x_ticks(self, most: int) -> list[int]:
        return log_ticks(self.least_x, self.most_x, most)

    def y_ticks(self) -> list[int]:
        return log_ticks(self.least_y, self.most_y)


def _share(value: float, least: int, most: int) -> float:
    return log10(max(value, least) / least) / log10(most / least)


def round_range(values: Iterable[int]) -> tuple[int, int]:
    """Round numbers around the values that are not 0: the ends of a logarithmic axis."""
    there = [value for value in values if value > 0] or [1]
    low, high = 10**floor(log10(min(there))), 10**ceil(log10(max(there)))
    least = max(low * m for m in (1, 2, 5) if low * m <= min(there))
    most = min(high // m for m in (1, 2, 5) if high // m >= max(there))
    return (least, most) if least < most else (least, least * 10)


def log_ticks(least: int, most: int, number: int = 5) -> list[int]:
    """1, 2 and 5 times powers of ten; where these are too many the powers, or every second, third ... of them."""
    decades = range(len(str(least)) - 1, len(str(most)))
    fine = [m * 10**e for e in decades for m in (1, 2, 5) if least <= m * 10**e <= most]
    if len(fine) <= number:
        return fine
    powers = [10**e for e in decades if least <= 10**e <= most]
    return powers[::-(-len(powers) // number)]


def ticks(top: int, most: int = 5) -> list[int]:
    """Round numbers from 0 to ``top``, at most ``most`` beside 0."""
    step = next(m * 10**e for e in range(20) for m in (1, 2, 5) if top <= m * 10**e * most)
    return list(range(0, top + 1, step))


def label(x: float, y: float, text: str, anchor: str, *, size: int = 12, weight: str = "normal",
          colour: str = "black") -> str:
    """Text that begins, has its middle or ends (``anchor``) at a point."""
    style = f' font-weight="{weight}"' if weight != "normal" else ""
    fill = f' fill="{colour}"' if colour != "black" else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{style}{fill}>'
            f"{drawn(text)}</text>")


def document(width: float, height: float, body: Iterable[str]) -> str:
    """The whole file, white."""
    size = f'width="{_length(width)}" height="{_length(height)}"'
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_length(width)} {_length(height)}" '
            'font-family="sans-serif" font-size="12">')
    return "\n".join([head, f'<rect {size} fill="white"/>', *body, "</svg>\n"])


def _length(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
