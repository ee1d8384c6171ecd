"""Formulas that are used twice, nested deeply or long take the work and the space of their parts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import snapset.analysis.symbolic.polynomials as polynomials
from snapset import Quantity
from snapset.analysis.symbolic.atoms import Counter, Sym
from snapset.analysis.symbolic.extrema import clamp
from snapset.analysis.symbolic.loop_sums import total
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import named, number, of
from snapset.analysis.symbolic.rendering import LONGEST
from snapset.analysis.symbolic.substitution import Substitution, known
from snapset.frontend.persistence.serialization import dumps, loads

from tests.analysis.symbolic.test_quantity import truncated


def test_no_nesting_is_too_deep() -> None:
    found = named("n")
    for level in range(3000):
        found = Quantity.max(found // 2 + 1, named("m") - level)
    assert found == Quantity.max(found, found)
    inner = 7
    for level in range(3000):
        inner = max(truncated(inner, 2) + 1, 5 - level)
    assert found.evaluate(n=7, m=5) == inner
    assert known(found, lambda sym: {"n": 7, "m": 5}[sym.name]).constant == inner
    assert found.names == {Sym("n"), Sym("m")}


def doubled(levels: int) -> tuple[Quantity, Callable[[int], int]]:
    """Each level is the one below for n/2, and for n/2 + 1 as often as a size of its own says."""
    def level(k: int, below: Quantity) -> Quantity:
        half, more = (Substitution(lambda atom, to=to: to if atom == Sym("n") else None).lifted(below)
                      for to in (named("n") // 2, named("n") // 2 + 1))
        return half + clamp(named(f"s{k}")) * more + 8*named("n")

    found = named("n")
    for k in range(levels):
        found = level(k, found)

    def brute(n: int) -> int:
        memo: dict[tuple[int, int], int] = {}

        def at(k: int, n: int) -> int:
            if k == 0:
                return n
            if (k, n) not in memo:
                memo[k, n] = at(k - 1, n // 2) + (k - 1) % 3 * at(k - 1, n // 2 + 1) + 8*n
            return memo[k, n]

        return at(levels, n)

    return found, brute


@pytest.mark.parametrize("levels", [3, 12, *(pytest.param(n, marks=pytest.mark.wide) for n in (40, 80))])
def test_a_formula_that_is_used_twice_at_every_level_is_shared(levels: int) -> None:
    found, brute = doubled(levels)
    for n in (0, 1, 17, 1000):
        assert found.evaluate({"n": n, **{f"s{k}": k % 3 for k in range(levels)}}) == brute(n)
    partly = found.given(n=17)
    assert partly.evaluate({f"s{k}": k % 3 for k in range(levels)}) == brute(17)
    assert loads(dumps(found)) == found


def terms_held(quantity: Quantity) -> int:
    """The terms of a quantity and of all that it refers to, each once."""
    seen: dict[int, int] = {}
    work = [quantity]
    while work:
        one = work.pop()
        if one.mark not in seen:
            seen[one.mark] = len(one.terms)
            work.extend(inner for atom in one.atoms() for inner in atom.inside())
    return sum(seen.values())


@pytest.mark.wide
def test_the_space_of_a_chain_is_its_length() -> None:
    at = {levels: terms_held(doubled(levels)[0]) for levels in (40, 80, 160)}
    assert at[80] - at[40] < 80 * 40
    assert at[160] - at[80] <= 2.2 * (at[80] - at[40])


def test_shared_parts_are_named_and_written_once() -> None:
    found, _ = doubled(20)
    written = str(found)
    assert "\x01" not in written
    assert len(written) < 4 * LONGEST
    assert "; P1 = " in written
    main, *parts = written.split("; ")
    assert "P1(n=floor(" in main
    assert [part.split(" = ")[0] for part in parts[:2]] == ["P1", "P2"]
    assert parts[-1] == f"P{len(parts)} and what follows is left out"
    assert written == str(doubled(20)[0])


@pytest.mark.wide
def test_a_long_product_and_a_long_sum_stay_short() -> None:
    names = [named(f"a{i}") for i in range(60)]
    long_product = number(1)
    for one in names:
        long_product = long_product * (one + 1)
    assert long_product.evaluate({f"a{i}": 1 for i in range(60)}) == 2**60
    assert terms_held(long_product) < 20_000
    long_sum = number(0)
    for i in range(5000):
        long_sum = long_sum + named(f"b{i}")
    assert long_sum.evaluate({f"b{i}": i for i in range(5000)}) == sum(range(5000))
    assert len(long_sum.terms) <= polynomials.TERMS
    assert long_sum == sum((named(f"b{i}") for i in Random(1).sample(range(5000), 5000)), number(0))


def test_a_loop_over_a_long_body() -> None:
    loop = Counter("k", "loop")
    body = sum((named(f"c{i}") * of(loop) for i in range(1500)), number(0)) + sum(
        (named(f"d{i}") for i in range(1500)), number(0))
    values: dict[str, Any] = {**{f"c{i}": 1 for i in range(1500)}, **{f"d{i}": 2 for i in range(1500)}}
    found = value(total(loop, number(4), body), lambda sym: values[sym.name])
    assert found == sum(1500*k + 3000 for k in range(4))
