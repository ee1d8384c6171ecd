"""SELECT TYPE of a CLASS value in parentheses: a copy, of the type that it has when it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.judged import judge

# gfortran 12 makes no copy for (o): what is changed of o while the name is used is changed of the name, too.
PROGRAM = """module m
  type :: base
    real(8) :: u = 0.5d0
    real(8) :: v(3) = 0.25d0
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.75d0
  end type wide
contains
subroutine seen(o, t)
  class(base), intent(inout) :: o
  real(8), intent(inout) :: t
  {start}select type (q => (o))
  type is (wide)
    t = 0.6d0*q%w*q%u + 0.2d0*t
    o%u = 0.5d0*o%u + 0.2d0*t
  class is (base)
    t = 0.5d0*q%v(2)*q%u + 0.3d0*t
    o%v(2) = 0.5d0*o%v(2)*t
  end select{end}
end subroutine
subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(base) :: a
  type(wide) :: b
  integer :: i
  a%v = x*x
  b%w = x(1)
  b%u = x(2)
  y = x(3)
  do i = 1, 2
    call seen(a, y)
    call seen(b, y)
  end do
  y = y*a%v(2)*b%u
end subroutine
end module
"""


@pytest.mark.parametrize("marked", [False, True])
def test_the_name_has_the_type_of_the_value(marked: bool, tmp_path: Path) -> None:
    """A part that the copy is made in, and one that it is not."""
    start, end = ("!$AD CHECKPOINT-START\n  ", "\n  !$AD CHECKPOINT-END") if marked else ("", "")
    judge(PROGRAM.format(start=start, end=end), "p(x)>(y)", tmp_path)
