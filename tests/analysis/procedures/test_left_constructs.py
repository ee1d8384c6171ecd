"""Constructs that are left before their end, by EXIT or a jump, have not certainly written what stands in them.

Each fills an array unless it is left, and is. Executed against gfortran, under every strategy.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """subroutine step(x, y)
  implicit none
  real(8) :: x(5), y, f(5), s
  integer :: i, k
  f = x
  s = x(1)
  k = 1
  do i = 1, 3
    call fill(f, s, k)
    s = 0.4d0*s*f(2)*f(2) + f(4)
    f(2) = f(2)*s
  end do
  y = s + sum(f*x)
contains
subroutine fill(f, s, k)
  real(8) :: f(5), s
  integer :: k, j
{body}
  f(3:5) = sin(s)*f(2)
  s = 0.3d0*s*f(2)*f(1) + f(2)*f(2)
  if (k > 7) k = part()
end subroutine
integer function part()
  part = k + 1
end function
subroutine jump(*)
  return 1
end subroutine
end subroutine
"""
LEFT = {
    "IF": """  b: if (s > 0.01d0) then
    f(1) = s
    if (s < 99) exit b
    f(2) = s*s
  else
    f(1) = 0.5d0*s
    f(2) = 0.3d0*s
  end if b""",
    "IF, out of a loop in it": """  b: if (s > 0.01d0) then
    f(1) = s
    do
      if (s < 99) exit b
      s = 0.5d0*s
    end do
    f(2) = s*s
  else
    f(1) = 0.5d0*s
    f(2) = 0.3d0*s
  end if b""",
    "BLOCK": """  b: block
    f(1) = s
    if (s < 99) exit b
    f(2) = s*s
  end block b""",
    "ASSOCIATE": """  b: associate (g => f)
    g(1) = s
    if (s < 99) exit b
    g(2) = s*s
  end associate b""",
    "SELECT": """  b: select case (k)
  case (1)
    f(1) = s
    if (s < 99) exit b
    f(2) = s*s
  case default
    f(1) = 0.5d0*s
    f(2) = 0.3d0*s
  end select b""",
    "DO": """  b: do j = 1, 2
    f(1) = s
    if (s < 99) exit b
    f(j) = s*s
  end do b""",
    "IF, by GOTO": """  if (s > 0.01d0) then
    f(1) = s
    if (s < 99) goto 10
    f(2) = s*s
  else
    f(1) = 0.5d0*s
    f(2) = 0.3d0*s
  end if
10 continue""",
    "an alternate return": """  f(1) = s
  call jump(*10)
  f(2) = s*s
10 continue""",
}


@pytest.mark.parametrize("construct", LEFT)
def test_left_early(construct: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(body=LEFT[construct]), "step(x)>(y)", tmp_path)
