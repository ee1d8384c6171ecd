"""What quantities are asked beside the arithmetic: what is linear in their names, as subscripts and bounds are
(``2*i - 1``), and which names they are written with."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from snapset.analysis.symbolic.atoms import Atom, Counter, Name, Over, SharedPart, Sym, names_alone

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


class Written:
    """What is written with names: quantities. ``remembered``: its key, once it was asked for; no field, so nothing that
    is stored holds it."""

    __slots__ = ("remembered",)
    remembered: tuple[int, frozenset[Name], bool]

    if TYPE_CHECKING:
        @property
        def mark(self) -> int: ...
        @property
        def terms(self) -> Mapping[frozenset[tuple[Atom, int]], object]: ...
        @property
        def counters(self) -> frozenset[Counter]: ...

    @property
    def names(self) -> frozenset[Name]:
        """The names and loop counters in it, also inside atoms: its own, an equal quantity may have others."""
        return self.key[1]

    @property
    def key(self) -> tuple[int, frozenset[Name], bool]:
        """What tells it also from equal ones that are written otherwise: with other names, or with shared parts."""
        try:
            return self.remembered
        except AttributeError:
            return self._remember()

    def _remember(self) -> tuple[int, frozenset[Name], bool]:
        """From the keys of what is inside, which remembers them too: innermost first, with no stack but a list.

        Only sums and maxima bind a counter; one that is free elsewhere, too, is among the first names.
        """
        work: list[Written] = [self]
        while work:
            if hasattr(one := work[-1], "remembered"):
                work.pop()  # stood in several
                continue
            names, missing, shares = set[Name](one.counters), list[Written](), False
            for monomial in one.terms:
                if (known_names := names_alone(monomial)) is not None:
                    names.update(known_names)
                    continue
                for atom, _ in monomial:
                    shares = shares or atom.shares
                    if isinstance(atom, Sym):
                        names.add(atom)
                    elif isinstance(atom, SharedPart):
                        names.update(atom.names)
                    else:
                        for inner in atom.inside():
                            known = getattr(inner, "remembered", None)
                            if known is None:
                                missing.append(inner)
                            else:
                                names.update(known[1] - {atom.counter} if isinstance(atom, Over) else known[1])
            if missing:
                work.extend(missing)
            else:
                object.__setattr__(work.pop(), "remembered", (one.mark, frozenset(names), shares))
        return self.remembered
