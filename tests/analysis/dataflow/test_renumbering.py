"""Sets of a callee's locations in the caller's numbering and back: by shifts what they are one by one."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.dataflow.bitsets import members, set_of
from snapset.analysis.dataflow.renumbering import Renumbering


@pytest.mark.parametrize("seed", range(20))
def test_sets_are_carried_over_as_their_members_are(seed: int) -> None:
    random = Random(seed)
    numbers: dict[int, int] = {}
    inner, outer = random.randrange(5), random.randrange(5)
    for _ in range(random.randrange(12)):  # runs, in the caller in another order
        length = random.choice((1, 2, 30))
        numbers |= {inner + i: 700 - outer - length + i for i in range(length)}
        inner, outer = inner + length + random.randrange(3), outer + length + random.randrange(3)
    carried = Renumbering(numbers)
    assert carried.inside == set_of(numbers)
    assert carried.outside == set_of(numbers.values())
    for _ in range(30):
        bits = random.getrandbits(720) if random.random() < 0.5 else 1 << random.randrange(700)
        assert carried.outward(bits) == set_of(numbers[i] for i in members(bits) if i in numbers)
        assert carried.inward(bits) == set_of(i for i, j in numbers.items() if bits >> j & 1)
