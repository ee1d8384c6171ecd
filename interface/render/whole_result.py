"""What a whole result says: its parts' diagnostics and its own, and the names its totals leave unknown."""

from __future__ import annotations

from snapset.analysis.results import HeadResult
from snapset.analysis.symbolic.unknown_sizes import unknown_sizes
from snapset.frontend.base.diagnostics import Diagnostic


def unknown(result: HeadResult) -> tuple[str, ...]:
    """The names in the totals that stand for sizes and trip counts that are not known."""
    amounts = (amount for one in result.totals.values() for amount in (one.peak_bytes, one.traffic_bytes))
    return unknown_sizes(amount for amount in amounts if amount is not None)


def all_diagnostics(result: HeadResult) -> tuple[Diagnostic, ...]:
    """Those of the head and of all its parts, each once, by place."""
    found = set(result.diagnostics).union(*(part.diagnostics for part in result.parts))
    return tuple(sorted(found, key=lambda one: (one.span, one.code, one.message)))
