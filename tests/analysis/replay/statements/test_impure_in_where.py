"""Impure elemental procedures in WHERE run for the elements that the mask chooses, against the compiled program."""

from __future__ import annotations

from pathlib import Path

from snapset.frontend.load import load_text

from tests.support.judged import judge

PROGRAM = """module cnt
  real(8) :: total = 0
  integer :: calls = 0
contains
  impure elemental real(8) function bump(a)
    real(8), intent(in) :: a
    total = total*0.5d0 + a*a
    calls = calls + 1
    bump = a*sin(a) + total
  end function
  elemental real(8) function pure_one(a)
    real(8), intent(in) :: a
    pure_one = a*a
  end function
end module
subroutine f(x, y)
  use cnt
  real(8) :: x(4), y, z(2, 2)
  integer :: i
  total = 0; calls = 0
  z = reshape(x, [2, 2])
  do i = 1, 2
  !$AD CHECKPOINT-START
  where (x > 0.7d0)
    x = bump(x) + pure_one(x)
    where (x < 1.2d0) x = x*bump(2*x)
  elsewhere (x > 0.6d0)
    x = 2*bump(x)*x
  elsewhere
    x = pure_one(x) - bump(x)*bump(x*0.1d0)
  end where
  where (z > 0.9d0) z = bump(z)*z
  x(1) = x(1)*0.9d0
  !$AD CHECKPOINT-END
  end do
  y = total*sum(x*x) + calls*x(1) + sum(z)
end subroutine
"""


def test_an_impure_procedure_runs_for_the_elements_of_its_mask(tmp_path: Path) -> None:
    """``calls`` counts them: in nested and masked arms, of vectors and matrices."""
    judge(PROGRAM, "f(x)>(y)", tmp_path)


def test_such_a_where_is_understood() -> None:
    assert not [one.code for one in load_text(PROGRAM).diagnostics]
