"""Parts that save a piece of an array of which more is overwritten before the turn than their level shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.replay.timeloop.test_random_loops import all_equal
from tests.support.execution import proved_by_execution
from tests.support.time_loops import loop_of, written

SPLIT = """subroutine square(n, u, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), s
  {open}
  s = s*u(1)*u(n)
  u(2:n-1) = sin(u(2:n-1))*u(1)
  {close}
  s = s*sin(s)
end subroutine square
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(5)
  u = x*x
  y = sin(x)
  call square(5, u, y)
  u = 0.5d0*x*y
  y = y*sum(u*u)
end subroutine p
"""
STEPS = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(5)
  integer :: i
  u = x
  y = sin(x)
  do i = 1, n
    u = sin(u)*y
    !$AD CHECKPOINT-START
    y = y*u(1)*sin(u(5))
    u(2:4) = sin(u(2:4))*u(1)
    !$AD CHECKPOINT-END
  end do
  y = y*sum(u*u)
end subroutine p
"""


@pytest.mark.parametrize(("opened", "closed"), [("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END"), ("", "")])
def test_callers_of_a_code_in_split_mode_go_on_before_the_turn(opened: str, closed: str, tmp_path: Path) -> None:
    """Within square the part's piece is all of u that is lost; its caller overwrites the rest."""
    proved_by_execution(SPLIT.format(open=opened, close=closed), "p(x)>(y)", tmp_path)


def test_later_steps_of_a_time_loop_run_before_the_turn(tmp_path: Path) -> None:
    all_equal(loop_of([written(tmp_path, STEPS)], "p(x)>(y)", 9), "n=4", "x=0.7")
