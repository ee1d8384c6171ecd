"""Arrays of objects passed in another shape, or by one of them, which stands for those that follow it: each brings its
components along. Executed against gfortran, under every strategy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  type part
    real(8) :: s, w(2, 3)
  end type
  type cell
    real(8) :: u, v(3)
    type(part) :: in, ar(2)
  end type
contains
subroutine p(x, y)
  real(8) :: x(6), y, s
  type(cell) :: o(6), q(2, 3)
  integer :: i
  s = x(1)
  o = cell(0.5d0, 0.3d0, part(0.4d0, 0.6d0), part(0.2d0, 0.5d0))
  q = o(1)
  o%v(2) = x
  o%u = 0.5d0*x
  q(2, :)%u = x(1:3)
  q(1, :)%in%w(2, 2) = x(4:6)
  do i = 1, 2
    call {call}
    s = 0.5d0*s + 0.3d0*o(3)%v(1)*q(1, 3)%in%w(2, 2)
  end do
  y = s + sum(o%u) + sum(q%v(1)) + sum(o%ar(2)%s) + sum(o%in%w(2, 2)*x) + sum(o%v(2)*x)
end subroutine
subroutine table(c, s)
  type(cell), intent(inout) :: c(3, 2)
  real(8), intent(inout) :: s
  c(2, 2)%v(1:2) = 0.6d0*c(1, 2)%v(2:3)*s
  c(:, 1)%in%w(2, 2) = c(:, 2)%v(2)*s
  s = 0.6d0*s + 0.2d0*c(2, 2)%v(1)*c(1, 1)%u
end subroutine
subroutine row(c, s)
  type(cell), intent(inout) :: c(2)
  real(8), intent(inout) :: s
  c(2)%v(1:2) = 0.6d0*c(1)%v(2:3)*s
  s = 0.6d0*s + 0.2d0*c(2)%v(1)*c(1)%u
end subroutine
subroutine rest(c, n, s)
  integer, intent(in) :: n
  type(cell), intent(inout) :: c(n, *)
  real(8), intent(inout) :: s
  c(1, 2)%ar(1)%s = c(n, 1)%ar(2)%w(1, 3)*s
  c(1, 2)%v(2) = 0.6d0*c(n, 1)%v(2)*s
  s = 0.6d0*s + 0.2d0*c(1, 2)%v(2)*c(1, 1)%u + 0.1d0*c(1, 2)%ar(1)%s
end subroutine
subroutine parts(r, s)
  type(part), intent(inout) :: r(*)
  real(8), intent(inout) :: s
  r(1)%s = r(1)%s*s
  r(1)%w(2, 1) = r(1)%w(1, 2)*r(1)%s
  s = 0.5d0*s + r(1)%w(2, 1)
end subroutine
end module
"""
CALLS = ("table(o, s)", "table(q, s)", "row(o(2), s)", "row(q(1, 2), s)", "row(q(2, i), s)", "rest(q(2, 1), 2, s)",
         "rest(o(3), 1, s)", "rest(o, 2, s)", "parts(o(i)%ar, s)", "parts(o(i)%ar(2), s)", "parts(o%in, s)")


@pytest.mark.parametrize("call", CALLS)
def test_objects_in_sequence(call: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(call=call), "p(x)>(y)", tmp_path)
