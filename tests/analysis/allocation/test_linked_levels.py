"""Multigrid levels that point to the next coarser one: a recursion down the list, and a list that is taken down."""

from __future__ import annotations

from pathlib import Path

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.command import run

LEVELS = """module levels
  implicit none
  type lev
    real(8), allocatable :: u(:), r(:)
    type(lev), pointer :: coarse => null()
    integer :: n = 0
  end type
contains
  recursive subroutine setup(l, n)
    type(lev), intent(inout) :: l
    integer, intent(in) :: n
    l%n = n
    allocate (l%u(n), l%r(n))
    l%u = 0
    l%r = 0
    if (n > 3) then
      allocate (l%coarse)
      call setup(l%coarse, (n + 1)/2)
    end if
  end subroutine
  recursive subroutine cycle_down(l, w)
    type(lev), intent(inout) :: l
    real(8), intent(in) :: w
    integer :: i
    do i = 1, l%n
      l%u(i) = l%u(i) + w*(l%r(i) - l%u(i)**2*0.1d0)
    end do
    if (associated(l%coarse)) then
      l%coarse%r = l%r(1::2) - 0.5d0*l%u(1::2)
      l%coarse%u = 0
      call cycle_down(l%coarse, w*0.9d0)
      l%u(1::2) = l%u(1::2) + l%coarse%u*l%u(1::2)
    end if
  end subroutine
  recursive subroutine take_down(l)
    type(lev), intent(inout) :: l
    if (associated(l%coarse)) then
      call take_down(l%coarse)
      deallocate (l%coarse)
    end if
    deallocate (l%u, l%r)
  end subroutine
end module
subroutine p(x, n, y)
  use levels
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(lev) :: l
  integer :: k
  call setup(l, n)
  l%r = x
  do k = 1, 2
    call cycle_down(l, x(k)*0.5d0)
  end do
  y = sum(l%u**2)
{end}
end subroutine
"""
(HEAD,) = parse_heads("p(x)>(y)")
# l%coarse%r might get another shape, for all that can be told.
RESHAPING = 1 + next(at for at, text in enumerate(LEVELS.splitlines()) if "l%coarse%r =" in text)
KEPT, TAKEN_DOWN = LEVELS.replace("{end}", ""), LEVELS.replace("{end}", "  call take_down(l)")


def test_sizes_of_a_level_are_not_looked_for_at_all_levels_below(tmp_path: Path) -> None:
    """optimal asks what l%n is in numbers: in the call below l%coarse%n, in the next one l%coarse%coarse%n."""
    path = tmp_path / "levels.f90"
    path.write_text(KEPT)
    done = run("report", path, "--head", "p(x)>(y)", "--strategy", "optimal", "--assume", "n=5")
    assert done.returncode == 0, done.stderr
    assert "2 checkpointed parts" in done.stdout


def test_levels_that_stay_are_restored() -> None:
    found = compare(load_text(KEPT), HEAD, parse_strategies("lazy,optimal"), Inputs({"n": 5}), AnalysisOptions(),
                    ExperimentOptions())
    assert all(one.equal for one in found.runs)
    assert [(one.code, one.span.line) for one in found.diagnostics] == [("SN104", RESHAPING)]


def test_levels_that_are_taken_down_cannot_be() -> None:
    """No location stands for the allocations below a link: that the adjoint misses them is said."""
    program = load_text(TAKEN_DOWN)
    found = compare(program, HEAD, parse_strategies("lazy"), Inputs({"n": 5}), AnalysisOptions(), ExperimentOptions())
    line = 1 + next(at for at, text in enumerate(TAKEN_DOWN.splitlines()) if text == "  call take_down(l)")
    reported = analyse(program, HEAD)
    in_parts = {(one.code, one.span.line) for part in reported.parts for one in part.diagnostics}
    assert in_parts == {("SN104", RESHAPING)}
    for said, lines in ((found.diagnostics, [RESHAPING, line]), (reported.diagnostics, [line])):
        assert [(one.code, one.span.line) for one in said] == [("SN104", at) for at in lines]
        assert "l%coarse has no size here" in said[-1].message
