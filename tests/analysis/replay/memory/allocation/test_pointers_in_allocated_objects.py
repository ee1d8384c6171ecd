"""A pointer component of an allocatable variable is a pointer: a snapshot of it is one of what it leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """
module m
  implicit none
  type :: held
    real(8) :: v
    real(8), pointer :: l(:)
  end type held
  type :: holder
    type(held), allocatable :: h
  end type holder
contains
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  {}
  real(8) :: s, t
  s = x(1)
  t = x(2)
  allocate ({})
  allocate (O%l(n))
  O%l = x
!$AD CHECKPOINT-START
  O%l(2) = O%l(2)*s
  s = s*O%l(2)
!$AD CHECKPOINT-END
  t = t*O%l(3)
  O%l(2) = t*O%l(2)
  y = s*t
end subroutine p
end module m
"""


@pytest.mark.parametrize(("declared", "made", "name"), [
    ("type(held), allocatable :: o", "o", "o"),
    ("type(held), allocatable :: o(:)", "o(2)", "o(1)"),
    ("type(holder) :: o", "o%h", "o%h"),
    ("type(holder), pointer :: o\n  allocate (o)", "o%h", "o%h"),
    ("type(held), pointer :: o", "o", "o"),
])
def test_what_it_leads_to_is_saved(declared: str, made: str, name: str, tmp_path: Path) -> None:
    first, _, more = declared.partition("\n")
    source = PROGRAM.format(first, made).replace("O%", f"{name}%").replace("  allocate (", f"{more}\n  allocate (", 1)
    proved_by_execution(source, "p(x)>(y)", tmp_path, {"n": 5, "x": [0.51, 0.62, 0.73, 0.84, 0.95]})
