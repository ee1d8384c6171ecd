"""Planes of arrays that take turns: the one that a step writes first restarts nothing, and only where that is sure."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.loops.loop_analysis import loop_sets
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.replay import parse_inputs

from tests.generators.fuzz_loops import scheduled
from tests.support.time_loops import LoopAnalysis, loop_of, written

ADAMS = """
subroutine p(u, n, nt, cost)
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: f(n, 0:2)
  integer :: it, i, new, old, older
  f = 0.0d0
  do it = 1, nt
    {indices}
    {first}f(1, new) = 0.0d0
    f(n, new) = 0.0d0
    do i = 2, n - 1
      f(i, new) = -u(i)*(u(i + 1) - u(i - 1)) + 0.1d0*sin(u(i))
    end do
    do i = 1, n
      u(i) = u(i) + 0.01d0*(23.0d0*f(i, new) - 16.0d0*f(i, old) + 5.0d0*f(i, older))/12.0d0
    end do
  end do
  cost = sum(u*u)
end subroutine p
"""
TURNS = "new = mod(it, 3); old = mod(it + 2, 3); older = mod(it + 1, 3)"

LEAP = """
subroutine p(x, n, nt, cost)
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  real(8) :: u(n, 3)
  integer :: it, i, before, now, after, t
  {starts}
  u(:, 1) = x
  u(:, 2) = x*x
  u(:, 3) = 0.1d0
  do it = 1, nt
    u(1, after) = u(1, now)
    {last}u(n, after) = u(n, now)
    do i = 2, n - 1
      u(i, after) = u(i, before) - 0.01d0*u(i, now)*(u(i + 1, now) - u(i - 1, now))
    end do
    {ends}
  end do
  cost = sum(u(:, now)**2)
end subroutine p
"""
STARTS, ENDS = "before = 1; now = 2; after = 3", "t = before; before = now; now = after; after = t"


def found(tmp_path: Path, text: str, head: str = "p(x)>(cost)") -> tuple[LoopAnalysis, str]:
    line = next(at for at, one in enumerate(text.splitlines(), 1) if "do it = " in one)
    one = loop_of([written(tmp_path, text)], head, line)
    return one, str(loop_sets(one).restart_bytes)


def runs_right(one: LoopAnalysis, nt: int = 7) -> None:
    """Every schedule, everything else destroyed: the gradient of store-all, and the figures foretold."""
    with_ = standard(one.analysis.prepared(), parse_inputs([f"nt={nt}"]))
    for memory in (10**6, 400):
        result = compare_schedules(one, with_, SchedulesWanted(memory, ("all",)))
        assert result.equal
        assert all(run.as_predicted == "same" for run in result.runs)


def test_adams_bashforth_with_remainders(tmp_path: Path) -> None:
    """u, and two of three planes of f; a step that is recorded at once reads no f but what it has written."""
    one, size = found(tmp_path, ADAMS.format(indices=TURNS, first=""), "p(u)>(cost)")
    assert size == "24*n"
    sets = loop_sets(one)
    assert [held.shown for held in sets.restart] == ["f(:, 0:mod(it, 3)-1), f(:, mod(it, 3)+1:2)", "u"]
    runs_right(one)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("starts", "ends", "last", "size"), [
    (STARTS, ENDS, "", "16*n + 12"),
    ("before = 3; now = 1; after = 2", "t = after; after = before; before = now; now = t", "", "16*n + 12"),
    # Not sure, and all three are held: two that may be one
    ("before = 1; now = 2; after = 1", ENDS, "", "24*n + 12"),
    ("before = 1; now = 2; after = 3; if (x(1) > 9) after = 1", ENDS, "", "24*n + 12"),
    ("before = 1; now = 2; after = 4 - before", ENDS, "", "24*n + 12"),
    (STARTS, "t = before; before = now; now = after; if (u(1, 1) > -9) after = t", "", "24*n + 12"),
    (STARTS, "before = now; now = after; after = 6 - before - now", "", "24*n + 12"),
    # Not all of the plane
    (STARTS, ENDS, "if (it > 2) ", "24*n + 12"),
    (STARTS, ENDS, "if (u(1, now) > 9) cycle; ", "24*n + 12"),
])
def test_indices_that_are_exchanged(tmp_path: Path, starts: str, ends: str, last: str, size: str) -> None:
    one, bytes_ = found(tmp_path, LEAP.format(starts=starts, ends=ends, last=last))
    assert bytes_ == size
    runs_right(one)


@pytest.mark.parametrize(("starts", "ends", "size"), [
    (STARTS, ENDS, "8*n + 12"),  # u(:, now), and what is exchanged
    # Two that may be one: what the loop writes is taped, 8*(n - 2)
    ("before = 1; now = 2; after = 1", ENDS, "16*n - 4"),
    # u(:, after) is read, too, and all that is written to it taped: 8 more
    (STARTS, "u(2, after) = u(2, after)**2; " + ENDS, "24*n + 4"),
])
def test_of_what_the_adjoint_reads_its_planes_alone(tmp_path: Path, starts: str, ends: str, size: str) -> None:
    one, _ = found(tmp_path, LEAP.format(starts=starts, ends=ends, last=""))
    sets = loop_sets(one)
    assert str(sets.dependency_bytes) == size
    runs_right(one)
    missing = compare_schedules(one, standard(one.analysis.prepared(), parse_inputs(["nt=7"])),
                                SchedulesWanted(10**6, ("none",), necessity=True)).lost
    assert missing is not None
    assert all(lost.superfluous is None for lost in missing if lost.location == "u")


@pytest.mark.sample(2)
@pytest.mark.parametrize("first", [
    "u(1) = u(1) + 0.1d0*f(2, new); ",                        # read before it is written
    "u(1) = u(1) + 0.1d0*f(2, mod(it + 3, 3)); ",             # the same plane by another name
    "u(1) = u(1) + 0.1d0*f(2, mod(int(u(1)*100), 3)); ",      # perhaps the same plane
    "if (u(1) > 9) exit; ",
    "if (u(1) > 9) new = old; ",
])
def test_a_plane_that_may_be_read_is_held(tmp_path: Path, first: str) -> None:
    one, size = found(tmp_path, ADAMS.format(indices=TURNS, first=first), "p(u)>(cost)")
    assert size.startswith("32*n")
    with_ = standard(one.analysis.prepared(), parse_inputs(["nt=7"]))
    result = compare_schedules(one, with_, SchedulesWanted(700, ("all",)))
    assert result.equal


GATHER = """
subroutine p(x, n, nt, cost)
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  real(8) :: u(n), v(n)
  integer :: at(n, 2), it, i, new, old
  do i = 1, n
    at(i, 1) = i
    at(i, 2) = n + 1 - i
  end do
  u = x; v = x
  do it = 1, nt
    new = mod(it, 2) + 1; old = mod(it + 1, 2) + 1
    do i = 1, n
      at(i, new) = 1 + mod(at(i, old) + i*it, n)
    end do
    do i = 1, n
      v(at(i, old)) = sin(u(at(i, new)))*u(i)
    end do
    u = 0.9d0*u*v + 0.1d0*x
  end do
  cost = sum(u*u) + sum(v)
end subroutine p
"""


def test_a_derivative_reads_the_subscripts_of_what_it_is_of(tmp_path: Path) -> None:
    """The adjoint of ``v(at(i, old)) = sin(u(at(i, new)))*u(i)`` finds v by ``at(:, old)``: both planes are kept."""
    one, _ = found(tmp_path, GATHER)
    runs_right(one)


def test_a_plane_that_is_read_first_may_be_another_one(tmp_path: Path) -> None:
    """mod(it + 2, 3) is not mod(it, 3), nor is 3 - now ever now."""
    first = "u(1) = u(1) + 0.1d0*f(2, old)*f(3, mod(it + 4, 3)); "
    one, size = found(tmp_path, ADAMS.format(indices=TURNS, first=first), "p(u)>(cost)")
    assert size == "24*n"
    runs_right(one)
    two = ADAMS.replace("0:2", "0:3").format(indices="old = 3 - new; older = old", first=(
        "u(1) = u(1) + 0.1d0*f(2, old); ")).replace("  end do\n  cost", "    new = old\n  end do\n  cost")
    one, size = found(tmp_path, two.replace("f = 0.0d0", "f = 0.0d0; new = 1"), "p(u)>(cost)")
    assert size == "32*n + 4"
    runs_right(one)


@pytest.mark.wide
def test_steps_of_three_iterations(tmp_path: Path) -> None:
    one, _ = found(tmp_path, LEAP.format(starts=STARTS, ends=ENDS, last=""))
    with_ = standard(one.analysis.prepared(), parse_inputs(["nt=8"]))
    result = compare_schedules(one, with_, SchedulesWanted(10**6, ("all",), period=3))
    assert result.equal
    assert {run.as_predicted for run in result.runs} <= {"same", "less"}


@pytest.mark.sample(6)
@pytest.mark.parametrize("first", range(0, 60, 5))
def test_random_rotations(first: int) -> None:
    """Their runs are divided in tests/analysis/replay/divide."""
    result = scheduled("rotations", range(first, first + 5))
    assert not result.wrong
    assert not result.above
