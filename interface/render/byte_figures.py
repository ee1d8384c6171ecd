"""Bytes as numbers or as formulas in the program's own names: the only module that imports sympy.

A formula is written as one would in a paper: ``8*n``, ``8*m*n + 16``, ``8*nsteps*(n - 2)``, ``4*size(x)``.
It counts loops that run and arrays that are not empty; with numbers put in, an empty one counts zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from snapset.analysis.results import Amount, Bytes, Term
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.polynomials import ZERO, Formula, Sym, add, extreme, number, of, product, quotient
from snapset.analysis.symbolic.rendering import RenderingMemo, known, text
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Binary, Expr, Intrinsic, Literal_, Ref, Unary

LARGEST_POWER = 8
_ASSUMPTION = re.compile(r"\s*([a-z]\w*(?:(?:%|::)[a-z]\w*)*(?:\([\w\s,%:/]*\))?)\s*=\s*(\d{1,400})\s*", re.IGNORECASE)


def parse_assumption(text: str) -> tuple[str, int]:
    """``n=1000`` or ``size(x)=50`` as (name, value).

    Raises InputError unless it is a name, an equals sign and a number that is not negative.
    """
    match = _ASSUMPTION.fullmatch(text)
    if match is None:
        raise InputError(f"--assume {text}: not NAME=NUMBER; write for instance n=1000 or 'size(x)=50'")
    return squeeze(match[1]), int(match[2])


def squeeze(name: str) -> str:
    """A name without blanks, in lower case: how assumed names and those of formulas are compared."""
    return "".join(name.split()).lower()


def total(amounts: Iterable[Bytes | None]) -> Bytes | None:
    """The sum of figures; None as soon as one of them is not known."""
    terms: list[Term] = []
    formulas: list[Formula] = []
    for amount in amounts:
        match amount:
            case None:
                return None
            case Formula():
                formulas.append(amount)
            case Amount():
                terms.extend(amount.terms)
    if not formulas:
        return Amount(tuple(terms))
    rest = _Polynomials(lambda name: None, whole=True).amount(Amount(tuple(terms)))
    return None if rest is None else add(*formulas, rest)


@dataclass(frozen=True, slots=True)
class Figures:
    """Turns amounts into figures, with ``assume`` giving values to sizes and trip counts by name.

    ``used`` collects the assumed names that a formula did contain, ``contained`` all names in formulas, once there is
    something to assume.
    """

    assume: Mapping[str, int] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    contained: set[str] = field(default_factory=set)
    _known: dict[Bytes, int | str | None] = field(default_factory=dict)
    _memory: RenderingMemo = field(default_factory=RenderingMemo)

    def __call__(self, amount: Bytes | None) -> int | str | None:
        """A number where everything is known, else a formula; None where the amount is not known."""
        if amount is None:
            return None
        if amount not in self._known:
            self._known[amount] = self._formula(amount) if isinstance(amount, Formula) else self._figure(amount)
        return self._known[amount]

    def known(self, amount: Bytes, figure: int | str | None) -> None:
        """Take a figure that was made before."""
        self._known[amount] = figure

    def again(self) -> Figures:
        """The same with nothing used yet; what was written of formulas is not lost."""
        return Figures(self.assume, _memory=self._memory)

    def value(self, name: Sym) -> int | None:
        """The number assumed for a name."""
        return self.assumed(name.name)

    def assumed(self, name: str) -> int | None:
        """The same, by its text."""
        key = squeeze(name)
        self.contained.add(key)
        if key in self.assume:
            self.used.add(key)
        return self.assume.get(key)

    def _formula(self, formula: Formula) -> int | str:
        if self.assume:
            formula = known(formula, self.value)
        value = formula.constant
        return text(formula, self._memory) if value is None else int(value)

    def text(self, amount: Bytes | None) -> str:
        """The same for people: digits grouped, ``unknown`` spelt out."""
        figure = self(amount)
        if figure is None:
            return "unknown"
        return f"{figure:,}" if isinstance(figure, int) else figure

    def _figure(self, amount: Amount) -> int | str | None:
        if all(not term.factors for term in amount.terms):
            return sum(term.factor for term in amount.terms)
        polynomial = _Polynomials(self.assumed).amount(amount)
        if polynomial is not None:
            value = polynomial.constant
            return text(polynomial) if value is None else int(value)
        import sympy  # half a second, for divisions and maxima only

        builder = _Builder(sympy, self.assumed)
        terms = [builder.term(term) for term in amount.terms]
        if any(term is None for term in terms):
            return None
        formula = sympy.expand(sympy.Add(*terms))
        if formula.is_Integer:
            return int(formula)
        return min(_text(sympy, formula), _text(sympy, sympy.factor_terms(formula)), key=len)


@dataclass(frozen=True, slots=True)
class _Polynomials:
    """Integer expressions of the IR as polynomials; None for what is none, which sympy may know to write.

    ``whole``: divisions and maxima are taken too, as atoms."""

    assumed: Callable[[str], int | None]
    whole: bool = False

    def amount(self, amount: Amount) -> Formula | None:
        terms = [self.term(term) for term in amount.terms]
        return None if None in terms else add(*(term for term in terms if term is not None))

    def term(self, term: Term) -> Formula | None:
        found = number(term.factor)
        for factor in term.factors:
            value = self.formula(factor)
            if value is None:
                return None
            constant = value.constant
            # A loop that does not run or an empty array counts nothing, not less than nothing.
            found = ZERO if constant is not None and constant < 0 else found * value
        return found

    def formula(self, expr: Expr) -> Formula | None:
        match expr:
            case Literal_(value=bool()):
                return None
            case Literal_(value=int(value)):
                return number(value)
            case Ref():
                return self.symbol(expr)
            case Intrinsic(name=name, args=args) if self.whole and name in ("max", "min", "max0", "min0"):
                values = [self.formula(argument.value) for argument in args]
                known_ = [value for value in values if value is not None]
                return extreme("max" if name[:3] == "max" else "min", known_) if len(known_) == len(values) else None
            case Binary(op="/", left=left, right=right) if self.whole:
                one, other = self.formula(left), self.formula(right)
                return None if one is None or other is None else quotient(one, other)
            case Intrinsic(name=name) if name not in ("max", "min", "max0", "min0", "abs", "iabs"):
                return self.symbol(expr)
            case Unary(op="+" | "-", operand=operand):
                inner = self.formula(operand)
                return None if inner is None else inner.scaled(-1 if expr.op == "-" else 1)
            case Binary(op="+" | "-" | "*", left=left, right=right):
                one, other = self.formula(left), self.formula(right)
                if one is None or other is None:
                    return None
                return one * other if expr.op == "*" else one + other if expr.op == "+" else one - other
            case Binary(op="**", left=left, right=Literal_(value=int(power))) if 0 <= power <= LARGEST_POWER:
                inner = self.formula(left)
                return None if inner is None else product([inner] * power)
            case _:
                return None

    def symbol(self, expr: Ref | Intrinsic) -> Formula | None:
        name = source(expr)
        if name is None:
            return None
        value = self.assumed(name)
        return of(Sym(name)) if value is None else number(value)


@dataclass(frozen=True, slots=True)
class _Builder:
    """Integer expressions of the IR as sympy ones; None for what is not an integer formula."""

    sympy: Any
    assumed: Callable[[str], int | None]

    def term(self, term: Term) -> Any:
        product = self.sympy.Integer(term.factor)
        for factor in term.factors:
            value = self.formula(factor)
            if value is None:
                return None
            # A loop that does not run or an empty array counts nothing, not less than nothing.
            product *= self.sympy.Integer(0) if value.is_Integer and value < 0 else value
        return product

    def formula(self, expr: Expr) -> Any:
        match expr:
            case Literal_(value=bool()):
                return None
            case Literal_(value=int(number)):
                return self.sympy.Integer(number)
            case Ref():
                return self.symbol(expr)
            case Unary(op="+", operand=operand):
                return self.formula(operand)
            case Unary(op="-", operand=operand):
                value = self.formula(operand)
                return None if value is None else -value
            case Binary(op=op, left=left, right=right):
                return self.binary(op, self.formula(left), self.formula(right))
            case Intrinsic(name=name, args=args) if name in ("max", "min", "max0", "min0", "abs", "iabs"):
                values = [self.formula(argument.value) for argument in args]
                return None if any(v is None for v in values) else self.function(name)(*values)
            case Intrinsic():
                return self.symbol(expr)
            case _:
                return None

    def function(self, name: str) -> Callable[..., Any]:
        """Of an intrinsic, by its first three letters."""
        functions = {"max": self.sympy.Max, "min": self.sympy.Min, "abs": self.sympy.Abs, "iab": self.sympy.Abs}
        found: Callable[..., Any] = functions[name[:3]]
        return found

    def binary(self, op: str, left: Any, right: Any) -> Any:
        if left is None or right is None:
            return None
        match op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return self.quotient(left, right)
            case "**" if not right.is_negative:
                return left**right
            case _:
                return None

    def quotient(self, left: Any, right: Any) -> Any:
        """Fortran's: towards zero. Of formulas, which count something, downwards."""
        if right.is_zero:
            return None
        if left.is_Integer and right.is_Integer:
            return self.sympy.Integer(abs(int(left)) // abs(int(right))) * self.sympy.sign(left * right)
        return self.sympy.floor(left / right)

    def symbol(self, expr: Ref | Intrinsic) -> Any:
        name = source(expr)
        if name is None:
            return None
        value = self.assumed(name)
        return self.sympy.Symbol(name, integer=True) if value is None else self.sympy.Integer(value)


def _text(sympy: Any, formula: Any) -> str:
    """sympy's own text, but ``max``, ``min``, ``abs`` as in Fortran and one fraction line under ``floor``."""
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):  # type: ignore[misc, unused-ignore]
        def _print_floor(self, expr: Any) -> str:
            return f"floor({self._print(sympy.together(expr.args[0]))})"

        def _listed(self, expr: Any) -> str:
            arguments = sorted(self._print(argument) for argument in expr.args)
            return f"{type(expr).__name__.lower()}({', '.join(arguments)})"

        _print_Max = _print_Min = _print_Abs = _listed  # noqa: N815 (sympy looks for these names)

    return str(Printer().doprint(formula))
