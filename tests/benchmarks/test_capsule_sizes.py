"""What the benchmark of capsules' sizes says of three programs, and when it complains."""

from random import Random

import pytest

from benchmarks.divide.capsule_sizes import Sizes, sizes
from tests.support.divided import from_corpus


@pytest.mark.parametrize("name", ["two_phase", "semi_implicit", "reallocate"])
def test_half_of_memory_at_most(name: str) -> None:
    found = sizes(from_corpus(name), name, 40, Random(f"{name} 0"))
    assert len(found.points) > 20
    assert found.more == 0
    assert found.part(1) <= 0.5


def test_what_takes_more_is_told() -> None:
    fewer = (100, 80, 60, 70, 50)
    assert Sizes("p", (fewer,)).more == 0
    for larger in ((70, 80, 60, 70, 50), (100, 80, 90, 70, 50), (100, 80, 60, 90, 50), (100, 80, 60, 70, 75)):
        assert Sizes("p", (fewer, larger)).more == 1
