"""Dummy arguments with TARGET that get targets may be changed by either name (Fortran 2018, 15.5.2.13), without any
pointer. Executed against gfortran, under every strategy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  real(8), target :: mt, ma(4)
  {pointer}
contains
  subroutine two(z, v, x)
    real(8), target, intent(inout) :: z, v
    real(8), intent(in) :: x
    real(8) :: t
    t = x
    !$AD CHECKPOINT-START
    t = z*z*x
    !$AD CHECKPOINT-END
    v = sin(t)*v
    z = v*v*t
  end subroutine
  subroutine lost(z, v, x)
    real(8), target, intent(inout) :: z, v
    real(8), intent(in) :: x
    real(8) :: t
    t = x
    !$AD CHECKPOINT-START
    t = v*v*x
    !$AD CHECKPOINT-END
    z = 0.5d0*t
  end subroutine
  subroutine named(z, x)
    real(8), target, intent(inout) :: z
    real(8), intent(in) :: x
    real(8) :: t
    t = x
    !$AD CHECKPOINT-START
    t = z*z*x
    !$AD CHECKPOINT-END
    mt = 0.5d0*t
  end subroutine
  subroutine array(z, v, x)
    real(8), target, intent(inout) :: z, v(:)
    real(8), intent(in) :: x
    real(8) :: t
    t = x
    !$AD CHECKPOINT-START
    t = v(2)*v(1)*x
    !$AD CHECKPOINT-END
    z = 0.5d0*t
  end subroutine
  subroutine deeper(z, x)
    real(8), target, intent(inout) :: z
    real(8), intent(in) :: x
    call named(z, x)
    mt = mt*z
  end subroutine
end module
subroutine p(x, y)
  use m
  implicit none
  real(8) :: x, y
  mt = 0.6d0*x
  ma = 0.4d0*x
  call {call}
  call {call}
  y = mt*mt + sum(ma*ma)
end subroutine
"""

HOST = """subroutine p(x, y)
  implicit none
  real(8) :: x, y
  real(8), target :: w(3)
  w = 0.5d0*x
  call inner(w(1))
  call inner(w(1))
  y = sum(w*w)
contains
  subroutine inner(z)
    real(8), target, intent(inout) :: z
    real(8) :: t
    t = x
    !$AD CHECKPOINT-START
    t = z*z*x
    !$AD CHECKPOINT-END
    w(1) = 0.5d0*t
  end subroutine
end subroutine
"""


@pytest.mark.parametrize("pointer", ["", "real(8), pointer :: other"])
@pytest.mark.parametrize("call", ["two(mt, mt, x)", "two(ma(2), ma(2), x)", "lost(mt, mt, x)", "named(mt, x)",
                                  "array(ma(2), ma, x)", "deeper(mt, x)", "lost(mt, ma(1), x)"])
def test_either_name_changes_it(call: str, pointer: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(call=call, pointer=pointer), "p(x)>(y)", tmp_path)


def test_the_hosts_target(tmp_path: Path) -> None:
    proved_by_execution(HOST, "p(x)>(y)", tmp_path)
