"""Values that are overwritten unread need no PUSH.

gfortran says that the gradient of the whole adjoint is another one than that of the spoilt one; `compare` says what is
missing there, and of the whole one nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

SUMMED = AdjointCase("summed", "model(x)>(y)", """\
module cells
  type cell
    real(8) :: q, z
  end type
contains
  subroutine step(c, y)
    type(cell) :: c
    real(8) :: y
    y = y + 0.1d0*c%q*c%q
    c%z = y
  end subroutine step
end module cells
subroutine model(x, n, y)
  use cells
  integer :: n, i, k, it
  type(cell) :: r(n)
  real(8) :: x(n), y
  y = 1
  do it = 1, 3
    do i = 1, n
      r(i)%q = 0
      do k = 1, 2
        r(i)%q = r(i)%q + k*x(i)*y
      end do
    end do
    do i = 1, n
      call step(r(i), y)
    end do
  end do
end subroutine model
""", """\
subroutine step_b(c, cb, y, yb)
  use cells
  type(cell) :: c, cb
  real(8) :: y, yb
  yb = yb + cb%z
  cb%z = 0
  cb%q = cb%q + 0.2d0*c%q*yb
end subroutine step_b
subroutine model_b(x, xb, n, y, yb)
  use cells
  integer :: n, i, k, it
  type(cell) :: r(n), rb(n)
  real(8) :: x(n), xb(n), y, yb
  y = 1
  do it = 1, 3
    do i = 1, n
      call pushreal8(r(i)%q) ! q
      r(i)%q = 0
      do k = 1, 2
        r(i)%q = r(i)%q + k*x(i)*y
      end do
    end do
    do i = 1, n
      call pushreal8(y) ! y
      call step(r(i), y)
    end do
  end do
  rb%q = 0
  rb%z = 0
  do it = 3, 1, -1
    do i = n, 1, -1
      call popreal8(y) ! y
      call step_b(r(i), rb(i), y, yb)
    end do
    do i = n, 1, -1
      do k = 2, 1, -1
        xb(i) = xb(i) + k*y*rb(i)%q
        yb = yb + k*x(i)*rb(i)%q
      end do
      call popreal8(r(i)%q) ! q
      rb(i)%q = 0
    end do
  end do
  yb = 0
end subroutine model_b
""")
"""What r(i)%q is summed up from is overwritten by the next summand, and no derivative reads it."""

CASES = (SUMMED,)


def lost(case: AdjointCase, letter: str) -> str:
    return "".join(line for line in case.adjoint.splitlines(keepends=True) if f"! {letter}\n" not in line)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_is_missing_in_what_is_right(case: AdjointCase, tmp_path: Path) -> None:
    assert not compared(case, case.adjoint, tmp_path).missing


@pytest.mark.parametrize(("name", "location"), [("q", "r%q"), ("y", "y")])
def test_what_is_lost_is_missing(name: str, location: str, tmp_path: Path) -> None:
    wrong = lost(SUMMED, name)
    right = gradient(SUMMED, SUMMED.adjoint, tmp_path / "right")
    assert right.split()
    assert gradient(SUMMED, wrong, tmp_path / "wrong") not in ("", right)
    assert location in {one.location for one in compared(SUMMED, wrong, tmp_path).missing}
