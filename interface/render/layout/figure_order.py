"""Figures put in order where some of them are formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from snapset.analysis.results import Bytes, PushedPlace
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.numeric_value import UnknownSizeError
from snapset.render.layout.byte_figures import Figures

DEFAULT = 100
"""Stands for each size and trip count that is not assumed; no figure shows it."""


def order_of(amount: Bytes | None, figures: Figures) -> float:
    """A number to compare a figure by: unknown ones come first."""
    if amount is None:
        return inf
    figure = figures(amount)
    if isinstance(figure, int):
        return figure
    values = {one.name: DEFAULT for one in amount.names if isinstance(one, Sym)}
    try:
        return float(amount.evaluate({**values, **figures.assume}))
    except (UnknownSizeError, ZeroDivisionError):
        return inf


def by_bytes(places: Iterable[PushedPlace], number: Callable[[Bytes | None], float]) -> list[PushedPlace]:
    """The dearest first, by ``number``; of equal ones as they stand in the files."""
    return sorted(places, key=lambda one: (-number(one.bytes), one.file, one.line, one.location))
