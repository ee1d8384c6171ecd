"""What a report says of constructs that no replay executes, put together from what each procedure holds of them."""

from __future__ import annotations

from collections.abc import Iterable

from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.lazy_patterns import pattern_of

CODE = "SN402"
_NAME = pattern_of(r"`[^`]*`")


def unproved(refused: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What a report says of all procedures' refusals: each kind of construct once, at its first place."""
    return [Diagnostic(one.code, one.severity, f"replay does not execute {one.message}: no execution has "
                       "proved the sets of the parts that run it", one.span)
            for one in first(sorted(refused, key=lambda one: one.span))]


def first(found: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """The first of each kind: names tell no kinds apart."""
    kinds: dict[str, Diagnostic] = {}
    for one in found:
        kinds.setdefault(_NAME.sub("`", one.message), one)
    return kinds.values()
