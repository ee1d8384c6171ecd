"""What programs ask of their numbers (LAPACK's DLAMCH does): gfortran gives the same answers."""

from __future__ import annotations

from pathlib import Path

from tests.support.execution import proved_by_execution

LIMITS = """
subroutine f(x, y)
  use, intrinsic :: ieee_arithmetic
  real(8), intent(in) :: x
  real(8), intent(out) :: y(16)
  real(4) :: s
  integer(8) :: i
  logical :: l
  s = 1.5
  i = 3
  l = .true.
  y(1) = x*digits(x)
  y(2) = x*digits(s)
  y(3) = x*digits(i)
  y(4) = x*radix(x)
  y(5) = x*radix(i)
  y(6) = x*maxexponent(x)
  y(7) = x*minexponent(s)
  y(8) = x*minexponent(x)
  y(9) = x*storage_size(x)
  y(10) = x*storage_size(l)
  y(11) = x*precision(s)
  y(12) = x*range(i)
  y(13) = x*bit_size(i)
  y(14) = merge(x, -x, ieee_support_inf(x) .and. ieee_support_nan(s))
  y(15) = x*real(radix(x), 8)**(minexponent(x) + 1000)
  y(16) = x*maxexponent(s)
end subroutine
"""


def test_limits_of_numbers(tmp_path: Path) -> None:
    proved_by_execution(LIMITS, "f(x)>(y)", tmp_path)
