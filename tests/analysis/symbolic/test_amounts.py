"""Bytes as numbers and formulas: what is printed for which size."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from snapset.analysis.memory.byte_sizes import quantity_of
from snapset.analysis.results import Bytes
from snapset.analysis.symbolic.extrema import clamp
from snapset.analysis.symbolic.polynomials import product
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import INTEGER, REAL, Argument, Binary, Expr, Intrinsic, Literal_, OpaqueExpr, PartRef, Ref
from snapset.render.layout.byte_figures import Figures, parse_assumption, total


def lit(value: int) -> Expr:
    return Literal_(value, INTEGER)


def ref(*names: str) -> Ref:
    return Ref(tuple(PartRef(name) for name in names), INTEGER)


def op(symbol: str, left: Expr, right: Expr) -> Expr:
    return Binary(symbol, left, right, INTEGER)


def call(name: str, *args: Expr) -> Expr:
    return Intrinsic(name, tuple(Argument(arg) for arg in args), INTEGER)


@dataclass(frozen=True)
class Term:
    """So many bytes for each element of an array with these extents."""

    each: int
    extents: tuple[Expr, ...] = ()


def amount(*terms: Term) -> Bytes | None:
    """Bytes as a declaration gives them: an empty array counts nothing."""
    every = [[quantity_of(extent) for extent in term.extents] for term in terms]
    if any(None in lengths for lengths in every):
        return None
    return total(product(clamp(one) for one in lengths if one is not None).scaled(term.each)
                 for term, lengths in zip(terms, every, strict=True))


N, M, X = ref("n"), ref("m"), Ref((PartRef("x"),), REAL, 1)
TRIPS_DOWN = op("/", op("+", op("-", lit(1), N), lit(-1)), lit(-1))  # do i = n, 1, -1
TRIPS_BY_2 = op("/", op("+", N, lit(1)), lit(2))

FORMULAS = {
    "nothing": (amount(), 0),
    "number": (amount(Term(8), Term(4)), 12),
    "one size": (amount(Term(8, (N,))), "8*n"),
    "a plane": (amount(Term(8, (N, M))), "8*m*n"),
    "a sum": (amount(Term(8, (N,)), Term(16)), "8*n + 16"),
    "like terms": (amount(Term(8, (N,)), Term(8, (N,)), Term(-8, (N,))), "8*n"),
    "cancelled": (amount(Term(8, (N,)), Term(-8, (N,))), 0),
    "a common factor": (amount(Term(8, (op("-", N, lit(2)), ref("nsteps")))), "8*nsteps*(n - 2)"),
    "a square": (amount(Term(8, (op("**", N, lit(2)),))), "8*n**2"),
    "a count downwards": (amount(Term(8, (TRIPS_DOWN,))), "8*n"),
    "a count by two": (amount(Term(8, (TRIPS_BY_2,))), "8*floor((n + 1)/2)"),
    "size of an array": (amount(Term(4, (call("size", X, lit(1)),))), "4*size(x, 1)"),
    "a component": (amount(Term(8, (ref("grid", "nx"),))), "8*grid%nx"),
    "max as in Fortran": (amount(Term(8, (call("max", M, N),))), "8*max(m, n)"),
    "what is never less": (amount(Term(8, (call("max", lit(0), N),))), "8*n"),  # as the peak has always written it
    "a difference either way": (amount(Term(8, (call("abs", op("-", N, M)),))), "8*abs(m - n)"),
    "a power of a size": (amount(Term(8, (op("**", lit(2), N),))), "8*2**n"),
    "not an integer formula": (amount(Term(8, (OpaqueExpr("z", ()),))), None),
    "unknown": (None, None),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_formula(name: str) -> None:
    given, expected = FORMULAS[name]
    assert Figures()(given) == expected


ASSUMED = {
    "all known": (amount(Term(8, (N, M)), Term(16)), {"n": 10, "m": 2}, 176),
    "some known": (amount(Term(8, (N, M))), {"m": 2}, "16*n"),
    "a call's value": (amount(Term(4, (call("size", X, lit(1)),))), {"size(x,1)": 5}, 20),
    "an empty loop counts zero": (amount(Term(8, (op("-", N, lit(2)),)), Term(4)), {"n": 0}, 4),
    "integer division": (amount(Term(8, (TRIPS_BY_2,))), {"n": 4}, 16),
    "towards zero": (amount(Term(8, (op("+", op("/", op("-", N, lit(5)), lit(2)), lit(1)),))), {"n": 4}, 8),
    "division by zero": (amount(Term(8, (op("/", lit(4), N),))), {"n": 0}, None),
}


@pytest.mark.parametrize("name", ASSUMED)
def test_assumed(name: str) -> None:
    given, assume, expected = ASSUMED[name]
    figures = Figures(assume)
    assert figures(given) == expected
    assert figures.used == set(assume)


def test_text_for_people() -> None:
    figures = Figures()
    assert [figures.text(one) for one in (amount(Term(1234567)), amount(Term(8, (N,))), None)] == [
        "1,234,567",
        "8*n",
        "unknown",
    ]


def test_total_is_unknown_when_a_part_is() -> None:
    assert total([amount(Term(8)), None]) is None
    assert Figures()(total([amount(Term(8)), amount(Term(8, (N,)))])) == "8*n + 8"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n=1000", ("n", 1000)),
        (" Size( X ) = 5", ("size(x)", 5)),
        ("g%nx=0", ("g%nx", 0)),
        ("size(x,1)=2", ("size(x,1)", 2)),
    ],
)
def test_assumption(text: str, expected: tuple[str, int]) -> None:
    assert parse_assumption(text) == expected


@pytest.mark.parametrize("text", ["n", "=5", "n=", "n=x", "n=-1", "n=1.5", "1=n", "n=1,m=2", ""])
def test_no_assumption(text: str) -> None:
    with pytest.raises(InputError, match="NAME=NUMBER"):
        parse_assumption(text)
