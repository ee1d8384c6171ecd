"""A derivative reads what leads it to its operands also where these vary only by memory that they may share.

``tg = x`` may change what gp points to, and ``l%s`` may be that: ``w%s = l%s`` has a derivative, which must find l.
"""

from __future__ import annotations

from pathlib import Path

from tests.support.execution import proved_by_execution

TEXT = """module m
  implicit none
  type :: object
    real(8) :: s
  end type object
  real(8), target :: tg(3)
  real(8), pointer :: gp(:)
contains
subroutine h(x, cost)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: cost
  type(object), target :: o, w
  type(object), pointer :: l
  o%s = 0.3d0
  l => o
  tg = x
  w%s = l%s
  l => w
  cost = w%s + sum(tg*x)
end subroutine h
end module m
"""


def test_the_pointer_of_an_operand_that_may_vary_is_kept(tmp_path: Path) -> None:
    proved_by_execution(TEXT, "h(x)>(cost)", tmp_path)
