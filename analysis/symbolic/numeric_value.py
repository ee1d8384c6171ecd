"""The number that a quantity is, for numbers of its names: exact for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

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
)
from snapset.analysis.symbolic.extrema import truncated
from snapset.analysis.symbolic.polynomials import Number, Quantity, squeezed
from snapset.frontend.base.deep_recursion import deep


def value(quantity: Quantity, given: Callable[[Sym], int | None], first: bool = False) -> int | None:
    """The number a quantity is for the names' values; None where one is not known, or something is divided by zero.

    ``first``: of what depends on the iteration of loops around it, in the first one.
    """
    return Evaluation(given, defaultdict(int) if first else {}).number(quantity)


def evaluate(quantity: Quantity, numbers: Mapping[str, int]) -> int:
    """The number that a quantity is. Raises KeyError for a name that has none, ZeroDivisionError."""
    table = {squeezed(name): number for name, number in numbers.items()}
    missing = sorted({one.name for one in quantity.names if squeezed(one.name) not in table})
    if missing:
        raise KeyError(f"no number is given for {', '.join(missing)}")
    found = value(quantity, lambda sym: table[squeezed(sym.name)])
    if found is None:
        raise ZeroDivisionError(f"{quantity} for {dict(numbers)}")
    return found


class Evaluation:
    """Evaluations under the same numbers for names. What was worked out is kept: of what stands outside all loops for
    good, of what depends on an iteration until the outermost quantity is done, under the numbers of those iterations.
    So ``sum(max(m, j) for i) for j`` asks for ``m`` once, and for the sum once for each j.

    A shared part is worked out once for each set of values that its names have in it. ``steps`` counts what was worked
    out.
    """

    def __init__(self, given: Callable[[Sym], int | None], counters: dict[Counter, Number],
                 done: dict[object, Number | None] | None = None) -> None:
        self.given = given
        self.counters = counters
        self.done: dict[object, Number | None] = {} if done is None else done
        self.closed: dict[int, Number | None] = {}
        self.open: dict[tuple[object, ...], Number | None] = {}
        self.order: dict[int, tuple[Counter, ...]] = {}
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
        mark = atom.mark
        if not atom.counters:
            if mark not in self.closed:
                self.closed[mark] = self.compound(atom)
            return self.closed[mark]
        if mark not in self.order:
            self.order[mark] = tuple(sorted(atom.counters, key=lambda one: one.mark))
        key = mark, *[self.counters[one] for one in self.order[mark]]
        if key not in self.open:
            self.open[key] = self.compound(atom)
        return self.open[key]

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
                a, b = self.of(top), self.of(bottom)
                return None if a is None or not b else truncated(int(a), int(b))
            case Power(base=base, exponent=exponent):
                return _power(self.of(base), self.of(exponent))
            case Extreme(op=op, of=those):
                values = [self.of(one) for one in those]
                known = [v for v in values if v is not None]
                return (max if op == "max" else min)(known) if len(known) == len(values) else None
            case Over():
                return self.over(atom)
            case SharedPart():
                return self.shared(atom)
            case _:
                raise AssertionError(atom)

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
        values: dict[Name, Number] = {}
        bound = dict(atom.given)
        for name in atom.body.names:
            found = self.of(bound[name]) if name in bound else self.atom(name)
            if found is None:
                return None
            values[name] = found
        key = atom.body.mark, frozenset(values.items())
        if key not in self.done:
            counters = {name: one for name, one in values.items() if isinstance(name, Counter)}
            inside = Evaluation(lambda sym: int(values[sym]), counters, self.done)
            self.done[key] = inside.of(atom.body)
            self.steps += inside.steps
        return self.done[key]


def _power(base: Number | None, exponent: Number | None) -> Number | None:
    """Fortran's: 2**(-1) is 0."""
    if base is None or exponent is None or (base == 0 and exponent < 0):
        return None
    return int(base)**int(exponent) if exponent >= 0 else truncated(1, int(base)**-int(exponent))
