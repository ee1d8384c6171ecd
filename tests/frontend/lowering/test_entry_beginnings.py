"""What entering a procedure does to its objects is done at an ENTRY, too, though the jump to it passes over that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
 implicit none
 type :: cell
  real(8) :: v(3) = 0.25d0
 end type cell
contains
 subroutine run(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(cell) :: o
  real(8), allocatable :: w(:)
  real(8) :: s
  s = x(2)
  o%v = x*x
  allocate (w(2))
  w = x(1:2)
  y = sum(o%v*x)*w(1)
  call first(o, s)
  y = y*s
{call}
  y = y + s*sum(o%v*x)
  if (allocated(w)) y = y + sum(w*w)
 end subroutine run
 subroutine first(o, t)
  type(cell), intent({intent}) :: o
  real(8), allocatable, intent(out) :: a(:)
  real(8), intent(inout) :: t
  type(cell) :: own
  own%v = 2*t
  o%v(2) = t
  return
  entry second(o, t)
  o%v(1) = t*sum(own%v)
  return
  entry third(a, t)
  t = t*sum(own%v)
  if (t > 5) allocate (a(1), source=t)
  return
  entry fourth(t)
  own%v(1) = own%v(2)*t
  t = sum(own%v)
 end subroutine first
end module m
"""
CALLS = {"its own object": "call fourth(s)\n  call fourth(s)", "an object that is INTENT(OUT)": "call second(o, s)",
         "an allocatable": "call third(w, s)", "all of them": "call second(o, s)\n  call third(w, s)\n  call fourth(s)"}


@pytest.mark.parametrize("intent", ["out", "inout"])
@pytest.mark.parametrize("what", CALLS)
@pytest.mark.sample(1)
def test_an_entry_begins_as_its_procedure_does(what: str, intent: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(call=CALLS[what], intent=intent), "run(x)>(y)", tmp_path, ways=1)
