"""Allocations that assignments overwrite: the adjoint is right where they give the array the shape that it has, and
wrong where they do not. The driver says which, by differences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

BOUNDS = """\
module held
  type bounds
    real(8), allocatable :: l(:), raw(:)
  end type
contains
subroutine step(x, p, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  type(bounds), intent(inout) :: p
  x = x*x*size(p%l)
  call bounded(p, n)
end subroutine
subroutine bounded(p, n)
  integer, intent(in) :: n
  type(bounds), intent(inout) :: p
  {written}
end subroutine
subroutine model(x, p, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  type(bounds), intent(inout) :: p
  real(8), intent(out) :: y
  call step(x, p, n)
  p%l = {again}
  y = sum(x*x)
end subroutine
"""

BOUNDS_ADJOINT = """\
subroutine step_b(x, xb, p, n)
  integer, intent(in) :: n
  real(8) :: x(n), xb(n)
  type(bounds) :: p
  xb = 2*x*size(p%l)*xb
end subroutine
subroutine model_b(x, xb, p, n, y, yb)
  integer, intent(in) :: n
  real(8) :: x(n), xb(n), y, yb
  type(bounds) :: p
  call pushreal8array(x, n)
  call step(x, p, n)
  p%l = {again}
  xb = 2*x*yb
  call popreal8array(x, n)
  call step_b(x, xb, p, n)
end subroutine
end module
"""

DRIVER = """\
program drive
  use held
  implicit none
  type(bounds) :: p
  real(8) :: x(4), xb(4), y, yb, low, high
  call start
  x(2) = x(2) + 1.0d-6
  call model(x, p, 4, high)
  call start
  x(2) = x(2) - 1.0d-6
  call model(x, p, 4, low)
  call start
  xb = 0
  yb = 1
  call model_b(x, xb, p, 4, y, yb)
  write (*, '(l1)') abs(xb(2) - (high - low)/2.0d-6) < 1.0d-4*abs(xb(2))
contains
  subroutine start
    x = [0.7d0, 1.1d0, 0.4d0, 1.3d0]
    p%raw = x
    p%l = 2*x
  end subroutine
end program drive
"""


class Bounded(AdjointCase):
    @property
    def driver(self) -> str:
        return DRIVER


@pytest.mark.parametrize(("written", "again", "right"), [
    ("p%l = p%raw", "2*p%raw", True),
    ("if (.not. allocated(p%l)) allocate (p%l(n))\n  p%l = p%raw", "2*p%raw", True),
    ("p%l = p%raw\n  if (n > 3) then\n    deallocate (p%l)\n    allocate (p%l(2*n))\n  end if", "p%l", False),
    ("if (n > 3) then\n    deallocate (p%l)\n    allocate (p%l(2*n))\n  else\n    p%l = p%raw\n  end if", "p%l", False),
    ("p%l = [p%l, 1.0d0]", "2*p%l", False),
    ("p%l = 2*p%l(2:)", "p%l", False),
], ids=["assigned", "allocated once", "then another", "or another", "grown", "shrunk"])
def test_an_allocation_is_missing_where_it_gets_another_shape(written: str, again: str, right: bool,
                                                              tmp_path: Path) -> None:
    """smash's adjoint by Tapenade has p%l = p%raw: nothing tells that both have one shape, but that they do."""
    adjoint = BOUNDS_ADJOINT.format(again=again)
    module = BOUNDS.format(written=written, again=again)
    assert gradient(Bounded("", "", module, ""), adjoint, tmp_path / "run") == ("T\n" if right else "F\n")
    whole = AdjointCase("bounded", "held%model(x)>(y)", module + "end module\n", "")
    found = compared(whole, module + adjoint, tmp_path)
    assert {one.location for one in found.missing} == (set() if right else {"p%l[]"})


TAPED = AdjointCase("taped", "model(x)>(y)", """\
module held
  real(8), allocatable :: w(:)
end module
subroutine model(x, n, y)
  use held
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  w = x*2
  x = w*w
  w = w*x
  y = sum(w*w)
end subroutine
""", """\
subroutine model_b(x, xb, n, y, yb)
  use held
  integer, intent(in) :: n
  real(8) :: x(n), xb(n), y, yb, wb(n)
  w = x*2
  x = w*w
  call pushreal8array(w, n)
  w = w*x
  wb = 2*w*yb
  call popreal8array(w, n)
  xb = w*wb
  wb = x*wb + 2*w*xb
  xb = 2*wb
end subroutine
""")


@pytest.mark.parametrize("first", ["w = x*2", "if (n > 2) w = x*2"])
def test_of_a_taped_array_the_value_is_missing_and_not_the_allocation(first: str, tmp_path: Path) -> None:
    case = AdjointCase("taped", TAPED.head, *(one.replace("w = x*2", first) for one in (TAPED.original, TAPED.adjoint)))
    right = gradient(case, case.adjoint, tmp_path / "right")
    assert right.strip()
    assert not compared(case, case.adjoint, tmp_path).missing
    broken = case.adjoint.replace("  call pushreal8array(w, n)\n", "").replace("  call popreal8array(w, n)\n", "")
    assert gradient(case, broken, tmp_path / "broken") != right
    assert {one.location for one in compared(case, broken, tmp_path).missing} == {"w"}
