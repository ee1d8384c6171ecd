"""NAMELIST groups of every scoping unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Unit
from snapset.frontend.base.text_scan import split_top

_GROUP = pattern_of(r"/\s*([a-z_]\w*)\s*/([^/]*)")


def namelist_groups(units: Iterable[Unit]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Group names to their members, by the key of the procedure (or the module's name) that declares them."""
    found: dict[str, Mapping[str, tuple[str, ...]]] = {}
    pending = [("", unit) for unit in units]
    while pending:
        prefix, unit = pending.pop()
        key = f"{prefix}::{unit.name}" if prefix else unit.name
        groups = _groups(unit)
        if groups:
            found[key] = groups
        pending.extend((key, inner) for inner in unit.contains)
    return found


def _groups(unit: Unit) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for item in unit.items:
        if isinstance(item, Line) and item.text.startswith("namelist"):
            for name, members in _GROUP.findall(item.text[len("namelist") :]):
                listed = split_top(members.strip().rstrip(","))
                groups[name] = (*groups.get(name, ()), *listed)
    return groups
