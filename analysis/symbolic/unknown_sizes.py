"""The names in quantities that stand for what is not known of the program: they can only be assumed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import Quantity

_UNKNOWN: Final = ("size", "trips", "bytes")


def unknown_sizes(quantities: Iterable[Quantity]) -> tuple[str, ...]:
    """``size(h)``, ``trips(march:12)``, ``bytes(missing_module::dt)``, each once, sorted."""
    found = {name.name for quantity in set(quantities) for name in quantity.names
             if isinstance(name, Sym) and name.what.startswith(_UNKNOWN)}
    return tuple(sorted(found))
