"""Names replaced by quantities: a callee's by what a call passes, sizes by their numbers, counters by iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from snapset.analysis.symbolic.atoms import (
    Atom,
    Clamp,
    Counter,
    Extreme,
    Monomial,
    Name,
    Over,
    Power,
    Quotient,
    Runs,
    SharedPart,
    Sym,
    squeezed,
)
from snapset.analysis.symbolic.extrema import clamp, extreme, power, quotient, runs
from snapset.analysis.symbolic.loop_sums import over
from snapset.analysis.symbolic.numeric_value import Evaluation
from snapset.analysis.symbolic.polynomials import (
    TERMS,
    Quantity,
    folded,
    number,
    of,
    product,
    replaced,
    term,
)
from snapset.frontend.base.deep_recursion import deep

Change: TypeAlias = Callable[[Atom], Quantity | None]
SMALL: Final = TERMS
"""What is written with no more terms than these is written anew when its names change; more is shared."""


def substitute(quantity: Quantity, change: Change) -> Quantity:
    """The quantity with names and counters replaced; ``change`` gives None for what stays."""
    return Substitution(change).quantity(quantity)


def with_counter(quantity: Quantity, counter: Counter, value: Quantity) -> Quantity:
    """The quantity with a counter given a value."""
    return CounterSubstitution(counter, value).quantity(quantity)


def known(quantity: Quantity, given: Callable[[Sym], int | None]) -> Quantity:
    """The quantity with the names that have a value replaced by it."""

    def change(atom: Atom) -> Quantity | None:
        if isinstance(atom, Sym):
            value = given(atom)
            return None if value is None else number(value)
        return None

    return substitute(quantity, change)


def replaced_names(quantity: Quantity, values: Mapping[str, Quantity]) -> Quantity:
    """The quantity with names replaced by what they are given."""
    table = {squeezed(name): value for name, value in values.items()}
    return substitute(quantity, lambda atom: table.get(squeezed(atom.name)) if isinstance(atom, Sym) else None)


class Rewriting:
    """Quantities written anew, atom by atom from outside in. ``done``: what was already."""

    def __init__(self) -> None:
        self.done: dict[Atom, Quantity] = {}
        self._products: dict[Monomial, Quantity | None] = {}  # None: what stays

    def quantity(self, quantity: Quantity) -> Quantity:
        if quantity.constant is not None:
            return quantity
        known = self._products
        for monomial in quantity.terms:
            if monomial not in known:
                known[monomial] = self._product(monomial)
        moved = {monomial: new for monomial in quantity.terms if (new := known[monomial]) is not None}
        return replaced(quantity, moved) if moved else quantity

    def _product(self, monomial: Monomial) -> Quantity | None:
        """What takes the place of a product of atoms; None: nothing in it changes."""
        anew, stays = [], []
        for atom, power_ in monomial:
            new = self.atom(atom)
            if new.mark == atom.mark:
                stays.append((atom, power_))
            else:
                anew.extend([new] * power_)
        return product((*anew, term(frozenset(stays), 1))) if anew else None

    def atom(self, atom: Atom) -> Quantity:
        found = self.done.get(atom)
        if found is None:
            self.done[atom] = found = self.anew(atom)
        return found

    def anew(self, atom: Atom) -> Quantity:
        """What takes an atom's place."""
        raise NotImplementedError


class Substitution(Rewriting):
    """One way of replacing names; ``change`` gives None for what stays. A shared part is not written anew: its names
    are bound, so that the time is that of the names, not of the terms."""

    def __init__(self, change: Change) -> None:
        super().__init__()
        self.change = change
        self.stay: set[Name] = set()  # names in shared parts of which it is known

    def lifted(self, quantity: Quantity) -> Quantity:
        """As :meth:`quantity`; a long one is shared with all other places that it is taken to."""
        return self.quantity(quantity if quantity.weight <= SMALL else folded(quantity))

    @deep
    def anew(self, atom: Atom) -> Quantity:
        found = self.change(atom)
        if found is not None:
            return found
        return self.shared(atom) if isinstance(atom, SharedPart) else rebuilt(atom, self.quantity)

    def shared(self, atom: SharedPart) -> Quantity:
        """The shared part with its names bound; a number where all of them are."""
        given: dict[Name, Quantity] = {name: self.quantity(value) for name, value in atom.given}
        for name in atom.body.names - self.stay:  # of a hundred names in a hundred parts few are new
            if name not in given:
                new = self.atom(name)
                if new == of(name):
                    self.stay.add(name)
                else:
                    given[name] = new
        return instance(atom.body, given)


class CounterSubstitution(Substitution):
    """A counter given a value. What it does not stand in, nearly everything, is not looked at."""

    def __init__(self, counter: Counter, value: Quantity) -> None:
        super().__init__(lambda atom: value if atom == counter else None)
        self.counter = counter

    def atom(self, atom: Atom) -> Quantity:
        return super().atom(atom) if self.counter in atom.counters else of(atom)


def instance(body: Quantity, given: Mapping[Name, Quantity]) -> Quantity:
    """A shared part with names bound, worked out where they are all bound to numbers."""
    numbers = {name: value.constant for name, value in given.items() if value.constant is not None}
    if body.names <= numbers.keys():
        counters = {name: value for name, value in numbers.items() if isinstance(name, Counter)}
        value = Evaluation(lambda sym: int(numbers[sym]), counters).of(body)
        if value is not None:
            return number(value)
    ordered = sorted(given.items(), key=lambda pair: pair[0].mark)
    return of(SharedPart(body, tuple(ordered)))


def rebuilt(atom: Atom, anew: Callable[[Quantity], Quantity]) -> Quantity:
    """An atom with other quantities in it."""
    match atom:
        case Clamp(of=inner):
            return clamp(anew(inner))
        case Runs(of=inner):
            return runs(anew(inner))
        case Quotient(top=top, bottom=bottom):
            top, bottom = anew(top), anew(bottom)
            return quotient(top, bottom) or of(Quotient(top, bottom))
        case Power(base=base, exponent=exponent):
            base, exponent = anew(base), anew(exponent)
            return power(base, exponent) or of(Power(base, exponent))
        case Extreme(op=op, of=those):
            return extreme(op, [anew(one) for one in those])
        case Over(op=op, counter=counter, count=count, body=body):
            return over(op, counter, anew(count), anew(body))
        case _:
            return of(atom)


def defined(quantity: Quantity) -> bool:
    """Is nothing in it divided by zero, whatever the names stand for?"""
    seen: set[Atom] = set()
    work = [quantity]
    while work:
        for atom in work.pop().atoms() - seen:
            if isinstance(atom, Quotient) and atom.bottom.constant == 0:
                return False
            seen.add(atom)
            work.extend(atom.inside())
    return True
