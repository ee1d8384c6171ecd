"""Formulas as text, compared by value: what a lock holds against what is written today."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.symbolic.atoms import Extreme, Quotient, Sym
from snapset.analysis.symbolic.formula_reader import alternatives_of, certainly_at_most, equal
from snapset.analysis.symbolic.polynomials import Quantity, number, of
from snapset.analysis.symbolic.rendering import text

SAME = [
    ("8*nt*(3*n - 1)", "24*n*nt - 8*nt"),
    ("8*n*(n + 1)/2", "4*n**2 + 4*n"),
    ("max(8*n, 16*m) + 4", "4 + max(16*m, 8*n)"),
    ("8*max(n, m) + 8", "max(8*m + 8, 8 + 8*n)"),
    ("n*max(a, b)", "max(a*n, b*n)"),
    ("max(8*n, 16*n)", "16*n"),
    ("max(max(a, b), c)", "max(a, max(b, c))"),
    ("8*size(x, 1) + 8", "8*(size(x,1) + 1)"),
    ("8*trips(march:12)*bytes(missing_module::dt)", "bytes(missing_module::dt)*8*trips(march:12)"),
    ("bytes(/blk/x) + /blk/n", "/blk/n + bytes(/blk/x)"),
    ("8*c%n - 8*m::k", "-8*m::k + 8*c%n"),
    ("floor((n + 1)/2)*8", "8*floor((1 + n)/2)"),
    ("sum(8*n - 8*k, k=0..n - 1)", "4*n**2 + 4*n"),
    ("(1/2)*n*4", "2*n"),
    ("abs(n - m)", "abs(m - n)"),
    ("N*8", "8*n"),
]
OTHER = [
    ("8*n", "8*m"), ("8*n", "8*n + 1"), ("max(8*n, 16*m)", "8*n"), ("floor(n/2)", "floor(n/3)"), ("8*size(x)", "8*x"),
    ("min(n, m)", "max(n, m)"), ("-max(n, m)", "max(-n, -m)"), ("8*n", "unknown"), ("bytes(a)", "bytes(b)"),
    ("(n - 5)*max(a, b)", "max((n - 5)*a, (n - 5)*b)"), ("8*(n", "8*n"), ("n*10**17", "n*10**17 + n"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value_is_the_same(one: str, other: str) -> None:
    assert equal(one, other)
    assert equal(other, one)
    assert not equal(one, f"{other} + 1")


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_is_not_certainly_the_same_is_not(one: str, other: str) -> None:
    assert not equal(one, other)
    assert not equal(other, one)


def test_what_is_certainly_below() -> None:
    assert certainly_at_most("8*n - 16", "8*n")
    assert certainly_at_most("8*n", "max(8*n, 8*m)")
    assert not certainly_at_most("8*n", "8*m")
    assert not certainly_at_most("8*n", "8*n - 16")


def test_what_is_too_large_or_too_deep_is_left_alone() -> None:
    assert alternatives_of("(" * 5000 + "n" + ")" * 5000) is None
    assert alternatives_of("(" + " + ".join(f"a{k}" for k in range(200)) + ")**16") is None
    assert alternatives_of("8*n + " * 10_000 + "n") is None
    assert alternatives_of("max(" + ", ".join(f"a{k}" for k in range(300)) + ")") is not None


def _random(random: Random, depth: int) -> Quantity:
    """Something that the tool could write: sums, products, maxima, quotients of names."""
    if depth == 0:
        return of(Sym(random.choice(("n", "m", "size(x)")))) if random.random() < 0.7 else number(random.randint(1, 9))
    one, other = _random(random, depth - 1), _random(random, depth - 1)
    kind = random.randrange(5)
    if kind < 2:
        return one + other
    if kind < 4:
        return one * other
    if random.random() < 0.5 or one == other:
        return of(Quotient(one, number(random.randint(2, 5))))
    return of(Extreme("max", frozenset((one, other))))


def _value(written: str, names: dict[str, int]) -> float:
    """By Python's own arithmetic, which knows nothing of formulas."""
    plain = written.replace("size(x)", "s").replace("floor(", "int(")
    return float(eval(plain, {"max": max, "int": int, "__builtins__": {}}, names))


def test_random_formulas_read_back_are_what_was_written() -> None:
    random = Random(7)
    for _ in range(400):
        one, other = text(_random(random, 3)), text(_random(random, 3))
        assert equal(one, f"({one})*1 + 0")
        points = [{name: random.randint(1, 9) for name in ("n", "m", "s")} for _ in range(20)]
        for low, high in ((one, other), (other, one)):
            if certainly_at_most(low, high):
                assert all(_value(low, at) <= _value(high, at) + 1e-9 for at in points), (low, high)
