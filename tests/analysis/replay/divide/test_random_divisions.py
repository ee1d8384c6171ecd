"""Random programs divided, interrupted and resumed at random (tests/generators/fuzz_divide.py), and what they found."""

from __future__ import annotations

from random import Random

import pytest
import snapset.analysis.replay.divide.capsule as capsules
from snapset.analysis.divide.pick import HALVES, pick
from snapset.analysis.divide.split_points import MIDS

from tests.generators.fuzz_divide import EVERY, Found, resumed, tally, tried
from tests.support.divided import from_text


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 200, 20))
@pytest.mark.parametrize("kind", EVERY)
def test_random_programs(kind: str, first: int) -> None:
    assert not tally(kind, range(first, first + 20)).wrong


@pytest.mark.wide
@pytest.mark.parametrize("kind", EVERY)
def test_some_programs_of_each_kind(kind: str) -> None:
    found = tally(kind, range(40, 43))
    assert not found.wrong
    assert found.programs == 3
    assert found.leaves > 20
    assert found.resumed > 9


@pytest.mark.wide
def test_programs_of_the_corpus_on_other_numbers() -> None:
    found = tally("corpus", range(7, 19))
    assert not found.wrong
    assert found.divisions == 48


def test_slices_of_one_work_array_are_resumed() -> None:
    """An assumed-size argument that another one begins in (``w(*)`` and ``w(4)``) knows of it in fresh memory, too."""
    one = from_text("""subroutine f(x, y)
  real(8) :: x, y, w(6)
  integer :: i
  w = x
  do i = 1, 3
    call s(w, w(4), x)
  end do
  y = sum(w)
end
subroutine s(a, b, x)
  real(8) :: a(*), b(3), x
  integer :: k
  do k = 1, 3
    a(k) = a(k)*b(k)*x
    b(k) = b(k) + sin(a(k))
  end do
end
""", "f(x)>(y)")
    n, random = one.divided("elements").steps(), Random(7)
    for mid in MIDS:
        found, _, _ = one.gradient(pick(n, 1, log=True, halved=mid == HALVES), mid, "binary")
        assert found is not None
        assert found.same(one.expected)
    assert [resumed(one, random, Found(1)) for _ in range(3)] == [""]*3


def test_a_program_whose_internal_procedures_are_passed() -> None:
    """Others than its host run them, and may run those of others for all that is known."""
    assert not tried("constructs", 1300358).wrong


def test_what_is_missing_from_capsules_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tenth of all live locations left out programs go wrong."""
    right, random = capsules.memory_of, Random(1)
    monkeypatch.setattr(capsules, "memory_of", lambda *one: () if random.random() < 0.1 else right(*one))
    assert sum(bool(tried("sections", number).wrong) for number in range(3)) == 3
