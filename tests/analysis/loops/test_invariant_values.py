"""What every step computes anew of parameters alone is kept for no step's adjoint; what looks like it and is not, is.

The judge is the replay: whatever is not kept, and not invariant, is destroyed before each adjoint of a step.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.loops.loop_analysis import loop_sets
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.replay import parse_inputs

from tests.support.time_loops import LoopAnalysis, loop_of, written

PROGRAM = """subroutine march(x, k, y, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n), k(n)
  real(8), intent(out) :: y
  real(8) :: u(n), a(n), b(n), c, d
  integer :: it, i, m
  u = x
  a = 0.3d0; b = 0.4d0; c = 0.5d0; d = 0.6d0; m = 1; y = 0
  do it = 1, nt
{step}
    u = u + 0.01d0*u**2
  end do
  y = y + sum(u**2)
{behind}
end subroutine
"""
LINE = 10
ROWS = """do i = 2, n - 1
  a(i) = 0.1d0*k(i)
  b(i) = 1d0 + 2*a(i)
end do
a(1) = 0
a(n) = 0
b(1) = 1
b(n) = 1
do i = 2, n - 1
  u(i) = u(i)*(u(i)*a(i) + u(i-1))/b(i)
end do"""

INVARIANT = {
    "one array": ("a = 0.1d0*k\nu = u*u*a", "a"),
    "a scalar": ("c = sum(k)\nu = u*u*c", "c"),
    "rows and their ends": (ROWS, "a b"),
    "one of another": ("a = 0.1d0*k\nb = a**2\nu = u*u*b*a", "a b"),
    "on two ways that a parameter chooses": ("if (k(1) > 0.5d0) then\nc = 2\nelse\nc = 3\nend if\nu = u*u*c", "c"),
    "a call reads it": ("a = 0.1d0*k\ncall weigh(u, a, n)", "a"),
    "statements that only a cost needs": ("c = k(2)\ny = y + c*sum(u*u)*u(1)", "c"),
    "a number of elements": ("m = n/2\nc = k(m)\nu(m) = u(m)*u(m)*c", "c m"),
}
VARYING = {
    "made of the state": ("a = 0.1d0*u\nu = u*u*a", "a"),
    "made of the step's number": ("c = 0.1d0*it\nu = u*u*c", "c"),
    "made of what an earlier step left": ("c = 0.5d0*d\nd = 0.5d0*k(1)\nu = u*u*c", "c"),
    "read before it is written": ("u = u*u*c\nc = k(1)", "c"),
    "written in some steps only": ("if (u(1) > 0.9d0) c = k(1)\nu = u*u*c", "c"),
    "the state chooses": ("if (u(1) > 0.9d0) then\nc = 0.2d0\nelse\nc = 0.1d0\nend if\nu = u*u*c", "c"),
    "a value in between is taped": ("c = k(1)\nu = u*u*c\nc = 0.5d0\nu = u*u*c", "c"),
    "a value in between is all that plain steps need":
        ("c = k(1)\nu = 0.5d0*u + 0.1d0*c\nc = 0.5d0*k(2)\ny = y + c*sum(u*u)*u(1)", "c"),
    "elements of which the state decides": ("a = 0\nm = merge(1, 2, u(1) > 0.9d0)\na(m) = k(m)\nu = u*u*a", "a"),
    "a call writes it": ("call made(a, k, n)\nu = u*u*a", "a"),
    "a loop that ends early": ("c = 0\ndo i = 1, n\nif (u(i) > 1.2d0) exit\nc = c + k(i)\nend do\nu = u*u*c", "c"),
}
CALLED = """
subroutine weigh(u, a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: a(n)
  integer :: i
  do i = 1, n
    u(i) = u(i)*u(i)*a(i)
  end do
end subroutine
subroutine made(a, k, n)
  integer, intent(in) :: n
  real(8), intent(out) :: a(n)
  real(8), intent(in) :: k(n)
  a = 0.1d0*k
end subroutine
"""


def analysed(tmp_path: Path, step: str, behind: str = "") -> LoopAnalysis:
    """The loop; every schedule gives the store-all gradient at the cost predicted."""
    text = PROGRAM.format(step=step, behind=behind) + CALLED
    found = loop_of([written(tmp_path, text)], "march(x)>(y)", LINE)
    result = compare_schedules(found, standard(found.analysis.prepared(), parse_inputs(["n=4", "nt=6"])),
                               SchedulesWanted(700, ("all",)))
    assert len(result.runs) > 2
    assert [(run.name, run.equal, run.as_predicted) for run in result.runs if not run.equal
            or run.as_predicted == "more"] == []
    return found


def names(found: LoopAnalysis) -> set[str]:
    return set(found.loop.model.space.names(found.invariant))


@pytest.mark.parametrize("case", INVARIANT)
def test_what_each_step_computes_anew_is_kept_for_none(case: str, tmp_path: Path) -> None:
    step, expected = INVARIANT[case]
    found = analysed(tmp_path, step)
    assert names(found) == set(expected.split())
    sets = loop_sets(found)
    assert not {one.name for one in (*sets.dependencies, *sets.restart)} & names(found)
    assert all(sets.reasons[name].endswith("never stored") for name in names(found))


@pytest.mark.parametrize("case", VARYING)
def test_what_differs_in_some_way_is_kept(case: str, tmp_path: Path) -> None:
    step, location = VARYING[case]
    found = analysed(tmp_path, step)
    assert not names(found)
    assert location in {one.name for one in loop_sets(found).dependencies}


@pytest.mark.parametrize("behind", ["a = u\ny = y*sum(a*a)", "call made(a, x, n)\ny = y*sum(a*a)"])
def test_what_the_code_behind_the_loop_overwrites_is_kept(behind: str, tmp_path: Path) -> None:
    found = analysed(tmp_path, "a = 0.1d0*k\nu = u*u*a", behind)
    assert not names(found)


def test_what_the_next_entry_of_the_loop_overwrites_is_kept(tmp_path: Path) -> None:
    """The loop runs for each m, and its rows depend on that."""
    text = PROGRAM.format(step="a = 0.1d0*k*m\nu = u*u*a", behind="").replace(
        "  do it =", "  do m = 1, 2\n  do it =").replace("  y = y + sum", "  end do\n  y = y + sum")
    found = loop_of([written(tmp_path, text)], "march(x)>(y)", LINE + 1)
    result = compare_schedules(found, standard(found.analysis.prepared(), parse_inputs(["n=4", "nt=6"])),
                               SchedulesWanted(700, ("all",)))
    assert not names(found)
    assert all(run.equal for run in result.runs)
