"""The proofs about reads of what was written before, held against runs of random programs (followed_reads.py)."""

from __future__ import annotations

from random import Random

import pytest
import snapset.analysis.procedures.earlier_writes as earlier_writes
from snapset.analysis.symbolic.polynomials import Quantity

from tests.generators.elements import random_openings, random_recurrences
from tests.oracles.elements.element_values import NotTracedError
from tests.oracles.elements.followed_reads import followed

KINDS = {"openings": random_openings, "recurrences": random_recurrences}


def judged(kind: str, numbers: range) -> tuple[dict[int, list[str]], int]:
    """What is wrong, by program, and how often a proof was held against a run."""
    wrong, checked = dict[int, list[str]](), 0
    for number in numbers:
        random = Random(number)
        text, values = KINDS[kind].program(random), KINDS[kind].numbers(random)
        try:
            found, times = followed(text, "p", {"x": 0.7, **values}, ["x"])
        except NotTracedError:
            continue
        checked += times
        wrong |= {number: found} if found else {}
    return wrong, checked


@pytest.mark.parametrize(("kind", "first"), [("openings", 0), ("recurrences", 0), *(
    pytest.param(kind, first, marks=pytest.mark.slow) for kind in KINDS for first in range(20, 400, 20))])
def test_what_is_read_was_written_since(kind: str, first: int) -> None:
    wrong, checked = judged(kind, range(first, first + 20))
    assert not wrong
    assert checked > 100


PROGRAM = """subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8) :: x, y, c(9)
  integer :: k
  c = x
  do k = 2, n
    {first}
    y = y + c(k - 1)*c(k)
  end do
end subroutine p
"""


def wrong_in(first: str) -> list[str]:
    return followed(PROGRAM.format(first=first), "p", {"x": 0.7, "n": 4, "m": 2}, ["x"])[0]


def test_a_proof_too_many_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Line 8 reads c(1), which only the first statement has written, and so on."""
    assert wrong_in("c(k) = x*k") == []

    def hasty(self: object, one: Quantity, other: Quantity) -> bool:
        return True

    monkeypatch.setattr(earlier_writes._Cover, "at_most", hasty)
    assert wrong_in("c(k) = x*k") == ["line 8 reads older elements of c"]


def test_names_that_change_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what forgets the boxes whose limits have changed, soon a random program is wrong."""
    monkeypatch.setattr(earlier_writes, "_left", lambda boxes, changed: boxes)
    assert judged("openings", range(40))[0]
