"""How far two quantities are apart, against their difference."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from snapset.analysis.symbolic.extrema import clamp
from snapset.analysis.symbolic.polynomials import Quantity, folded, named, number

ATOMS = (named("n"), named("m"), named("n") * named("m"), clamp(named("n") - number(1)), folded(named("n") + number(3)))
FACTORS = st.lists(st.integers(-1, 1), min_size=len(ATOMS), max_size=len(ATOMS))


def made(factors: list[int], constant: int) -> Quantity:
    found = number(constant)
    for atom, factor in zip(ATOMS, factors, strict=True):
        found = found + atom.scaled(factor)
    return found


@given(FACTORS, FACTORS, st.integers(-3, 3), st.integers(-3, 3))
def test_apart_is_the_difference_where_that_is_a_number(one: list[int], other: list[int], a: int, b: int) -> None:
    left, right = made(one, a), made(other, b)
    assert left.apart(right) == (left - right).constant
    same = made(one, b)
    assert left.apart(same) == a - b
    difference = (left - right).constant
    assert right.is_at_most(left) == (difference is not None and difference >= 0)
