"""The value of an argument is read through a pointer, its target is what the call sets: ``call sets(2*p, q)``, p => q.
The callee has read the value before, and the part that holds the call overwrites what it has read. Executed against
gfortran, under every strategy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """subroutine sets(v, z)
  real(8), intent(in) :: v
  real(8), intent(out) :: z
  z = v*v
  if (v > 0.3d0) z = z*v
end subroutine
subroutine p(x, y)
  real(8) :: x, y
  integer :: i
  real(8), target :: q, r(3)
  real(8), pointer :: pt, pr(:)
  q = 0.7d0*x
  r = 0.9d0*x
  pt => q
  pr => r
  y = x
  do i = 1, 2
    !$AD CHECKPOINT-START
    call {call}
    !$AD CHECKPOINT-END
    y = 0.5d0*y + 0.3d0*q*pt + sum(r*r)
  end do
end subroutine
"""


@pytest.mark.parametrize("call", ["sets(1d0*pt, q)", "sets((pt), q)", "sets(2*q, pt)", "sets(1d0*q, q)",
                                  "sets(sum(pr), r(2))", "sets(2*r(2), pr(2))", "sets(pr(1)*pt, r(1))"])
def test_the_target_is_saved(call: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(call=call), "p(x)>(y)", tmp_path)
