"""SN304: calls that give memory two names, one of which is written. What Fortran allows is not reported."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset

PROGRAM = """
module m
  type pair
    real(8) :: u(3), v
  end type pair
  real(8) :: g, h(3)
end module m
subroutine top(x, y, n)
  use m
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t(3)
  real(8), target :: z
  type(pair) :: s
  integer :: i
  real(8) :: c, d
  common /block/ c, d
  c = x
  d = x
  i = n
  t = x
  z = x
  g = x
  h = x
  s%u = x
  s%v = x
  {call}
  y = sum(t) + c + d + g + sum(h) + sum(s%u) + s%v + z
end subroutine top
subroutine one(a, b)
  real(8) :: a, b
  b = a*b
end subroutine one
subroutine all_of(a, b)
  real(8) :: a(3), b
  a = a*b
end subroutine all_of
subroutine global(a)
  use m
  real(8) :: a
  g = a*a
end subroutine global
subroutine blocked(a)
  real(8) :: a, e
  common /block/ e
  e = a*a
end subroutine blocked
subroutine reading(a, b)
  use m
  real(8) :: a, b
  h(1) = a*b*g
end subroutine reading
subroutine of_pair(p, b)
  use m
  type(pair) :: p
  real(8) :: b
  p%u = p%u*b
end subroutine of_pair
subroutine aimed(a, b)
  real(8), target :: a, b
  b = a*b
end subroutine aimed
"""
FORBIDDEN = {
    "call one(t(1), t(1))": "`t(1)` is passed as `a`, and `t(1)` as `b`; one writes `b`",
    "call one(t(i), t(i))": "`t(i)` is passed as `a`, and `t(i)` as `b`",
    "call all_of(t, t(2))": "`t` is passed as `a`, and `t(2)` as `b`; all_of writes `a`",
    "call of_pair(s, s%u(1))": "of_pair writes `p`",
    "call global(g)": "`g` is passed as `a`, and used by its own name; global writes `g`",
    "call blocked(c)": "`c` is passed as `a`, and used by its own name; blocked writes `c`",
    "call one(b=s%v, a=s%v)": "one writes `b`",
}
ALLOWED = ("call one((t(1)), t(1))", "call one(t(1), t(2))", "call one(t(i), t(i+1))", "call one(s%v, s%u(1))",
           "call of_pair(s, s%v)", "call of_pair(s, (s%u(1)))", "call reading(g, g)", "call reading(t(1), t(1))",
           "call global((g))", "call global(h(1))", "call aimed(z, z)", "call one(g, z)",
           "call blocked(d)", "call one(c, d)")


def said(call: str, folder: Path) -> list[str]:
    file = folder / "x.f90"
    file.write_text(PROGRAM.replace("{call}", call))
    return [one.message for one in snapset.report([str(file)], "top(x)>(y)").diagnostics if one.code == "SN304"]


@pytest.mark.parametrize("call", FORBIDDEN)
def test_what_is_passed_under_two_names_and_written_is_reported(call: str, tmp_path: Path) -> None:
    (message,) = said(call, tmp_path)
    assert FORBIDDEN[call] in message


@pytest.mark.parametrize("call", ALLOWED)
def test_what_fortran_allows_is_not(call: str, tmp_path: Path) -> None:
    assert said(call, tmp_path) == []
