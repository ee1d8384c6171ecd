"""Quantities that are linear in their names, as subscripts and bounds are: ``2*i - 1``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from snapset.analysis.symbolic.atoms import Atom, Sym

if TYPE_CHECKING:
    from snapset.analysis.symbolic.polynomials import Quantity


class LinearForm:
    """What subscripts are asked; of a quantity that is not linear only its linear terms answer."""

    __slots__ = ()

    if TYPE_CHECKING:
        @property
        def terms(self) -> Mapping[frozenset[tuple[Atom, int]], int | Fraction]: ...

    @property
    def offset(self) -> int:
        """The term without names: -1 of ``2*i - 1``."""
        return int(self.terms.get(frozenset(), 0))

    @property
    def factors(self) -> tuple[tuple[str, int], ...]:
        """The other terms, by name: ``i`` and 2 of ``2*i - 1``; empty for a number."""
        if len(self.terms) < 2 and frozenset() in self.terms:
            return ()
        pairs = [(atom.name, int(factor)) for monomial, factor in self.terms.items() for atom, _ in monomial
                 if isinstance(atom, Sym)]
        return tuple(pairs if len(pairs) < 2 else sorted(pairs))

    def factor(self, text: str) -> int:
        """What a name is multiplied with."""
        return int(self.terms.get(_linear(text), 0))

    def replaced(self: Quantity, text: str, value: Quantity) -> Quantity:  # type: ignore[misc]
        """The form with a name replaced."""
        factor = self.factor(text)
        if not factor:
            return self
        from snapset.analysis.symbolic.polynomials import named

        return self + (value - named(text)).scaled(factor)

    def is_at_most(self: Quantity, other: Quantity) -> bool:  # type: ignore[misc]
        """Certainly <= other, their difference being a number?"""
        apart = other.apart(self)
        return apart is not None and apart >= 0


@lru_cache(maxsize=1 << 12)
def _linear(text: str) -> frozenset[tuple[Atom, int]]:
    return frozenset(((Sym(text), 1),))
