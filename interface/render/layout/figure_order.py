"""Figures put in order where some of them are formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from snapset.analysis.results import Bytes, PushedPlace
from snapset.render.layout.byte_figures import Figures

DEFAULT = 100
"""Stands for each size and trip count that is not assumed; no figure shows it."""


def order_of(amount: Bytes | None, figures: Figures) -> float:
    """A number to compare a figure by: unknown ones come first."""
    if amount is None:
        return inf
    figure = figures(amount) if figures.assume else amount.constant  # no formula is written only to be compared
    return int(figure) if figure is not None and not isinstance(figure, str) else figures.estimated(amount, DEFAULT)


def by_bytes(places: Iterable[PushedPlace], number: Callable[[Bytes | None], float]) -> list[PushedPlace]:
    """The dearest first, by ``number``; of equal ones as they stand in the files."""
    return sorted(places, key=lambda one: (-number(one.bytes), one.file, one.line, one.location))
