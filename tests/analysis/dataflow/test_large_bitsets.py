"""Sets of many locations: taken apart and put together word by word, with the members that small ones have."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from snapset.analysis.dataflow.bitsets import members, set_of


@pytest.mark.parametrize("top", [1, 63, 64, 65, 2_046, 2_047, 2_048, 2_049, 2_112, 50_000])
def test_members_are_what_a_set_is_made_of(top: int) -> None:
    random = Random(top)
    indices = sorted({top, *(random.randrange(top + 1) for _ in range(40))})
    bits = set_of(indices)
    assert bits == sum(1 << one for one in indices)
    assert list(members(bits)) == indices
    assert set_of(iter(indices[::-1] + indices)) == bits


def test_many_members_take_no_copy_of_the_set_each() -> None:
    count = 200_000
    start = process_time()
    assert set_of(members((1 << count) - 1)) == (1 << count) - 1
    assert process_time() - start < 2  # several copies of 25 kB each: half a minute
