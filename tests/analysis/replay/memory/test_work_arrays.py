"""Slices of one work array as several arguments, of which those that are assumed-size go on over the others."""

from pathlib import Path

from tests.support.execution import proved_by_execution

SLICES = """
subroutine s(x, y)
  implicit none
  real(8), intent(inout) :: x(4), y
  real(8) :: w(20)
  integer :: i
  w = 1
  do i = 1, 2
    w(8:11) = x*w(8:11)
    call inner(w(8), w(1), 4)
    x = x*w(8:11)
  end do
  y = sum(x)
end subroutine s
subroutine inner(e, w, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: e(n), w(*)
  integer :: i
  call squares(e, w, n)
  call scaled(w, n)
  do i = 1, n
    e(i) = e(i)*w(i)
  end do
  call scaled(w, n)
  do i = 1, n
    e(i) = cos(e(i) + w(i))
    w(i) = 0
  end do
end subroutine inner
subroutine squares(e, w, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: e(n), w(*)
  integer :: i
  do i = 1, n
    w(i) = e(i)**2
  end do
  call scaled(w, n)
  do i = 1, n
    e(i) = e(i)*w(i)
  end do
end subroutine squares
subroutine scaled(w, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: w(*)
  integer :: i
  w(n + 1) = 2
  do i = 1, n
    w(i) = sin(w(i))*w(n + 1)
  end do
end subroutine scaled
"""


def test_what_nobody_needs_of_a_slice_says_nothing_of_the_next(tmp_path: Path) -> None:
    """Poison of ``w(*)`` went on over ``e``, which lies behind it in the same work array and is needed."""
    proved_by_execution(SLICES, "s(x)>(y)", tmp_path)
