"""The number that a quantity is, for numbers of its names: exact for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import inf

from snapset.analysis.symbolic.atoms import (
    Atom,
    Clamp,
    Counter,
    Extreme,
    Name,
    Over,
    Power,
    Quotient,
    Runs,
    SharedPart,
    Sym,
    squeezed,
)
from snapset.analysis.symbolic.extrema import truncated
from snapset.analysis.symbolic.polynomials import Number, Quantity
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.deep_recursion import deep


def value(quantity: Quantity, given: Callable[[Sym], int | None], first: bool = False) -> int | None:
    """The number a quantity is for the names' values; None where one is not known, or something is divided by zero.

    ``first``: of what depends on the iteration of loops around it, in the first one.
    """
    return Evaluation(given, defaultdict(int) if first else {}).number(quantity)


class UnknownSizeError(ValueError):
    """A figure is asked for as a number, and ``missing``, names in it, have none. Raises TypeError for a text."""

    def __init__(self, missing: Sequence[str]) -> None:
        collections("UnknownSizeError", missing=missing)
        self.missing = tuple(missing)
        plain = all(map(str.isidentifier, self.missing))
        said = ", ".join(f"{name}=..." if plain else f'"{name}": ...' for name in self.missing)
        super().__init__(f"no number is given for {', '.join(self.missing)}: "
                         f"evaluate({said if plain else '{' + said + '}'})")


def evaluate(quantity: Quantity, numbers: Mapping[str, int]) -> int:
    """The number that a quantity is. Raises UnknownSizeError for names that have none, ZeroDivisionError."""
    table = {squeezed(name): number for name, number in numbers.items()}
    missing = sorted({one.name for one in quantity.names if squeezed(one.name) not in table})
    if missing:
        raise UnknownSizeError(missing)
    found = value(quantity, lambda sym: table[squeezed(sym.name)])
    if found is None:
        raise ZeroDivisionError(f"{quantity} for {dict(numbers)}")
    return found


class Estimates:
    """Quantities as numbers to compare them by: each name that is not ``given`` a number stands for ``typical``. Exact:
    ``8*n**160`` for n = 100 is beyond every float. What quantities share is worked out once for all of them."""

    def __init__(self, typical: int, given: Mapping[str, int] | None = None) -> None:
        table = {squeezed(name): number for name, number in (given or {}).items()}
        self._evaluation = Evaluation(lambda sym: table.get(squeezed(sym.name), typical), {})

    def __call__(self, quantity: Quantity) -> float:
        """An int; infinite for what is divided by zero, or depends on an iteration."""
        if quantity.counters:
            return inf
        found = self._evaluation.number(quantity)
        return inf if found is None else found


class Evaluation:
    """Evaluations under the same numbers for names. What was worked out is kept: of what stands outside all loops for
    good, of what depends on an iteration until the outermost quantity is done, under the numbers of those iterations.
    So ``sum(max(m, j) for i) for j`` asks for ``m`` once, and for the sum once for each j.

    A shared part is worked out once for each set of values that its names have in it; one whose names are bound nowhere
    has one value, and nobody asks for those of its names. ``steps`` counts what was worked out. Equal quantities share
    a number, whatever names and counters they are written with, and never that there is none: of one that is written
    with other names there may be.
    """

    def __init__(self, given: Callable[[Sym], int | None], counters: dict[Counter, Number],
                 done: dict[object, Number] | None = None) -> None:
        self.given = given
        self.counters = counters
        self.done: dict[object, Number] = {} if done is None else done
        self.closed: dict[int, Number] = {}
        self.open: dict[tuple[object, ...], Number] = {}
        self.order: dict[frozenset[Counter], tuple[int, tuple[Counter, ...]]] = {}
        self.outermost = done is None
        self.steps = 0

    def number(self, quantity: Quantity) -> int | None:
        """The number of one more quantity."""
        found = self.of(quantity)
        self.open.clear()
        return None if found is None else int(found)

    def of(self, quantity: Quantity) -> Number | None:
        total: Number = 0
        for monomial, factor in quantity.terms.items():
            term: Number = factor
            for atom, power in monomial:
                one = self.atom(atom)
                if one is None:
                    return None
                term *= one**power
            total += term
        return total

    def atom(self, atom: Atom) -> Number | None:
        if isinstance(atom, Sym):
            return self.given(atom)
        if isinstance(atom, Counter):
            return self.counters[atom]
        if not atom.counters:
            mark = atom.mark
            found = self.closed.get(mark)
            if found is None:
                found = self.compound(atom)
                if found is not None:
                    self.closed[mark] = found
            return found
        number, order = self.order.get(atom.counters) or self.ordered(atom.counters)
        key = atom.mark, number, *[self.counters[one] for one in order]
        found = self.open.get(key)
        if found is None:
            found = self.compound(atom)
            if found is not None:
                self.open[key] = found
        return found

    def ordered(self, counters: frozenset[Counter]) -> tuple[int, tuple[Counter, ...]]:
        """Counters in an order, and a number that tells these from others."""
        self.order[counters] = found = len(self.order), tuple(sorted(counters, key=lambda one: one.mark))
        return found

    @deep
    def compound(self, atom: Atom) -> Number | None:
        self.steps += 1
        match atom:
            case Clamp(of=inner) | Runs(of=inner):
                x = self.of(inner)
                if x is None:
                    return None
                return max(0, x) if isinstance(atom, Clamp) else int(x > 0)
            case Quotient(top=top, bottom=bottom):
                a, b = self.two(top, bottom)
                return None if a is None or not b else truncated(int(a), int(b))
            case Power(base=base, exponent=exponent):
                return _power(*self.two(base, exponent))
            case Extreme(op=op, of=those):
                values: list[Number] = []
                for one in those:
                    known = self.of(one)
                    if known is None:
                        return None
                    values.append(known)
                return (max if op == "max" else min)(values)
            case Over():
                return self.over(atom)
            case SharedPart():
                return self.shared(atom)
            case _:
                raise AssertionError(atom)

    def two(self, one: Quantity, other: Quantity) -> tuple[Number | None, Number | None]:
        """Both, or neither: with two questions at each level, what has no number would be asked again too often."""
        first = self.of(one)
        return first, None if first is None else self.of(other)

    def over(self, atom: Over) -> Number | None:
        """The sum or maximum over a loop's iterations, one by one. A counter of that name further out is put back."""
        count = self.of(atom.count)
        if count is None:
            return None
        outer = dict(self.counters)
        values: list[Number] = []
        for k in range(int(count)):
            self.counters[atom.counter] = k
            one = self.of(atom.body)
            if one is None:
                break
            values.append(one)
        self.counters.clear()
        self.counters.update(outer)
        if len(values) < count:
            return None
        return sum(values) if atom.op == "sum" else max(values, default=0)

    def shared(self, atom: SharedPart) -> Number | None:
        if self.outermost and not atom.given and not atom.counters:
            return self.of(atom.body)
        values: dict[Name, Number] = {}
        bound = dict(atom.given)
        for name in atom.body.names:
            found = self.of(bound[name]) if name in bound else self.atom(name)
            if found is None:
                return None
            values[name] = found
        key = atom.body.mark, frozenset(values.items())
        number = self.done.get(key)
        if number is None:
            counters = {name: one for name, one in values.items() if isinstance(name, Counter)}
            inside = Evaluation(lambda sym: int(values[sym]), counters, self.done)
            number = inside.of(atom.body)
            self.steps += inside.steps
            if number is not None:
                self.done[key] = number
        return number


def _power(base: Number | None, exponent: Number | None) -> Number | None:
    """Fortran's: 2**(-1) is 0."""
    if base is None or exponent is None or (base == 0 and exponent < 0):
        return None
    return int(base)**int(exponent) if exponent >= 0 else truncated(1, int(base)**-int(exponent))
