"""Bytes, counts and subscripts as one kind of value: :class:`Quantity`, a polynomial in the program's integers.

``8*n - 16`` is a quantity; so are ``max(n, m)``, the sum of ``8*k`` for k = 0 .. n - 1, and the number 3. Every
operation is exact for all values of the names, loops that do not run and arrays that are empty included: a trip count
is ``Clamp(n - 2)``, which is 0 where n < 2.

Two quantities are equal if they are the same polynomial in the same atoms, however they were made. That is not
looked up term by term: each carries a ``mark``, its value where every atom stands for a number made of its content,
modulo a prime of 127 bits (Schwartz 1980, Zippel 1979: two polynomials of degree d that differ agree at such a point
with a chance of d/2**127). So equality and hashing take no time and no stack, whatever a quantity is made of.

A quantity that grows beyond ``TERMS`` terms goes on as one atom, :class:`SharedPart`: what is built of it refers to
it and does not repeat it. Quantities are so a directed acyclic graph, and what a chain of procedures that each call
the next one twice costs is as long as the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from snapset.analysis.symbolic.atoms import (
    NO_COUNTERS,
    ONE_MONOMIAL,
    PRIME,
    REMEMBERED,
    Atom,
    Counter,
    Monomial,
    SharedPart,
    Sym,
    atoms_of,
    counters_of,
    joined,
    mark_of,
    never_negative,
    weight_of,
)
from snapset.analysis.symbolic.quantity_traits import LinearForm, Written
from snapset.frontend.base.frozen_records import frozen

if TYPE_CHECKING:
    from snapset.analysis.symbolic.comparison import Truth

Number: TypeAlias = int | Fraction
_HALF: Final = PRIME // 2
TERMS: Final = 1 << 10
"""A sum or product with more terms than these goes on as a shared part."""


@frozen(eq=False)
class Quantity(LinearForm, Written):
    """A whole number that depends on the program's integers: bytes, how often a loop runs, a subscript.

    Integers may stand for quantities in every operation::

        >>> n, nt = Quantity.read("n"), Quantity.read("nt")
        >>> print(8*n*(nt - 2))
        8*n*(nt - 2)
        >>> 8*nt*(3*n - 1) == 24*n*nt - 8*nt
        True
        >>> (8*n).evaluate(n=10)
        80
        >>> print(Quantity.max(n, 2*nt) + 4, (n + 1)//2, (8*n).given(n=nt + 1))
        max(n, 2*nt) + 4 floor((n + 1)/2) 8*nt + 8

    A comparison has three answers, for all integers that the names can stand for::

        >>> 8*n <= 8*n + 8, 8*n < 8*n, 8*n <= 8*nt
        (<Truth.YES: 'yes'>, <Truth.NO: 'no'>, <Truth.UNKNOWN: 'unknown'>)
        >>> n <= n*n, n.at_most(n*n, n=1)
        (<Truth.UNKNOWN: 'unknown'>, <Truth.YES: 'yes'>)

    Sums over loops have a closed form where there is one::

        >>> k = Quantity.read("k")
        >>> print((8*k).summed("k", n))
        4*n*(n - 1)
    """

    terms: Mapping[Monomial, Number]
    mark: int

    # ------------------------------------------------------------ sums and products

    def __add__(self, other: Quantity | int) -> Quantity:
        if not isinstance(other, Quantity):
            return self + number(other) if isinstance(other, int) else NotImplemented
        if not self.terms:
            return other
        if not other.terms:
            return self
        longer, shorter = (self, other) if len(self.terms) >= len(other.terms) else (other, self)
        return bounded(Quantity(_gathered(dict(longer.terms), shorter.terms, 1), (self.mark + other.mark) % PRIME))

    __radd__ = __add__

    def __sub__(self, other: Quantity | int) -> Quantity:
        if not isinstance(other, Quantity):
            return self + -other
        if self.mark == other.mark:
            return ZERO
        return bounded(Quantity(_gathered(dict(self.terms), other.terms, -1), (self.mark - other.mark) % PRIME))

    def apart(self, other: Quantity) -> Number | None:
        """``self - other`` where that is a number, without making the difference where it is none."""
        mine, theirs = self.terms, other.terms
        if self.mark == other.mark:
            return 0
        if abs(len(mine) - len(theirs)) > 1:
            return None
        if any(monomial and theirs.get(monomial) != factor for monomial, factor in mine.items()) or any(
                monomial and monomial not in mine for monomial in theirs):
            return None
        return tidy(mine.get(ONE_MONOMIAL, 0) - theirs.get(ONE_MONOMIAL, 0))

    def __rsub__(self, other: int) -> Quantity:
        return -self + other

    def __neg__(self) -> Quantity:
        return self.scaled(-1)

    def __mul__(self, other: Quantity | int) -> Quantity:
        if not isinstance(other, Quantity):
            return self.scaled(other) if isinstance(other, int) else NotImplemented
        for one, factor in ((self, other), (other, self)):
            number_ = one.constant
            if number_ is not None:
                return factor.scaled(number_)
        left, right = self, other
        if len(left.terms) == len(right.terms) == 1:
            ((here, a),), ((there, b),) = left.terms.items(), right.terms.items()
            return term(joined(here, there), a * b)
        if len(left.terms) * len(right.terms) > TERMS:  # the longer goes on as one atom, then both if need be
            left, right = sorted((left, right), key=lambda one: len(one.terms))
            right = folded(right)
            left = folded(left) if len(left.terms) * len(right.terms) > TERMS else left
        found: dict[Monomial, Number] = {}
        for here, a in left.terms.items():
            for there, b in right.terms.items():
                both = joined(here, there)
                found[both] = found.get(both, 0) + a * b
        return from_terms(found)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Quantity:
        return product([self] * power)

    def __floordiv__(self, other: Quantity | int) -> Quantity:
        """Fortran's integer division, towards zero: Python's where neither is negative."""
        from snapset.analysis.symbolic.extrema import quotient

        found = quotient(self, _quantity(other))
        if found is None:
            raise ZeroDivisionError(f"{self} // 0")
        return found

    def __rfloordiv__(self, other: int) -> Quantity:
        return number(other) // self

    def scaled(self, factor: Number) -> Quantity:
        if factor == 1:
            return self
        if not factor:
            return ZERO
        terms = {m: n if type(n := a * factor) is int else tidy(n) for m, a in self.terms.items()}
        return Quantity(terms, self.mark * _residue(factor) % PRIME)

    # ------------------------------------------------------------ comparison

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quantity):
            return self.mark == other.mark
        if not isinstance(other, int):
            return False
        value = self.constant
        return self.mark == _residue(other) if value is None else value == other

    def __hash__(self) -> int:
        """Of a number the number's, also where that does not show: ``n - P1`` with ``P1 = n + 3`` is -3."""
        if len(self.terms) < 2:
            value = self.constant
            if type(value) is int:
                return hash(value)
        return hash(self.mark if self.mark <= _HALF else self.mark - PRIME)

    def __le__(self, other: Quantity | int) -> Truth:
        return self.at_most(_quantity(other))

    def __ge__(self, other: Quantity | int) -> Truth:
        return _quantity(other).at_most(self)

    def __lt__(self, other: Quantity | int) -> Truth:
        return (self + 1).at_most(_quantity(other))

    def __gt__(self, other: Quantity | int) -> Truth:
        return (_quantity(other) + 1).at_most(self)

    def at_most(self, other: Quantity | int, **least: int) -> Truth:
        """Is it never above the other, where names are at least so large? ``(8*n).at_most(8*n*n, n=1)`` is yes."""
        from snapset.analysis.symbolic.comparison import ask

        return ask(self, _quantity(other), least)

    # ------------------------------------------------------------ numbers, text, other tools

    @staticmethod
    def read(text: str) -> Quantity:
        """What :func:`str` wrote, read back; names stand for 1 or more. Raises ValueError for anything else."""
        from snapset.analysis.symbolic.formula_reader import read

        return read(text)

    def __str__(self) -> str:
        """As reports write it: loops run and arrays are not empty."""
        from snapset.analysis.symbolic.rendering import text

        return text(self)

    def __repr__(self) -> str:
        return f"Quantity.read({str(self)!r})"

    def evaluate(self, values: Mapping[str, int] | None = None, /, **more: int) -> int:
        """The number it is where ``n=10`` and so on; ``{"size(x)": 5}`` for names that Python does not take.

        Exact: what is empty counts nothing. Raises UnknownSizeError for names without a number, ZeroDivisionError.
        """
        from snapset.analysis.symbolic.numeric_value import evaluate

        return evaluate(self, {**(values or {}), **more})

    def given(self, values: Mapping[str, int | Quantity] | None = None, /, **more: int | Quantity) -> Quantity:
        """The quantity with numbers or quantities in the place of some names."""
        from snapset.analysis.symbolic.substitution import replaced_names

        return replaced_names(self, {name: _quantity(one) for name, one in {**(values or {}), **more}.items()})

    def summed(self, over: str, count: Quantity | int) -> Quantity:
        """The sum for ``over`` = 0, 1, ... ``count`` - 1; 0 where ``count`` is negative."""
        from snapset.analysis.symbolic.loop_sums import summed

        return summed(self, over, _quantity(count))

    @staticmethod
    def max(*quantities: Quantity | int) -> Quantity:
        """The largest."""
        from snapset.analysis.symbolic.extrema import extreme

        return extreme("max", map(_quantity, quantities))

    @staticmethod
    def min(*quantities: Quantity | int) -> Quantity:
        """The smallest."""
        from snapset.analysis.symbolic.extrema import extreme

        return extreme("min", map(_quantity, quantities))

    def to_sympy(self) -> Any:
        """The same as a sympy expression, names as integer symbols."""
        from snapset.analysis.symbolic.sympy_conversion import to_sympy

        return to_sympy(self)

    # ------------------------------------------------------------ what it is made of

    @property
    def constant(self) -> Number | None:
        """Its value, where it is a number."""
        terms = self.terms
        if len(terms) > 1:
            return None
        return terms.get(ONE_MONOMIAL) if terms else 0

    def atoms(self) -> set[Atom]:
        """The atoms it is a polynomial of (not those inside them)."""
        return set[Atom]().union(*map(atoms_of, self.terms))

    # ------------------------------------------------------------ what the arithmetic asks

    @property
    def counters(self) -> frozenset[Counter]:
        """The loop counters in it that no sum or maximum binds."""
        return NO_COUNTERS.union(*map(counters_of, self.terms))

    @property
    def weight(self) -> int:
        """How many terms it is written with, those inside atoms included, shared parts as one each."""
        return sum(map(weight_of, self.terms))

    @property
    def never_negative(self) -> bool:
        """Certainly >= 0, whatever the names stand for? (False: not known.)"""
        return all(factor > 0 and never_negative(monomial) for monomial, factor in self.terms.items())


def tidy(value: Number) -> Number:
    """A fraction that is whole as an integer."""
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


def _residue(value: Number) -> int:
    if isinstance(value, int):
        return value % PRIME
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


ZERO: Final = Quantity({}, 0)


def number(value: Number) -> Quantity:
    return Quantity({ONE_MONOMIAL: value}, _residue(value)) if value else ZERO


ONE: Final = number(1)


@lru_cache(maxsize=REMEMBERED)
def named(text: str) -> Quantity:
    """A name of the program as a quantity."""
    return of(Sym(text))


@lru_cache(maxsize=REMEMBERED)
def of(atom: Atom) -> Quantity:
    """An atom as a quantity."""
    return Quantity({frozenset(((atom, 1),)): 1}, atom.mark)


def add(*quantities: Quantity) -> Quantity:
    """The sum."""
    longest = max(range(len(quantities)), key=lambda i: len(quantities[i].terms), default=0)
    found: dict[Monomial, Number] = dict(quantities[longest].terms) if quantities else {}
    for quantity in (*quantities[:longest], *quantities[longest + 1:]):
        _gathered(found, quantity.terms, 1)
    return bounded(Quantity(found, sum(one.mark for one in quantities) % PRIME))


def replaced(quantity: Quantity, moved: Mapping[Monomial, Quantity]) -> Quantity:
    """The quantity with others in the place of some of its products of atoms."""
    found = {m: a for m, a in quantity.terms.items() if m not in moved}
    mark = quantity.mark
    for monomial, new in moved.items():
        factor = quantity.terms[monomial]
        _gathered(found, new.terms, factor)
        mark += _residue(factor) * (new.mark - mark_of(monomial))
    return bounded(Quantity(found, mark % PRIME))


def _gathered(found: dict[Monomial, Number], terms: Mapping[Monomial, Number],
              times: Number) -> dict[Monomial, Number]:
    """``found`` with so many times these terms added; what comes to nothing is gone."""
    for monomial, factor in terms.items():
        total = found.get(monomial, 0) + times * factor
        if total:
            found[monomial] = total if type(total) is int else tidy(total)
        else:
            del found[monomial]
    return found


def product(quantities: Iterable[Quantity]) -> Quantity:
    return reduce(Quantity.__mul__, quantities, ONE)


def from_terms(found: Mapping[Monomial, Number]) -> Quantity:
    """The sum of monomials with these factors, zeros among them left out."""
    terms: dict[Monomial, Number] = {}
    mark = 0
    for monomial, factor in found.items():
        if factor:
            whole = terms[monomial] = factor if type(factor) is int else tidy(factor)
            mark += (whole if type(whole) is int else _residue(whole)) * mark_of(monomial)
    return bounded(Quantity(terms, mark % PRIME))


def term(monomial: Monomial, factor: Number) -> Quantity:
    """One monomial with a factor that is not 0."""
    whole = tidy(factor)
    return Quantity({monomial: whole}, _residue(whole) * mark_of(monomial) % PRIME)


def bounded(quantity: Quantity) -> Quantity:
    """The quantity, as a shared part if it is long."""
    return quantity if len(quantity.terms) <= TERMS else folded(quantity)


def folded(quantity: Quantity) -> Quantity:
    """The quantity as one atom; what depends on loop counters stays to be summed, unless it is long itself."""
    moving = {m: a for m, a in quantity.terms.items() if counters_of(m)}
    if 0 < len(moving) <= TERMS // 4:
        steady = from_terms({m: a for m, a in quantity.terms.items() if m not in moving})
        return folded(steady) + from_terms(moving) if steady.terms else quantity
    return of(SharedPart(quantity)) if len(quantity.terms) > 1 else quantity


def _quantity(value: Quantity | int) -> Quantity:
    return value if isinstance(value, Quantity) else number(value)
