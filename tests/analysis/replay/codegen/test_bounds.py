"""LBOUND and UBOUND of variables, components, pointers, sections and expressions, against gfortran."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  type inner
    real(8) :: v(-1:2), s
    real(8), pointer :: p(:)
  end type inner
  type heap
    real(8), allocatable :: h(:, :)
  end type heap
  type outer
    type(inner) :: a(0:1)
    real(8) :: u(3)
  end type outer
contains
subroutine s(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), target :: t(6)
  type(inner) :: o
  type(heap) :: q
  type(outer) :: w, ws(2:3)
  real(8) :: c(0:2, -3:1)
  real(8), allocatable :: made(:), g(:, :)
  integer :: i, b(2), k(3)
  t = [(x*i, i = 1, 6)]
  c = x
  o%v = x
  o%s = x
  allocate (q%h(2:3, 0:4))
  o%p(3:) => t(2:5)
  w%a(0)%p => t
  do i = 2, 3
    ws(i)%u = x
  end do
  {asked}
  y = x*k(1) + x**2*k(2) + x**3*k(3)
end subroutine s
end module m
"""
ASKED = {
    "a component": "k = [lbound(o%v, 1), ubound(o%v, 1), size(o%v)]",
    "all of a component": "b(1:1) = ubound(o%v)\n  k = [lbound(o%v), b(1), 1]",
    "an allocatable component": "k = [lbound(q%h, 1), ubound(q%h, 2), lbound(q%h, 2)]",
    "all of an allocatable component": "b = ubound(q%h)\n  k = [b, 2]",
    "a pointer component": "k = [lbound(o%p, 1), ubound(o%p, 1), 7]",
    "a component of an element": "k = [lbound(w%a(1)%v, 1), ubound(w%a(0)%v, 1), lbound(w%a(1)%v, 1)]",
    "an array of objects": "k = [lbound(ws, 1), ubound(ws, 1), ubound(w%a, 1)]",
    "all of an array of objects": "b(1:1) = ubound(ws)\n  k = [b(1), lbound(w%a), size(lbound(ws))]",
    "components of an array": "k = [lbound(w%a%s, 1), ubound(w%a%s, 1), ubound(ws%u(2), 1)]",
    "a section": "k = [lbound(c(1:, :), 1), ubound(c(1:, 0:), 1), ubound(c(:, ::2), 2)]",
    "a variable": "k = [lbound(c, 1), ubound(c, 2), lbound(c, 2)]",
    "an expression": "k = [lbound(c + 1, 1), ubound(2*c, 2), ubound(t(2:3)*x, 1)]",
    "of no elements": "allocate (made(5:4))\n  k = [lbound(made, 1), ubound(made, 1), 3]",
    "by SOURCE= of a pointer component": "allocate (made, source=o%p)\n  k = [lbound(made, 1), ubound(made, 1), 2]",
    "by SOURCE= of a component": "allocate (g, source=q%h(2:3, 1:2))\n  k = [lbound(g, 1), ubound(g, 2), 2]",
    "by MOLD= of a component": "allocate (g, mold=q%h)\n  k = [lbound(g, 1), ubound(g, 2), 2]",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_bounds(asked: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(asked=asked), "s(x)>(y)", tmp_path, {"x": 0.7})
