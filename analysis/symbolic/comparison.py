"""When is one quantity below another? Yes, no or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache

from snapset.analysis.symbolic.atoms import (
    REMEMBERED,
    Atom,
    Clamp,
    Counter,
    Extreme,
    Monomial,
    Over,
    Power,
    Quotient,
    Runs,
    SharedPart,
    Sym,
    squeezed,
)
from snapset.analysis.symbolic.extrema import alternatives, at_least, height
from snapset.analysis.symbolic.polynomials import Number, Quantity, number, of
from snapset.analysis.symbolic.substitution import substitute
from snapset.frontend.base.deep_recursion import deep


class Truth(Enum):
    """Of a comparison, for all numbers that the names can stand for: ``YES`` it always holds, ``NO`` it never
    does, ``UNKNOWN`` neither could be shown. ``if`` takes YES and NO; UNKNOWN must be asked for."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        if self == Truth.UNKNOWN:
            raise TypeError("which is larger depends on the names: say what they are at least, a.at_most(b, n=1), "
                            "or compare with Truth.YES")
        return self == Truth.YES


def ask(low: Quantity, high: Quantity, least: Mapping[str, int] | None = None) -> Truth:
    """Is ``low`` <= ``high``? ``least``: what names are at least (``n=1``)."""
    if least:
        table = {squeezed(name): bound for name, bound in least.items()}
        low, high = (_from(table, one) for one in (low, high))
    if _never_above(low, high):
        return Truth.YES
    return Truth.NO if _never_above(high + number(1), low) else Truth.UNKNOWN


def _from(least: Mapping[str, int], quantity: Quantity) -> Quantity:
    """The quantity with ``n`` as 1 + what it is more, which is not negative."""

    def change(atom: Atom) -> Quantity | None:
        if not isinstance(atom, Sym) or squeezed(atom.name) not in least:
            return None
        bound = least[squeezed(atom.name)]
        more = Sym(f"{atom.name} - {bound}", what="trips")  # not negative
        return of(more) + number(bound)

    return substitute(quantity, change)


def _never_above(low: Quantity, high: Quantity) -> bool:
    """Each alternative of the lower one below some alternative of the higher one."""
    above = alternatives(high)
    return all(any((b - a).never_negative or at_least(b, a) for b in above) for a in alternatives(low))


# ---------------------------------------------------------------- for names that are 1 or more


def never_below(high: Quantity, low: Quantity) -> bool:
    """high >= low for all names that are 1 or more? (False: not known.)

    Each term of ``low`` must find its factor in terms of ``high`` that are multiples of it. ``min(n, -1)``
    may be negative, and says nothing.
    """
    if height(high) < height(low):
        return False
    if not (is_plain(high) and is_plain(low)):
        return high == low
    return covers(high, low)


def is_plain(quantity: Quantity) -> bool:
    """Is it made of what is certainly not negative, for names that are 1 or more?"""
    return all(map(_is_plain, quantity.terms))


@lru_cache(maxsize=REMEMBERED)
def _is_plain(monomial: Monomial) -> bool:
    return all(_is_never_negative(atom) for atom, _ in monomial)


def covers(high: Quantity, low: Quantity) -> bool:
    """:func:`never_below`, of quantities that are plain."""
    above, below = high.terms, low.terms
    room: dict[Monomial, Number] = {}
    wanting: dict[Monomial, Number] = {}
    for monomial in {**above, **below}:
        more = above.get(monomial, 0) - below.get(monomial, 0)
        if more > 0:
            room[monomial] = more
        elif more:
            wanting[monomial] = -more
    multiples: dict[Monomial, list[Monomial]] = {}
    for monomial in wanting:
        found = multiples[monomial] = [m for m in room if _divides(monomial, m)]
        if not found:
            return False
    order: Iterable[Monomial] = wanting
    if any(len(found) > 1 for found in multiples.values()):  # who takes from whom must be the same in every run
        order = sorted(wanting, key=_rank)
        for found in multiples.values():
            found.sort(key=_rank)
    for monomial in order:
        missing = wanting[monomial]
        for larger in multiples[monomial]:
            taken = min(missing, room[larger])
            room[larger] -= taken
            missing -= taken
            if not missing:
                break
        if missing:
            return False
    return True


def _is_never_negative(atom: Atom) -> bool:
    """For names that are 1 or more; of extrema those may be negative one of whose quantities is, or all are."""
    if not isinstance(atom, Extreme):
        return True
    return (any if atom.op == "max" else all)(never_below(one, number(0)) for one in atom.of)


def order_of(quantity: Quantity) -> list[tuple[str, Number]]:
    """Quantities in an order that no run changes."""
    return sorted((_rank(monomial), factor) for monomial, factor in quantity.terms.items())


@lru_cache(maxsize=REMEMBERED)
def _rank(monomial: Monomial) -> str:
    """Monomials in an order that no run changes."""
    return "*".join(sorted(f"{_atom_rank(atom)}^{power}" for atom, power in monomial))


@lru_cache(maxsize=1 << 14)
@deep
def _atom_rank(atom: Atom) -> str:
    match atom:
        case SharedPart(mark=mark):
            return f"shared{mark:x}"
        case Sym(name=name, area=area, path=path, what=what):
            return f"{name}|{what}|{area}|{path}"
        case Counter(name=name, loop=loop):
            return f"{name}@{loop}"
        case Clamp(of=inner) | Runs(of=inner):
            return f"{type(atom).__name__}{order_of(inner)}"
        case Quotient(top=top, bottom=bottom):
            return f"{order_of(top)}/{order_of(bottom)}"
        case Extreme(op=op, of=those):
            return f"{op}{sorted(map(order_of, those))}"
        case Over(op=op, counter=counter, count=count, body=body):
            return f"{op}{_atom_rank(counter)}{order_of(count)}{order_of(body)}"
        case Power(base=base, exponent=exponent):
            return f"{order_of(base)}**{order_of(exponent)}"
        case _:
            raise AssertionError(atom)


def _divides(small: Monomial, large: Monomial) -> bool:
    if small <= large:
        return len(small) == len(large) or not any(isinstance(atom, SharedPart) for atom, _ in large - small)
    if len(small) > len(large) or all(power == 1 for _, power in large):
        return False
    powers = dict(large)
    return all(powers.get(atom, 0) >= power for atom, power in small)
