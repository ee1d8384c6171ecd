"""A maximum of many byte counts keeps what nothing is certainly above, and compares few of them."""

from __future__ import annotations

import random

import pytest
from snapset.analysis.symbolic import extrema
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.polynomials import Quantity, number, of

NAMES = [of(Sym(f"n{place}")) for place in range(60)]


def pairwise(quantities: list[Quantity]) -> set[Quantity]:
    """What no other one is certainly at least, each compared with each."""
    distinct = list(dict.fromkeys(quantities))
    return {one for one in distinct
            if not any(extrema.at_least(other, one) for other in distinct if other is not one)}


@pytest.mark.parametrize("seed", range(40))
def test_what_is_kept(seed: int) -> None:
    pick = random.Random(seed)
    found = [sum((NAMES[pick.randrange(4)] * number(pick.choice((-2, -1, 1, 2, 3))) for _ in range(pick.randrange(4))),
                 number(pick.randrange(-2, 3))) for _ in range(12)]
    assert extrema.maximum(found) == extrema.largest_of_all(sorted(pairwise(found), key=found.index))


def test_few_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """n0, n1, n2 ...: none has what another has. Each with each were 1,770 comparisons."""
    compared = 0
    real = extrema.at_least

    def counted(high: Quantity, low: Quantity) -> bool:
        nonlocal compared
        compared += 1
        return real(high, low)

    monkeypatch.setattr(extrema, "at_least", counted)
    extrema.maximum(NAMES)
    assert compared <= len(NAMES)
