"""Leaves that tape what their adjoint needs: the gradient is store-all's, wherever the run is split, and what they tape
was planned."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.divide.pick import HALVES, pick
from snapset.analysis.divide.split_points import MIDS
from snapset.analysis.replay.divide.divide_planner import DividePlanner
from snapset.analysis.replay.divide.divided_run import StateAdjoint
from snapset.analysis.replay.memory.runtime_support import ReplayError

from tests.support.divided import PROGRAMS, Divisible, from_corpus, from_text


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradient_is_store_all_s_and_the_tape_was_planned(name: str) -> None:
    one, random = from_corpus(name), Random(name)
    if isinstance(one.by_plan, str):
        return
    mid, driver = random.choice(list(MIDS)), random.choice(("binary", "treeverse"))
    planner = DividePlanner(one.planned(), driver)
    plan = planner.plan(pick(planner.steps, max(1, planner.steps//random.choice((3, 7, 20, 60))), log=True,
                             halved=mid == HALVES), mid)
    found, _, machine = one.gradient(plan.rule, mid, driver, planned=True)
    assert found is not None
    assert found.same(one.expected)
    assert machine.spent.tapes == list(plan.tapes)


def test_most_programs_need_not_store_all() -> None:
    """Where they do, a recursion, pointers, allocations or a FORALL are told."""
    reasons = [one for one in (from_corpus(name).by_plan for name in PROGRAMS) if isinstance(one, str)]
    assert len(reasons) <= len(PROGRAMS)//5
    assert "a call stays a checkpoint, as in a recursion" in reasons


NEST = """
subroutine inner(v, n, s)
  integer :: n, i
  real(8) :: v(n), w(n), s
  do i = 1, n
    w(i) = v(i)**2
    s = s + w(i)*v(i)
  end do
  where (w > 1)
    v = sin(w/2)
  elsewhere
    v = v + w*w
  end where
end subroutine inner
subroutine top(x, y, n)
  integer :: n, k
  real(8) :: x(n), y, t, unused
  y = 0
  k = 0
  unused = x(1)
  do while (k < 3)
    t = x(1)*x(2)
    call inner(x, n, y)
    unused = unused*unused
    !$AD CHECKPOINT-START
    t = t*sin(t)
    y = y + t*t
    !$AD CHECKPOINT-END
    k = k + 1
    if (y > 1d6) exit
  end do
  y = y*t
end subroutine top
"""


@pytest.fixture(scope="module")
def nest() -> Divisible:
    return from_text(NEST, "top(x)>(y)", n=3)


def halves(one: Divisible, at: int) -> tuple[bool, list[int]]:
    machine = one.planned()
    start, n = machine.start(), machine.steps()
    capsule, steps = machine.interrupt(start, at, n)
    found = machine.adjoint(start, steps, machine.adjoint(capsule, n - steps, StateAdjoint())).gradient
    assert found is not None
    return found.same(one.expected), machine.spent.tapes


def test_a_split_at_every_step(nest: Divisible) -> None:
    """Between WHERE and what it masks, in a called procedure, in a loop that EXIT leaves, in a marked part."""
    n = nest.planned().steps()
    tapes = []
    for at in range(1, n):
        same, taped = halves(nest, at)
        assert same, at
        tapes.append(sum(taped))
    stored = nest.divided()
    stored.adjoint(stored.start(), stored.steps(), StateAdjoint())
    assert max(tapes) < 0.8*stored.spent.tapes[0]


def test_what_is_not_taped_shows(nest: Divisible) -> None:
    """Each value that a leaf tapes, left out alone, is a wrong gradient or an end, with a split in some places. (But v
    where WHERE's second half overwrites it: the first half has brought all of it back already.)"""
    assert not isinstance(nest.by_plan, str)
    _, _, plans = nest.by_plan
    taped = [number for number, row in enumerate(plans.rows) if row.kind == "tape"]
    unseen = [plans.rows[number] for number in taped
              if all(gives(nest, plans.without(number), at) for at in (1, 20, 40, 60))]
    assert len(taped) == 5
    assert [(row.procedure, row.location) for row in unseen] == [("inner split", "v")]


def gives(one: Divisible, plans: object, at: int) -> bool:
    machine = one.planned()
    machine.plans = plans  # type: ignore[assignment]
    start, n = machine.start(), machine.steps()
    try:
        capsule, steps = machine.interrupt(start, at, n)
        found = machine.adjoint(start, steps, machine.adjoint(capsule, n - steps, StateAdjoint())).gradient
    except ReplayError:
        return False
    return found is not None and found.same(one.expected)
