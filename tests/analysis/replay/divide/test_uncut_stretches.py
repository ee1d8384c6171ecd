"""Where a run cannot be stopped, noted by one run to its end: what runs that are stopped there do."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from snapset.analysis.divide.pick import pick
from snapset.analysis.divide.tree import CheckpointTree
from snapset.analysis.replay.divide.divide_planner import DividePlanner, UncutStretches
from snapset.analysis.replay.divide.step_costs import Unit

from tests.analysis.replay.divide.test_interruption import COSTLY
from tests.support.divided import PROGRAMS, Divisible, from_corpus, from_text

SHIFTED = """
subroutine p(x, y)
  integer :: i, j
  real(8) :: x(6), y, a(6), b(6, 6)
  a = x
  do j = 1, 3
    forall (i = 2:6) a(i) = a(i - 1)*tripled(x(i))
    forall (i = 1:3, x(i) > 0)
      a(i) = a(i)*x(i)
      b(i, :) = a*x(i)
    end forall
    b(1:3, j) = a(1:3)
  end do
  y = sum(b(1:3, :)) + tripled(a(6))
contains
  pure real(8) function tripled(v)
    real(8), intent(in) :: v
    real(8) :: w(3)
    integer :: k
    forall (k = 1:3) w(k) = v*k
    tripled = sum(w)
  end function tripled
end subroutine p
"""


def stops_as_walked(one: Divisible, unit: Unit, points: Iterable[int]) -> None:
    """A run that notes where it cannot be stopped tells the same as runs that are stopped."""
    machine = one.divided(unit)
    found = UncutStretches.of(machine)
    walker = machine.begun()
    for point in points:
        machine.go(walker, point)
        assert found.stop(point)[0] == walker.at, point
        if walker.at > point:
            again = machine.begun()
            machine.go(again, point)
            assert found.stop(point) == (again.at, again.before)


@pytest.mark.parametrize("text", [COSTLY, SHIFTED])
@pytest.mark.parametrize("unit", ["elements", "statements"])
def test_where_a_run_cannot_be_stopped(text: str, unit: Unit) -> None:
    one = from_text(text, "p(x)>(y)", **({"n": 5} if text == COSTLY else {}))
    stops_as_walked(one, unit, range(one.divided(unit).steps() + 1))


def test_stops_of_a_run_that_has_too_many_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are looked for as the tree is made; it is the same."""
    one = from_text(COSTLY, "p(x)>(y)", n=9)

    def tree() -> CheckpointTree:
        planner = DividePlanner(one.divided("elements"))
        return planner.tree(pick(planner.steps, 20, log=True), "binomial")

    known = tree()
    monkeypatch.setattr("snapset.analysis.replay.divide.divide_planner.MOST_STRETCHES", 3)
    assert tree() == known
    assert len(known.leaves) > 5


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_where_programs_cannot_be_stopped(name: str) -> None:
    one, random = from_corpus(name), Random(name)
    n = one.divided("elements").steps()
    stops_as_walked(one, "elements", sorted(random.sample(range(n + 1), min(n + 1, 20))))
