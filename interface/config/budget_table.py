"""The project file's ``[budgets]``: what heads and parts may cost.

    [tool.snapset.budgets]
    "ocean%step(temp)>(misfit)" = { peak = "2GB", strategy = "lazy" }
    "decay, part 1" = { snapshot = 8000 }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from snapset.analysis.schedules.storage_text import bytes_of
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen

FIGURES = ("peak", "snapshot", "traffic")


@frozen
class Budget:
    """At most so many bytes for one figure of a head or a part, under one strategy (None: under all)."""

    name: str
    figure: str
    most: int
    strategy: str | None
    span: Span


def budgets_of(value: Any, span: Callable[[str], Span]) -> tuple[Budget, ...]:
    """What the table says; ``span``: where a key of it stands. Raises InputError for what is none."""
    if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
        raise InputError('budgets must be a table of tables, such as "decay, part 1" = { snapshot = 8000 }',
                         span("budgets"))
    return tuple(one for name, table in value.items() for one in _budgets(name, dict(table), span(name)))


def _budgets(name: str, table: dict[str, Any], span: Span) -> Iterator[Budget]:
    strategy = table.pop("strategy", None)
    if strategy is not None and not isinstance(strategy, str):
        raise InputError(f"budgets: {name}: strategy must be a text", span)
    if not table:
        raise InputError(f"budgets: {name}: no figure; there are {', '.join(FIGURES)}", span)
    for figure, most in table.items():
        if figure not in FIGURES:
            raise InputError(f"budgets: {name}: unknown figure {figure}; there are {', '.join(FIGURES)}", span)
        if isinstance(most, bool) or not isinstance(most, int | str) or (isinstance(most, int) and most < 0):
            raise InputError(f'budgets: {name}: {figure} must be bytes, such as 8000 or "2GB"', span)
        try:
            size = most if isinstance(most, int) else bytes_of(most, f"budgets: {name}: {figure}")
        except InputError as error:
            raise InputError(error.message, span) from None
        yield Budget(name, figure, size, strategy, span)
