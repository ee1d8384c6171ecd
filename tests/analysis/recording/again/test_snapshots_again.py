"""What a snapshot does without, because the part's adjoint computes it again: its operands must be what they were.

An array of which each iteration has elements of its own, or which is written anew piece by piece, has several lives.
That D's derivatives require *some* of it does not say that D̄ puts back those elements which are read again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

ROWS = """
subroutine mixed(u, k, cost)
  implicit none
  real(8), intent(inout) :: u(3, 3), k
  real(8), intent(out) :: cost
  real(8) :: c(3), d(3), slope, kept
  integer :: i, j
  do i = 1, 3
    do j = 1, 2
      slope = u(i, j+1) - u(i, j)
      kept = k
      !$AD CHECKPOINT-START
      if (slope > 0d0) kept = k*(1d0 + 5d0*slope)
      !$AD CHECKPOINT-END
      c(j) = -0.1d0*kept
    end do
    {before}
    {last}
    do j = 2, 1, -1
      u(i, j) = {row} - c(j)*u(i, j+1)
    end do
  end do
  cost = sum(u**2)
end subroutine mixed
"""

ANEW = """
subroutine filled(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: f(n), slope, k
  integer :: i, step
  f = x
  y = 0d0
  do step = 1, 2
    y = y + sum(f*f)
    f(1) = 2d0*x(1)
    slope = f(1) - x(2)
    k = x(1)
    !$AD CHECKPOINT-START
    k = k*(1d0 + 5d0*slope**2)
    !$AD CHECKPOINT-END
    y = y + k
    do i = 2, n
      f(i) = 3d0*x(i)
    end do
    slope = 3d0
    {after}
    y = sin(y)
  end do
  f = 2d0
  y = y + sum(f)
end subroutine filled
"""


@pytest.mark.parametrize("row", ["u(i, j)", "d(j)"])
@pytest.mark.parametrize("last", ["u(i, 3) = d(3)/3", "u(i, 3) = 2*d(3)**2", "u(i, 3) = 2d0", "u(i, 3) = sin(u(i, 3))"])
@pytest.mark.parametrize("before", ["d = u(i, :)", "d = 2d0"])
def test_elements_of_this_iteration(before: str, last: str, row: str, tmp_path: Path) -> None:
    """Derivatives of the iterations before read u, and so To Be Recorded requires it; but not this row's last element,
    which is overwritten before this iteration's derivatives read it."""
    proved_by_execution(ROWS.format(before=before, last=last, row=row), "mixed(u, k)>(cost)", tmp_path)


@pytest.mark.parametrize("after", ["f(1) = 2.5d0", "f(1) = f(1)*x(1)", ""])
def test_elements_written_anew(after: str, tmp_path: Path) -> None:
    """The old elements of f are required while the new ones are written, one of which is read again."""
    proved_by_execution(ANEW.format(after=after), "filled(x)>(y)", tmp_path, {"n": 4})
