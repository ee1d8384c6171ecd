"""What a whole result says: its parts' diagnostics and its own, and the names its totals leave unknown."""

from __future__ import annotations

from typing import Final

from snapset.analysis.results import HeadResult
from snapset.analysis.symbolic.atoms import Sym
from snapset.frontend.base.diagnostics import Diagnostic

_UNKNOWN: Final = ("size", "trips", "bytes")


def unknown(result: HeadResult) -> tuple[str, ...]:
    """The names in the totals that stand for sizes and trip counts that are not known."""
    amounts = {amount for one in result.totals.values() for amount in (one.peak_bytes, one.traffic_bytes)}
    names = {name for amount in amounts if amount is not None for name in amount.names}
    return tuple(sorted({one.name for one in names if isinstance(one, Sym) and one.what.startswith(_UNKNOWN)}))


def all_diagnostics(result: HeadResult) -> tuple[Diagnostic, ...]:
    """Those of the head and of all its parts, each once, by place."""
    found = set(result.diagnostics).union(*(part.diagnostics for part in result.parts))
    return tuple(sorted(found, key=lambda one: (one.span, one.code, one.message)))
