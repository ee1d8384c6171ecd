"""Linear forms and whole numbers: "no" is certain, and said where it matters."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from snapset.analysis.sections.integer_systems import CONSTANT, Form, may_hold

NAMES = ("i", "j", "k")


def value(form: Form, point: dict[str, int]) -> int:
    return sum(factor*(1 if name == CONSTANT else point[name]) for name, factor in form.items())


@pytest.mark.parametrize("seed", range(4))
def test_what_has_a_solution_is_never_refused(seed: int) -> None:
    """Of 200 systems none for which trying all numbers from -4 to 4 finds a solution; of the others, most are."""
    random, refused, without = Random(seed), 0, 0
    for _ in range(200):
        zero, rest = ([{name: random.randint(-3, 3) for name in (*NAMES, CONSTANT)}
                       for _ in range(random.randint(0, 2))] for _ in range(2))
        box: list[Form] = [{name: sign, CONSTANT: 4} for name in NAMES for sign in (1, -1)]
        points = (dict(zip(NAMES, values, strict=True)) for values in product(range(-4, 5), repeat=3))
        there = any(all(not value(one, p) for one in zero) and all(value(one, p) >= 0 for one in rest) for p in points)
        found = may_hold(zero, [*rest, *box])
        assert found or not there, (zero, rest)
        without += not there
        refused += not found
    assert refused > without*0.8


def test_the_triangle_of_an_elimination() -> None:
    """a(i, j), written with i, j > k, is no a(k2, j2) that was read with k2 <= k."""
    above = [{"i": 1, "k": -1, CONSTANT: -1}, {"j": 1, "k": -1, CONSTANT: -1}, {"k": 1, "k2": -1}]
    assert not may_hold([{"i": 1, "k2": -1}], above)
    assert may_hold([{"j": 1, "k2": -1}], above[:1])  # nothing is known of j


def test_even_is_not_odd() -> None:
    assert not may_hold([{"i": 2, "k": -2, CONSTANT: -1}], [])
    assert may_hold([{"i": 2, "k": -2, CONSTANT: -2}], [])
    assert not may_hold([{"i": 2, "k": -2}], [{"i": 1, "k": -1, CONSTANT: -1}])  # an equation without a factor of 1


def many(ups: int, downs: int) -> list[Form]:
    """x is above 0 and at most 0, and there are others, all of which any x and z near 0 fulfil."""
    above = [{"x": 1, CONSTANT: -1}, *({"x": 1, "z": at - 1000, CONSTANT: 9} for at in range(ups - 1))]
    return [*above, {"x": -1}, *({"x": -1, "z": at if at % 2 else -at, CONSTANT: 9} for at in range(1, downs))]


def test_where_too_many_forms_would_come_of_it_nothing_is_said() -> None:
    """Of 6 forms above and 42 below come 252, beside 48: 300 in all are looked at, 307 are not."""
    assert not may_hold([], many(6, 42))
    assert may_hold([], many(6, 43))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_name_without_limit_goes_first(sign: int) -> None:
    """y may be as large as 290 forms ask, so these say nothing; x first would make 12 forms of 7, beside all others."""
    free = [{"y": sign, "z": at if at % 2 else -at, CONSTANT: 0} for at in range(1, 291)]
    assert not may_hold([], [*many(3, 4), *free])
