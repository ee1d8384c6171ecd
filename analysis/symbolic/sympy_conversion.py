"""Quantities as sympy expressions: the only module of this room that uses sympy, when it is first asked for."""

from __future__ import annotations

from typing import Any

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
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.optional_packages import optional


def to_sympy(quantity: Quantity) -> Any:
    """The same integer as a sympy expression, names as integer symbols (sizes and counts not negative).

    Raises InputError where sympy is not installed."""
    return _Converter(optional("sympy", "proof", "to_sympy()")).quantity(quantity)


class _Converter:
    def __init__(self, sympy: Any, given: dict[Name, Any] | None = None) -> None:
        self.sympy = sympy
        self.given = given or {}
        self.done: dict[Atom, Any] = {}

    def quantity(self, quantity: Quantity) -> Any:
        return self.sympy.Add(*(
            self.sympy.Mul(self.sympy.Rational(factor.numerator, factor.denominator),
                           *(self.atom(atom)**power for atom, power in monomial))
            for monomial, factor in quantity.terms.items()))

    @deep
    def atom(self, atom: Atom) -> Any:
        if atom not in self.done:
            self.done[atom] = self.anew(atom)
        return self.done[atom]

    def anew(self, atom: Atom) -> Any:
        sympy = self.sympy
        match atom:
            case Sym(name=name) | Counter(name=name):
                never = True if atom.never_negative else None
                return self.given.get(atom, sympy.Symbol(name, integer=True, nonnegative=never))
            case Clamp(of=inner):
                return sympy.Max(0, self.quantity(inner))
            case Runs(of=inner):
                return sympy.Min(1, sympy.Max(0, self.quantity(inner)))
            case Quotient(top=top, bottom=bottom):
                above, below = self.quantity(top), self.quantity(bottom)
                if atom.never_negative:
                    return sympy.floor(above / below)
                return sympy.sign(above) * sympy.sign(below) * sympy.floor(sympy.Abs(above) / sympy.Abs(below))
            case Power(base=base, exponent=exponent):
                return self.quantity(base)**self.quantity(exponent)
            case Extreme(op=op, of=those):
                return (sympy.Max if op == "max" else sympy.Min)(*map(self.quantity, those))
            case Over():
                return self.over(atom)
            case SharedPart(body=body, given=given):
                bound = {name: self.quantity(value) for name, value in given}
                return _Converter(sympy, {**self.given, **bound}).quantity(body)
            case _:
                raise AssertionError(atom)

    def over(self, atom: Over) -> Any:
        """A sum; a maximum where the number of iterations is known."""
        count, k = self.quantity(atom.count), self.atom(atom.counter)
        body = self.quantity(atom.body)
        if atom.op == "sum":
            return self.sympy.Sum(body, (k, 0, count - 1))
        if not count.is_Integer:
            raise ValueError(f"sympy has no maximum over {atom.counter.name} = 0 .. {count - 1}")
        return self.sympy.Max(0, *(body.subs(k, i) for i in range(int(count))))
