"""The scopes of a program in the cache, with the units that they were built from.

One entry for the units of these kinds and names, of these files, under these kinds of default types. It is not found by
what the units say but holds it: :func:`snapset.frontend.symbols.rebuilt_scopes.rebuilt` compares every statement of
then and now, places too, and builds anew what could be otherwise. Where that is all, the entry is replaced; else it
stays, so that an edit writes nothing here, and the next one is compared with the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snapset.frontend.base.default_kinds import DefaultKinds
from snapset.frontend.base.source_model import Unit
from snapset.frontend.persistence.disk_cache import Cache
from snapset.frontend.persistence.fingerprint import digest
from snapset.frontend.reading.unreadable_units import Failures
from snapset.frontend.symbols.rebuilt_scopes import BuiltScopes, built, rebuilt
from snapset.frontend.symbols.scope_builder import build_scopes
from snapset.frontend.symbols.symbol_table import Scopes


def remembered_scopes(units: Sequence[Unit], failures: Failures, kinds: DefaultKinds, cache: Cache) -> Scopes:
    """As :func:`snapset.frontend.symbols.scope_builder.build_scopes`, looking into the cache first."""
    if cache.path is None:
        return build_scopes(units, failures, kinds)
    key = digest("scopes", repr(kinds), *_names(units))
    known: BuiltScopes | None = cache.get(key)
    found = None if known is None else rebuilt(known, units, kinds)
    if found is not None:
        return found
    scopes, whole = built(units, failures, kinds)
    if whole is not None:
        cache.put(key, whole)
    return scopes


def _names(units: Sequence[Unit]) -> Iterator[str]:
    for unit in units:
        yield f"{unit.kind} {unit.name} {len(unit.contains)} {unit.end.span.file}"
        yield from _names(unit.contains)
