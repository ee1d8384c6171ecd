"""Components of different names are not the same memory; what may be either is taken for both. By execution."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.modelled import names

TEXT = """module m
  type base
    real(8) :: h(3), w(3)
  end type
  type, extends(base) :: layer
    real(8) :: depth(3)
    real(8), pointer :: to(:) => null()
    real(8), allocatable :: own(:), other(:)
  end type
  type ocean
    type(layer) :: lay(2)
    real(8) :: rho
  end type
  type(ocean), target :: sea
contains
  subroutine square(a)
    real(8), intent(inout), target :: a(3)
    real(8), pointer :: p(:)
    p => a
    p = p*p
  end subroutine
  subroutine wide(b)
    class(base), intent(inout) :: b
    b%h = b%h*b%w
    select type (b)
    type is (layer)
      b%depth = b%depth*b%h
    end select
  end subroutine
  subroutine through(l, p)
    type(layer), pointer :: l
    real(8), pointer :: p(:)
    p = p*l%h
    l%depth = l%depth*p
  end subroutine
  function either(l, first) result(p)
    type(layer), pointer, intent(in) :: l
    logical, intent(in) :: first
    real(8), pointer :: p(:)
    if (first) then
      p => l%h
    else
      p => l%depth
    end if
  end function
end module
subroutine head(x, y)
  use m
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(layer), pointer :: l, k
  class(base), pointer :: c
  real(8), pointer :: p(:), q(:)
  real(8), target :: free(3)
  integer :: i
  do i = 1, 2
    sea%lay(i)%h = x*i
    sea%lay(i)%w = x + 0.5d0
    sea%lay(i)%depth = 2 - x
    if (allocated(sea%lay(i)%own)) deallocate(sea%lay(i)%own, sea%lay(i)%other)
    allocate(sea%lay(i)%own(3), sea%lay(i)%other(3))
    sea%lay(i)%own = x + i
    sea%lay(i)%other = 1 + x
  end do
  free = x
  sea%rho = x(1)
  l => sea%lay(1)
  k => sea%lay(2)
  p => free
  q => free
  c => sea%lay(1)
  {body}
  y = sum(free**2) + sea%rho
  do i = 1, 2
    y = y + sum(sea%lay(i)%h**2*sea%lay(i)%w) + sum(sea%lay(i)%depth**3) + sum(sea%lay(i)%own*sea%lay(i)%other**2)
  end do
end subroutine
"""
PART = "!$AD CHECKPOINT-START\n{0}\n!$AD CHECKPOINT-END\n"


@pytest.mark.parametrize("body", [
    PART.format("l%h = l%h*l%w") + "l%depth = l%depth*sea%lay(1)%h",
    "p => l%depth\n" + PART.format("l%h = l%h*p") + "p = p*l%h",
    PART.format("p => either(l, x(1) > 0)\np = p*p*l%h*l%depth") + "l%depth = l%depth*l%h",
    "call square(l%h)\n" + PART.format("call square(sea%lay(1)%depth)") + "l%depth = l%depth*l%h",
    PART.format("call wide(l)") + "call wide(c)",
    PART.format("l%base%h = l%base%h*l%depth") + "c%w = c%w*c%h",
    "l%to => k%depth\n" + PART.format("call through(l, l%to)") + "k%depth = k%depth*l%h",
    "q => sea%lay(:)%h(2)\n" + PART.format("q = q*q") + "l%h = l%h*sea%lay(1)%depth",
    PART.format("call move_alloc(l%own, k%own)") + "allocate(l%own(3))\nl%own = k%own*l%h",
    PART.format("k%own = l%own*l%other\nl%own = k%other") + "k = l\nk%own = k%own*l%own",
])
def test_components_behind_pointers(body: str, tmp_path: Path) -> None:
    proved_by_execution(TEXT.format(body=body), "head(x)>(y)", tmp_path)


@pytest.mark.parametrize(("body", "touched", "left"), [
    ("l%h = 0", {"sea%lay%h", "k%h", "c%h", "l%to"}, {"sea%lay%depth", "sea%lay%w", "k%depth", "c%w", "free"}),
    ("p => l%h\np = 0", {"sea%lay%h", "sea%lay%depth", "l%depth", "free"}, set[str]()),
    ("l%base%w = 0", {"sea%lay%w", "c%w"}, {"sea%lay%h", "c%h", "free"}),
])
def test_what_a_write_touches(body: str, touched: set[str], left: set[str]) -> None:
    model = Models(load_text(TEXT.format(body=body)), root="head").by_key["head"]
    last = body.rpartition("\n")[2]
    line = TEXT.format(body=body).split("\n").index("  " * (last == body) + last) + 1
    (node,) = (n.index for n in model.flow.nodes if n.span.line == line and n.kind == "simple")
    found = names(model, model.effects[node].out)
    assert found >= touched
    assert not found & left
