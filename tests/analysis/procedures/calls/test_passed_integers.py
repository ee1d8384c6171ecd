"""What an adjoint call needs to evaluate its arguments, although the procedure wants no value of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset

from tests.support.execution import proved_by_execution

PROGRAM = """
subroutine c(v, y)
  implicit none
  real(8), intent(in) :: v
  real(8), intent(inout) :: y
  y = y*y
  if (y > 1d9) y = y + 1d0
end subroutine
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(3)
  integer :: k, m
  k = 2
  m = 3
  a = x
  y = x
  call c({passed}, y)
  k = 0
  m = 0
  y = y*sin(y)*a(1)
end subroutine
"""


@pytest.mark.parametrize(("passed", "needed"), [
    ("real(6/k, 8)", {"k"}),  # divides by zero once k is 0
    ("real(6/(k*m), 8)", {"k", "m"}),
    ("a(k)*a(m)", {"k", "m"}),  # reads outside of a once they are 0
    ("a(k)/m", {"k", "m"}),
    ("2*x", set()),
])  # fmt: skip
def test_the_integers_of_an_argument_are_as_they_were_when_the_adjoint_is_called(
        passed: str, needed: set[str], tmp_path: Path) -> None:
    text = PROGRAM.format(passed=passed)
    file = tmp_path / "p.f90"
    file.write_text(text)
    (part,) = snapset.report([str(file)], "p(x)>(y)").parts
    assert set(part.sets.use_cbar) & {"k", "m"} == needed
    proved_by_execution(text, "p(x)>(y)", tmp_path, {"x": 0.7})
