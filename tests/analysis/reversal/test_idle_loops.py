"""A loop whose body has nothing to do for either sweep: what its DO variable was before is not lost behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

IDLE = """
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(4), v(4), c, s
  integer :: k, idle
  s = 0.3d0*x; k = 2; y = x; c = x; v = x
  u = x*x
  y = y + 0.1d0*sin(u(k))
  {first}
  do k = 2, n
    {body}
  end do
  {second}
  k = 3
  y = 0.5d0*y + c*u(k)
end subroutine p
"""
MARKED = "!$AD CHECKPOINT-START\n  if (s > 0.1d0) c = {}\n  !$AD CHECKPOINT-END"


@pytest.mark.parametrize("body", ["", "idle = k", "y = y + 3d0*v(k)", "u(k) = sin(u(k))"])
@pytest.mark.parametrize("first", [MARKED.format("sin(s)*c"), ""])
@pytest.mark.parametrize("second", [MARKED.format("0.5d0*c + 0.2d0*s*s"), ""])
def test_its_variable_is_what_it_was(body: str, first: str, second: str, tmp_path: Path) -> None:
    """k chooses an element whose derivative is asked for, is the idle loop's variable, and is set behind it."""
    proved_by_execution(IDLE.format(body=body, first=first, second=second), "p(x)>(y)", tmp_path, {"n": 4})
