"""Byte counts as polynomials in sizes and trip counts. No computer algebra system: sums, products, maxima.

Every operation is exact for all values of the names, loops that do not run and arrays that are empty
included: a trip count is ``Clamp(n - 2)``, which is 0 where n < 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Literal, TypeAlias

from snapset.frontend.ir import Area

Number: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Sym:
    """An integer of the program by name: a variable's value (``what`` ''), or of an array ``size`` (``size:2``:
    of its second dimension, ``trips``: a count that is not known, ``bytes``: a size that is not known, ``tag``: see
    :mod:`snapset.analysis.costs.tape_pushes`). ``area``, ``path``: which variable, where it
    is one (a caller renames it)."""

    name: str
    area: Area | None = None
    path: tuple[str, ...] = ()
    what: str = ""


@dataclass(frozen=True, slots=True)
class Counter:
    """How many iterations of a loop are done: 0, 1, ... ``loop`` tells loops apart, ``name`` is for people."""

    name: str
    loop: str


@dataclass(frozen=True, slots=True)
class Clamp:
    """max(0, of): how many elements or iterations there are."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Runs:
    """1 where ``of`` > 0, else 0: does a loop run at all?"""

    of: Formula


@dataclass(frozen=True, slots=True)
class Quotient:
    """Fortran's integer division."""

    top: Formula
    bottom: Formula


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest or smallest of several."""

    op: Literal["max", "min"]
    of: frozenset[Formula]


@dataclass(frozen=True, slots=True)
class Over:
    """The sum or the maximum (0 for none) of ``body`` for ``counter`` = 0 .. ``count`` - 1."""

    op: Literal["sum", "max"]
    counter: Counter
    count: Formula
    body: Formula


Atom: TypeAlias = Sym | Counter | Clamp | Runs | Quotient | Extreme | Over
Monomial: TypeAlias = frozenset[tuple[Atom, int]]
ONE_MONOMIAL: Monomial = frozenset()
FEW = 1 << 11
OPENED = 64  # alternatives of a maximum, each of which is compared with what comes
REMEMBERED = 1 << 15  # results kept of each operation: they save time, and that equal formulas are held twice


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of monomials with factors (none zero)."""

    terms: frozenset[tuple[Monomial, Number]] = frozenset()

    def __add__(self, other: Formula) -> Formula:
        if not self.terms:
            return other
        if not other.terms:
            return self
        return add(self, other)

    def __sub__(self, other: Formula) -> Formula:
        if self.terms == other.terms:
            return ZERO
        return self + other.scaled(-1) if other.terms else self

    def __mul__(self, other: Formula) -> Formula:
        if self == ONE or other == ONE:
            return other if self == ONE else self
        found: dict[Monomial, Number] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                both = _joined(left, right)
                found[both] = found.get(both, 0) + a * b
        return _from(found)

    def scaled(self, factor: Number) -> Formula:
        if factor == 1:
            return self
        return Formula(frozenset([(m, _tidy(a * factor)) for m, a in self.terms])) if factor else ZERO

    @property
    def constant(self) -> Number | None:
        """Its value, where it is a number."""
        if not self.terms:
            return 0
        ((monomial, factor),) = self.terms if len(self.terms) == 1 else ((None, 0),)
        return factor if monomial == ONE_MONOMIAL else None

    def atoms(self) -> set[Atom]:
        """The atoms it is a polynomial of (not those inside them)."""
        return {atom for monomial, _ in self.terms for atom, _ in monomial}


ZERO = Formula()


def number(value: Number) -> Formula:
    return Formula(frozenset(((ONE_MONOMIAL, value),))) if value else ZERO


ONE = number(1)


@lru_cache(maxsize=REMEMBERED)
def of(atom: Atom) -> Formula:
    """An atom as a formula."""
    return Formula(frozenset(((frozenset(((atom, 1),)), 1),)))


def add(*formulas: Formula) -> Formula:
    """The sum."""
    longest = max(range(len(formulas)), key=lambda i: len(formulas[i].terms), default=0)
    found: dict[Monomial, Number] = dict(formulas[longest].terms) if formulas else {}
    for formula in (*formulas[:longest], *formulas[longest + 1:]):
        for monomial, factor in formula.terms:
            total = found.get(monomial, 0) + factor
            if total:
                found[monomial] = _tidy(total)
            else:
                del found[monomial]
    return _one(frozenset(found.items()))


def product(formulas: Iterable[Formula]) -> Formula:
    return reduce(Formula.__mul__, formulas, ONE)


def _from(found: Mapping[Monomial, Number]) -> Formula:
    return _one(frozenset([(m, _tidy(a)) for m, a in found.items() if a]))


@lru_cache(maxsize=REMEMBERED)
def _one(terms: frozenset[tuple[Monomial, Number]]) -> Formula:
    """The same object for the same terms: most formulas come up several times."""
    return Formula(terms)


def _tidy(value: Number) -> Number:
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


@lru_cache(maxsize=REMEMBERED)
def _joined(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    powers = dict(left)
    for atom, power in right:
        powers[atom] = 1 if isinstance(atom, Runs) else powers.get(atom, 0) + power
    for atom in [a for a in powers if isinstance(a, Runs) and Clamp(a.of) in powers]:
        del powers[atom]  # the count itself is zero where the loop does not run
    return frozenset(powers.items())


# ---------------------------------------------------------------- signs


def not_negative(formula: Formula) -> bool:
    """Certainly >= 0, whatever the names stand for? (False: not known.)"""
    return all(factor > 0 and _monomial_not_negative(monomial) for monomial, factor in formula.terms)


def at_least(high: Formula, low: Formula) -> bool:
    """Certainly high >= low? (False: not known.)"""
    if high is low:
        return True
    table, lower = _table(high), _table(low)
    for monomial, factor in low.terms:
        room = table.get(monomial, 0)
        if room < factor or (room > factor and not _monomial_not_negative(monomial)):
            return False
    return all(m in lower or (factor > 0 and _monomial_not_negative(m)) for m, factor in high.terms)


@lru_cache(maxsize=REMEMBERED)
def _weight(formula: Formula) -> Number:
    """The sum of all factors. What is certainly above another weighs at least as much, being above it term by term."""
    return sum(factor for _, factor in formula.terms)


@lru_cache(maxsize=FEW)
def _table(formula: Formula) -> Mapping[Monomial, Number]:
    return dict(formula.terms)


@lru_cache(maxsize=REMEMBERED)
def _monomial_not_negative(monomial: Monomial) -> bool:
    return all(_atom_not_negative(a) or power % 2 == 0 for a, power in monomial)


def _atom_not_negative(atom: Atom) -> bool:
    match atom:
        case Clamp() | Runs() | Counter():
            return True
        case Sym(what=what):
            return what.startswith("size") or what in ("trips", "bytes", "tag")
        case Quotient(top=top, bottom=bottom):
            return not_negative(top) and not_negative(bottom)
        case Extreme(op="max", of=those):
            return any(not_negative(x) for x in those)
        case Extreme(of=those):
            return all(not_negative(x) for x in those)
        case Over(body=body):
            return not_negative(body)


def clamp(formula: Formula) -> Formula:
    """max(0, formula)."""
    value = formula.constant
    if value is not None:
        return number(max(0, value))
    return formula if not_negative(formula) else of(Clamp(formula))


def runs(count: Formula) -> Formula:
    """1 where ``count`` > 0, else 0."""
    value = count.constant
    if value is not None:
        return ONE if value > 0 else ZERO
    only = next(iter(count.terms))[0] if len(count.terms) == 1 else frozenset()
    if len(only) == 1:  # a clamped count, perhaps with a factor: it runs when what is clamped does
        ((atom, _),) = only
        if isinstance(atom, Clamp) and next(iter(count.terms))[1] > 0:
            return of(Runs(atom.of))
    return of(Runs(count))


def quotient(top: Formula, bottom: Formula) -> Formula | None:
    """Integer division; None by zero."""
    a, b = top.constant, bottom.constant
    if b == 0:
        return None
    if a is not None and b is not None:
        return number(truncated(int(a), int(b)))
    return top if b == 1 else of(Quotient(top, bottom))


def truncated(a: int, b: int) -> int:
    """Fortran's a/b."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# ---------------------------------------------------------------- maxima


def maximum(formulas: Iterable[Formula]) -> Formula:
    """The largest of several byte counts (0 of none); what is certainly not above another is dropped."""
    flat: dict[Formula, None] = {}
    for formula in formulas:
        flat.update(dict.fromkeys(alternatives(formula)))
    kept: list[Formula] = []
    for one in sorted(flat, key=_weight, reverse=True):  # only what weighs more can be certainly above
        if not any(at_least(other, one) for other in kept):
            kept.append(one)
    return _largest(kept if len(kept) <= OPENED else _gathered(kept))


def _largest(formulas: list[Formula]) -> Formula:
    if len(formulas) < 2:
        return formulas[0] if formulas else ZERO
    common = _common(formulas)
    return common + of(Extreme("max", frozenset(one - common for one in formulas)))


def _gathered(formulas: list[Formula]) -> list[Formula]:
    """Too many to be compared with what comes as one, every time: those that hold no maximum yet become one, or those
    that do, whichever are more. So maxima are nested as deep as the logarithm of their number."""
    deep: list[Formula] = []
    plain: list[Formula] = []
    for formula in formulas:
        (deep if any(isinstance(atom, Extreme) for atom in formula.atoms()) else plain).append(formula)
    most, others = (deep, plain) if len(deep) > len(plain) else (plain, deep)
    return [_largest(most), *others] if others else [_largest(most[1:]), most[0]]


@lru_cache(maxsize=FEW)
def alternatives(formula: Formula) -> tuple[Formula, ...]:
    """``c + max(a, b)`` as c + a, c + b."""
    whole = [atom for atom in formula.atoms() if isinstance(atom, Extreme) and atom.op == "max"]
    if len(whole) != 1:
        return (formula,)
    inner = of(whole[0])
    rest = formula - inner
    if whole[0] in rest.atoms():
        return (formula,)
    return tuple(rest + one for one in whole[0].of)


def _common(formulas: list[Formula]) -> Formula:
    """The terms all share, with the least factor each."""
    tables = [dict(one.terms) for one in formulas]
    shared = set(tables[0]).intersection(*tables[1:])
    return _from({m: least for m in shared if (least := min(t[m] for t in tables)) > 0})


# ---------------------------------------------------------------- substitution and values


def substitute(formula: Formula, change: Callable[[Atom], Formula | None]) -> Formula:
    """The formula with atoms replaced; ``change`` gives None for what stays, and is asked from outside in."""
    return Substitution(change, {}).formula(formula)


@dataclass(frozen=True, slots=True)
class Substitution:
    """One way of replacing atoms; ``known``: what was replaced already."""

    change: Callable[[Atom], Formula | None]
    known: dict[Atom, Formula]

    def formula(self, formula: Formula) -> Formula:
        if all(not monomial for monomial, _ in formula.terms):
            return formula
        changed = {atom: self.atom(atom) for atom in formula.atoms()}
        if all(new == of(atom) for atom, new in changed.items()):
            return formula
        return add(*(product(changed[atom] for atom, power in monomial for _ in range(power)).scaled(factor)
                     for monomial, factor in formula.terms))

    def atom(self, atom: Atom) -> Formula:
        found = self.known.get(atom)
        if found is None:
            found = self.change(atom)
            self.known[atom] = found = self.inside(atom) if found is None else found
        return found

    def inside(self, atom: Atom) -> Formula:
        match atom:
            case Clamp(of=inner):
                return clamp(self.formula(inner))
            case Runs(of=inner):
                return runs(self.formula(inner))
            case Quotient(top=top, bottom=bottom):
                top, bottom = self.formula(top), self.formula(bottom)
                return quotient(top, bottom) or of(Quotient(top, bottom))
            case Extreme(op=op, of=those):
                return extreme(op, [self.formula(x) for x in those])
            case Over(op=op, counter=counter, count=count, body=body):
                from snapset.analysis.symbolic.loop_sums import over

                return over(op, counter, self.formula(count), self.formula(body))
            case _:
                return of(atom)


def extreme(op: Literal["max", "min"], values: list[Formula]) -> Formula:
    """MAX or MIN of integers of any sign."""
    constants = [v.constant for v in values]
    if all(c is not None for c in constants):
        return number((max if op == "max" else min)(c for c in constants if c is not None))
    distinct = frozenset(values)
    return next(iter(distinct)) if len(distinct) == 1 else of(Extreme(op, distinct))
