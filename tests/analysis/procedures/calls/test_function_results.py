"""The result of a function inside an expression is made by its call: what the function does not certainly write whole
is in no snapshot, and nothing restores it."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import Choices, replay, report

PROGRAM = """\
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), c(n)
  integer :: i
  c = x
  a = x
  do i = 1, 3
    !$AD CHECKPOINT-START
    {statement}
    !$AD CHECKPOINT-END
    c = c*a
  end do
  y = sum(a*c)
contains
function running(v, s) result(r)
  real(8), intent(in) :: v(:), s
  real(8) :: r(size(v))
  integer :: k
  r(1) = s
  do k = 2, size(v)
    if (v(k) > 0.1d0) r(k) = v(k)*r(k-1)
    if (v(k) <= 0.1d0) r(k) = s
  end do
end function
elemental function bent(u, s) result(r)
  real(8), intent(in) :: u, s
  real(8) :: r
  if (u > s) r = u*u
  if (u <= s) r = sin(u)
end function
end subroutine
"""


@pytest.mark.parametrize("options", [{}, {"recompute": True}, {"recompute": True, "dag": True}, {"context": True},
                                     {"call_checkpoints": False}], ids=str)
@pytest.mark.parametrize("statement", ["a = a*a + running(c, a(3))", "a = a*bent(running(c, a(3)), c)",
                                       "where (bent(a, c) > 0.2d0) a = a*bent(c, a(2))"])
def test_no_result_is_saved(statement: str, options: dict[str, bool], tmp_path: Path) -> None:
    file = tmp_path / "p.f90"
    file.write_text(PROGRAM.format(statement=statement))
    choices = Choices(**options)  # type: ignore[arg-type]
    part = next(one for one in report([str(file)], "p(x)>(y)", choices).parts if one.kind == "region")
    lazy = part.solutions["lazy"]
    if "call_checkpoints" not in options:  # in split mode the callee's backward sweep may be asked for it
        assert not [name for name in (*lazy.snp, *lazy.sbk, *part.sets.use_c, *part.sets.use_cbar) if "@" in name]
    found = replay([str(file)], "p(x)>(y)", choices, values={"n": 5})
    assert found.equal
