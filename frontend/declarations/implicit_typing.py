"""IMPLICIT typing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import ascii_lowercase

from snapset.frontend import ir
from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.declarations.table import Table, TypeSpec


def default(kinds: DefaultKinds) -> dict[str, ir.Type]:
    """Names from i to n are integers, the others real."""
    integer, real = ir.default_type(kinds, "integer"), ir.default_type(kinds, "real")
    rules = {letter: integer if "i" <= letter <= "n" else real for letter in ascii_lowercase}
    return {**rules, "_": real, "$": real}


def rules(
    table: Table, host: Mapping[str, ir.Type], type_of: Callable[[TypeSpec], ir.Type], kinds: DefaultKinds
) -> Mapping[str, ir.Type]:
    """First letters to types: the host's rules, changed by the unit's own IMPLICIT statements."""
    if table.implicit_none:
        return {}
    if not table.implicit:
        return host
    changed = dict(host) if host else default(kinds)
    for spec, first, last in table.implicit:
        type_ = type_of(spec)
        changed.update((letter, type_) for letter in ascii_lowercase if first <= letter <= last)
    return changed
