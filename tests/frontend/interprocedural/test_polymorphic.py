"""CLASS objects: which procedures their bindings run, and which components they hold."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.results import Part
from snapset.frontend.load import load_text

TEXT = """module m
  type :: shape
    real(8) :: area
  contains
    procedure :: grow
  end type
  type, extends(shape) :: box
    real(8) :: depth
  contains
    procedure :: grow => grow_box
  end type
  type, extends(box) :: crate
    real(8), allocatable :: rows(:)
  end type
  type, extends(shape) :: disc
    integer :: depth
  end type
  type :: holder
    class(shape), allocatable :: held
    class(shape), pointer :: there
  end type
contains
  subroutine grow(self, x)
    class(shape), intent(inout) :: self
    real(8), intent(in) :: x
    self%area = self%area*x
  end subroutine
  subroutine grow_box(self, x)
    class(box), intent(inout) :: self
    real(8), intent(in) :: x
    self%depth = self%depth*x
  end subroutine
  subroutine anything(a, x)
    class(*), intent(inout) :: a
    real(8), intent(in) :: x
    select type (a)
    class is (box)
      a%depth = a%depth*x
    type is (real(8))
      a = a*x
    end select
  end subroutine
  function taken(h) result(r)
    type(holder), intent(in) :: h
    class(shape), allocatable :: r
    r = h%held
  end function
  real(8) function measured(s) result(r)
    class(shape), intent(in) :: s
    r = s%area
    select type (s)
    class is (box)
      r = r*s%depth
    class is (crate)
      r = r*s%rows(1)
    end select
  end function
  subroutine f(x, y, s, h, b)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    class(shape), intent(inout) :: s
    type(holder), intent(inout) :: h
    type(box), intent(inout) :: b
    {body}
    y = measured(s)*measured(h%held)*measured(b)*measured(h%there)
  end subroutine
end module"""


def parts(body: str) -> Mapping[str, Part]:
    """The parts of the body's calls by what they call."""
    found = analyse(load_text(TEXT.format(body=body)), parse_heads("f(x, s, h, b)>(y)")[0])
    assert not [one for one in found.diagnostics if one.code != "SN402"]  # no replay executes these
    return {part.callee or "": part for part in found.parts if part.id.startswith("f@")}


def test_a_binding_of_a_class_object_may_run_what_overrides_it() -> None:
    part = parts("call s%grow(x)")["grow, grow_box"]
    assert set(part.sets.out_c) >= {"s%area", "s%depth"}


def test_a_binding_of_an_object_that_is_no_class_is_its_types_own() -> None:
    part = parts("call b%grow(x)")["grow_box"]
    assert set(part.sets.out_c) == {"b%depth"}


@pytest.mark.parametrize(("call", "written"), [
    ("call anything(b, x)", {"b%depth"}),
    ("call anything(s%area, x)", {"s%area"}),
    ("call anything(h%held, x)", {"h%held%depth"}),
])  # fmt: skip
def test_what_an_unlimited_argument_may_be(call: str, written: set[str]) -> None:
    """There is a procedure for each type that is passed, in which SELECT TYPE has chosen."""
    assert set(parts(call)["anything"].sets.out_c) == written


def test_a_function_yields_all_components_of_what_it_may_yield() -> None:
    text = """block
      class(shape), allocatable :: q
      q = taken(h)
      select type (q)
      class is (box)
        s%area = s%area*q%depth
      end select
    end block"""
    found = parts(text)
    assert any(name.endswith("%depth") for name in found["taken"].sets.out_c)
    assert any(name.endswith("%rows") for name in found["taken"].sets.out_c)
    assert {"h%held%depth"} <= set(found["taken"].sets.use_c)


def test_an_object_of_any_type_holds_everything() -> None:
    part = parts("call s%grow(x)")["grow, grow_box"]
    assert {"s%area", "s%depth"} <= set(part.sets.use_cbar)
    rows = {name for part in parts("call s%grow(x)").values() for name in part.sets.use_dbar}
    assert {"s%rows", "h%held%rows", "h%there%rows"} <= rows


SMALL = """module m
  type :: base
    real(8) :: u
  end type
  type, extends(base) :: wide
    real(8) :: w
  end type
  type :: holder
    class(base), allocatable :: e
  end type
contains
  subroutine p(x, o, q, h, y)
    real(8), intent(in) :: x
    type(wide), intent(inout) :: o
    class(base), allocatable, intent(inout) :: q
    type(holder), intent(inout) :: h
    real(8), intent(out) :: y
    type(base) :: b
    b%u = x
    !$AD CHECKPOINT-START
    {text}
    !$AD CHECKPOINT-END
    y = o%w*o%u*q%u*h%e%u
  end subroutine
end module
"""


def part_of(text: str) -> tuple[Part, tuple[str, ...]]:
    (head,) = parse_heads("m%p(x, o)>(y)")
    result = analyse(load_text(SMALL.replace("{text}", text)), head)
    return result.parts[0], tuple(one.code for one in result.parts[0].diagnostics)


def test_assigning_the_parent_leaves_what_only_the_extension_has() -> None:
    """``o%base = b`` writes o%u; of the whole of o it had been, so that o%w counted as overwritten."""
    part, _ = part_of("o%base = b; o%u = o%u*o%w")
    assert "o%w" in part.sets.use_c
    assert set(part.sets.out_c) == {"o%u"}


@pytest.mark.parametrize(("text", "saved"), [
    ("q = o", {"q[]"}), ("h%e = o", {"h%e[]"}), ("deallocate (q); allocate (wide :: q); q%u = x", {"q[]"}),
    ("q%u = o%u", set()), ("h%e%u = o%u", set()), ("o%base = b", set()),
])
def test_the_type_that_an_assignment_may_change_is_saved(text: str, saved: set[str]) -> None:
    """A second run of the part would find the new type: the allocation, which holds it, is in the snapshot."""
    part, codes = part_of(text)
    assert set(part.solutions["lazy"].snp) == saved <= set(part.sets.out_c)
    assert "SN104" not in codes
