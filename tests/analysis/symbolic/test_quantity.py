"""Quantities against Python's own integers, and against sympy: what each operation says for numbers put in."""

from __future__ import annotations

import doctest
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product as every
from math import inf

import pytest
import snapset.analysis.symbolic.polynomials as polynomials
from hypothesis import given, settings
from hypothesis import strategies as st
from snapset import Quantity, Truth
from snapset.analysis.symbolic.atoms import Counter, Runs, SharedPart, Sym
from snapset.analysis.symbolic.extrema import clamp, maximum, power, runs
from snapset.analysis.symbolic.loop_sums import largest, total
from snapset.analysis.symbolic.numeric_value import Estimates, Evaluation, UnknownSizeError
from snapset.analysis.symbolic.ordinary import ordinary
from snapset.analysis.symbolic.polynomials import folded, named, number, of
from snapset.analysis.symbolic.rendering import text
from snapset.analysis.symbolic.substitution import with_counter
from snapset.frontend.persistence.serialization import dumps, loads

NAMES = ("n", "m", "k")
Values = dict[str, int]


@dataclass(frozen=True)
class Both:
    """A quantity and, judged by nothing of snapset, what it stands for."""

    quantity: Quantity
    value: Callable[[Values], int]


def truncated(a: int, b: int) -> int:
    return int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def leaves() -> st.SearchStrategy[Both]:
    numbers = st.integers(-9, 9).map(lambda c: Both(number(c), lambda _: c))
    return numbers | st.sampled_from(NAMES).map(lambda name: Both(named(name), lambda values: values[name]))


def larger(inner: st.SearchStrategy[Both]) -> st.SearchStrategy[Both]:
    def binary(op: str, a: Both, b: Both) -> Both:
        p, q, x, y = a.quantity, b.quantity, a.value, b.value
        return {
            "+": Both(p + q, lambda v: x(v) + y(v)),
            "-": Both(p - q, lambda v: x(v) - y(v)),
            "*": Both(p * q, lambda v: x(v) * y(v)),
            "max": Both(Quantity.max(p, q), lambda v: max(x(v), y(v))),
            "min": Both(Quantity.min(p, q), lambda v: min(x(v), y(v))),
        }[op]

    def unary(op: str, a: Both, c: int) -> Both:
        p, x = a.quantity, a.value
        return {
            "clamp": Both(clamp(p), lambda v: max(0, x(v))),
            "runs": Both(runs(p), lambda v: int(x(v) > 0)),
            "//": Both(p // c, lambda v: truncated(x(v), c)),
            "**": Both(p**abs(c), lambda v: x(v)**abs(c)),
            "folded": Both(folded(p), x),
            "int +": Both(c + p, lambda v: c + x(v)),
            "int -": Both(c - p, lambda v: c - x(v)),
            "int *": Both(c * p, lambda v: c * x(v)),
        }[op]

    divisors = st.sampled_from((-3, -2, 2, 3))
    return st.builds(binary, st.sampled_from(("+", "-", "*", "max", "min")), inner, inner) | st.builds(
        unary, st.sampled_from(("clamp", "runs", "//", "**", "folded", "int +", "int -", "int *")), inner, divisors)


BOTH = st.recursive(leaves(), larger, max_leaves=8)
VALUES = st.fixed_dictionaries({name: st.integers(-7, 12) for name in NAMES})
POINTS = [dict(zip(NAMES, one, strict=True)) for one in every((-4, -1, 0, 1, 3, 8), repeat=3)]


@settings(max_examples=500, deadline=None)
@given(BOTH, VALUES)
def test_every_operation_is_exact(both: Both, values: Values) -> None:
    assert both.quantity.evaluate(values) == both.value(values)


@settings(max_examples=300, deadline=None)
@given(BOTH, VALUES, st.sets(st.sampled_from(NAMES)))
def test_some_names_given_then_the_others(both: Both, values: Values, first: set[str]) -> None:
    part = both.quantity.given({name: values[name] for name in first})
    assert not {one.name for one in part.names} & first
    assert part.evaluate(values) == both.value(values)


@settings(max_examples=300, deadline=None)
@given(BOTH, BOTH, VALUES)
def test_names_given_by_quantities(both: Both, other: Both, values: Values) -> None:
    replaced = both.quantity.given(n=other.quantity)
    assert replaced.evaluate(values) == both.value({**values, "n": other.value(values)})


@settings(max_examples=400, deadline=None)
@given(BOTH, BOTH)
def test_what_is_equal_is_equal_everywhere_and_comparisons_are_right(one: Both, other: Both) -> None:
    pairs = [(one.value(at), other.value(at)) for at in POINTS]
    if one.quantity == other.quantity:
        assert hash(one.quantity) == hash(other.quantity)
        assert all(a == b for a, b in pairs)
    for answer, holds in ((one.quantity <= other.quantity, lambda a, b: a <= b),
                          (one.quantity < other.quantity, lambda a, b: a < b),
                          (one.quantity >= other.quantity, lambda a, b: a >= b),
                          (one.quantity > other.quantity, lambda a, b: a > b)):
        if answer != Truth.UNKNOWN:
            assert all(holds(a, b) == bool(answer) for a, b in pairs)
    positive = [(one.value(at), other.value(at)) for at in POINTS if min(at.values()) >= 1]
    least = one.quantity.at_most(other.quantity, n=1, m=1, k=1)
    if least != Truth.UNKNOWN:
        assert all((a <= b) == bool(least) for a, b in positive)


@settings(max_examples=300, deadline=None)
@given(BOTH, BOTH, BOTH)
def test_the_laws_of_rings(a: Both, b: Both, c: Both) -> None:
    x, y, z = a.quantity, b.quantity, c.quantity
    assert x + y == y + x
    assert (x + y) + z == x + (y + z)
    assert x - x == 0
    assert x * 1 == x
    assert x * 0 == 0
    if not any(isinstance(atom, Runs | SharedPart) for one in (x, y, z) for atom in one.atoms()):
        assert x * (y + z) == x * y + x * z  # 1 or 0 squared is itself, which a shared part does not show


def test_equality_is_that_of_polynomials() -> None:
    n, nt = named("n"), named("nt")
    assert 8*nt*(3*n - 1) == 24*n*nt - 8*nt
    assert 8*nt*(3*n - 1) != 24*n*nt - 7*nt
    assert folded(8*nt*(3*n - 1)) == 24*n*nt - 8*nt
    assert number(5) == 5
    assert hash(number(-5)) == hash(-5)
    assert {n + 1: "x"}[1 + n] == "x"
    assert n != "n"


SYMPY = [
    ("8*nt*(3*n - 1)", "8*nt*(3*n - 1)"),
    ("max(n, 2*nt) + min(n, 3)", "Max(n, 2*nt) + Min(n, 3)"),
    ("sum(8*k*n, k=0..n - 1)", "4*n**2*(n - 1)"),
    ("abs(n - nt)", "Abs(n - nt)"),
    ("2**n", "2**n"),
]


@pytest.mark.parametrize(("written", "expected"), SYMPY)
def test_to_sympy(written: str, expected: str) -> None:
    import sympy

    names = {name: sympy.Symbol(name, integer=True) for name in ("n", "nt")}
    found = Quantity.read(written).to_sympy() - sympy.sympify(expected, locals=names)
    assert sympy.simplify(found.rewrite(sympy.Max)) == 0 or all(
        found.subs({names["n"]: a, names["nt"]: b}) == 0 for a in range(6) for b in range(6))


@settings(max_examples=150, deadline=None)
@given(BOTH, VALUES)
def test_sympy_agrees(both: Both, values: Values) -> None:
    import sympy

    numbers = {sympy.Symbol(name, integer=True): values[name] for name in NAMES}
    assert int(both.quantity.to_sympy().subs(numbers)) == both.value(values)


@pytest.mark.parametrize("written", ["max(2, n)*min(n, -1)", "min(n - 3, 2)*max(n, nt)",
                                     "max(min(n, -1), -2)*max(2, n)"])
def test_a_maximum_times_what_may_be_negative_stays_that(written: str) -> None:
    n, nt = 1, 5
    assert Quantity.read(written).evaluate({"n": n, "nt": nt}) == eval(written)


@settings(max_examples=300, deadline=None)
@given(BOTH)
def test_text_is_right_where_loops_run_and_is_read_back(both: Both) -> None:
    plain = ordinary(both.quantity)
    written = str(both.quantity)
    assert text(plain) == written
    try:
        back = Quantity.read(written)
    except ValueError:
        return
    for at in POINTS:
        if min(at.values()) >= 1:
            assert back.evaluate(at) == plain.evaluate(at), written


@settings(max_examples=200, deadline=None)
@given(BOTH, st.integers(-1, 6), VALUES)
def test_sums_and_maxima_over_a_loop(both: Both, count: int, values: Values) -> None:
    body = [both.value({**values, "k": k}) for k in range(count)]
    assert both.quantity.summed("k", count).evaluate(values) == sum(body)
    assert both.quantity.summed("k", named("m")).evaluate({**values, "m": count}) == sum(
        both.value({**values, "m": count, "k": k}) for k in range(count))
    loop = Counter("k", "k")
    bytes_ = clamp(both.quantity).given(k=of(loop))
    assert largest(loop, number(max(count, 0)), bytes_).evaluate(values) == max((max(0, b) for b in body), default=0)


def test_a_sum_in_a_loop_is_worked_out_once_for_what_it_depends_on() -> None:
    """Of three loops of 50, the innermost hangs on the outermost alone, so there are not 125,000 evaluations."""
    i, j, k = (Counter(name, name) for name in "ijk")
    n = named("n")
    for by, most in (((), 400), ((i,), 20_000)):
        innermost = total(k, n, maximum([of(k), *(of(one) for one in by), number(7)]))
        whole = total(i, n, total(j, n, maximum([innermost, of(j) * of(i)])))
        evaluation = Evaluation(lambda sym: 50, {})
        rows = [sum(max(c, a if by else 0, 7) for c in range(50)) for a in range(50)]
        assert evaluation.number(whole) == sum(max(rows[a], a * b) for a in range(50) for b in range(50))
        assert evaluation.steps < most + 50 * 50 * 2
        before = evaluation.steps
        assert evaluation.number(whole * 2) == 2 * evaluation.number(whole)
        assert evaluation.steps == before


@settings(max_examples=200, deadline=None)
@given(st.lists(BOTH, min_size=1, max_size=6), VALUES)
def test_the_largest_of_byte_counts(several: list[Both], values: Values) -> None:
    found = maximum(clamp(one.quantity) for one in several)
    assert found.evaluate(values) == max(max(0, one.value(values)) for one in several)


@settings(max_examples=150, deadline=None)
@given(BOTH)
def test_what_is_packed_is_the_same_again(both: Both) -> None:
    assert loads(dumps(both.quantity)) == both.quantity
    assert pickle.loads(pickle.dumps(both.quantity)) == both.quantity
    assert str(loads(dumps(both.quantity))) == str(both.quantity)


def test_powers_with_a_name_as_exponent() -> None:
    two_to_n = power(number(2), named("n"))
    assert two_to_n is not None
    assert [two_to_n.evaluate(n=n) for n in (-1, 0, 1, 10)] == [0, 1, 2, 1024]
    assert str(8*two_to_n*two_to_n) == "8*(2**n)**2"
    assert power(number(0), number(-1)) is None


def test_what_cannot_be_evaluated_says_why() -> None:
    n = named("n")
    with pytest.raises(UnknownSizeError, match="m, size"):
        (n + Quantity.read("m") + Quantity.read("size(x)")).evaluate(n=1)
    with pytest.raises(ZeroDivisionError):
        (8 // n).evaluate(n=0)
    with pytest.raises(ZeroDivisionError):
        n // 0
    with pytest.raises(ValueError, match="no formula"):
        Quantity.read("8*n +")
    with pytest.raises(TypeError, match="at_most"):
        bool(n <= Quantity.read("m"))
    with pytest.raises(TypeError):
        n + 1.5  # type: ignore[operator]


def test_unsigned_names_are_told_apart() -> None:
    """A size is never negative; a variable may be."""
    size, n = of(Sym("size(x)", what="size")), named("n")
    assert (size >= 0) == Truth.YES
    assert (n >= 0) == Truth.UNKNOWN
    assert clamp(size) == size
    assert clamp(n) != n


@pytest.mark.parametrize("shared", [False, True])
def test_a_counter_is_given_a_value_where_it_stands_free(shared: bool) -> None:
    """max(7*k + m, n) + (the sum over k = 0 .. n - 1 of max(k, m)) + n*m, for one k: the sum has a k of its own."""
    loop = Counter("k", "loop")
    free = Quantity.max(of(loop).scaled(7) + named("m"), named("n"))
    whole = free + total(loop, named("n"), Quantity.max(of(loop), named("m"))) + named("n")*named("m")
    for k in (0, 3, 8):
        found = with_counter(folded(whole) if shared else whole, loop, number(k))
        assert not found.counters
        for n, m in every((1, 4, 30), (1, 2, 9)):
            expected = max(7*k + m, n) + sum(max(i, m) for i in range(n)) + n*m
            assert found.evaluate(n=n, m=m) == expected
    assert with_counter(whole, Counter("k", "another"), number(5)) == whole


def test_names_of_what_was_renamed_are_the_new_ones() -> None:
    body = sum((named(f"c{i}")*named("n") for i in range(1500)), number(0))
    assert body.given(n=named("m") + 1).names == {Sym(f"c{i}") for i in range(1500)} | {Sym("m")}


def test_estimates_are_the_numbers_with_one_number_for_each_name() -> None:
    """Also beyond what a float can hold, and of what is divided by zero or depends on an iteration: infinite."""
    n, m = named("n"), named("m")
    estimates = Estimates(100, {"M": 7})
    for amount in (n, 8*n*m + 3, Quantity.max(n, m*50), folded(n*m + n), number(5)):
        assert estimates(amount) == amount.evaluate(n=100, m=7)
    assert estimates(power(n, number(200)) or n) == 100**200
    assert estimates(n // (m - 7)) == estimates(n*of(Counter("k", "loop"))) == inf


def test_the_examples_in_the_documentation() -> None:
    assert doctest.testmod(polynomials) == (0, 9)
