"""Types of which every object has one name: a program in which two have, and what each single addition takes away."""

from __future__ import annotations

import pytest
from snapset.frontend.interprocedural.objects_named_once import named_once
from snapset.frontend.load import load_text

PROGRAM = """
module m
  type state
    real(8), pointer :: h(:)
  end type
  type grid
    integer, pointer :: at(:)
  end type
  type plain
    real(8) :: u
  end type
  type both
    type(state) :: s
    real(8) :: u
  end type
  real(8) :: factor
  {type}
  {global}
contains
  subroutine top(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(state) :: old, new
    type(grid) :: g, f
    type(plain) :: one, two
    type(both) :: b, c
    real(8), target :: w(3)
    real(8), pointer :: p(:)
    {local}
    allocate (old%h(2), new%h(2), g%at(2))
    old%h = x
    one%u = x
    two = one
    p => w
    call step(old, new, 2*x)
    call twice(one, one)
    {statement}
    y = sum(new%h)
    {internal}
  end subroutine top
  subroutine step(a, b, x)
    type(state) :: a, b
    real(8) :: x
    b%h = factor*a%h*x
  end subroutine step
  subroutine twice(a, b)
    type(plain) :: a, b
  end subroutine twice
  {procedure}
end module m
"""
EVERY = "m::grid m::state"
CASES = {
    "nothing more": ({}, EVERY),
    "an object is copied": ({"statement": "old = new"}, "m::grid"),
    "one that holds it is copied": ({"statement": "b = c"}, "m::grid"),
    "both are copied": ({"statement": "old = new; f = g"}, ""),
    "both, the other way round": ({"statement": "f = g; old = new"}, ""),
    "passed twice": ({"statement": "call step(old, old, x)"}, "m::grid"),
    "passed with a component": ({"statement": "call step(b%s, b%s, x)"}, "m::grid"),
    "allocated like another": ({"local": "type(state), allocatable :: t", "statement": "allocate (t, source=old)"},
                               "m::grid"),
    "a pointer to one": ({"local": "type(state), pointer :: t"}, "m::grid"),
    "a pointer component to one": ({"type": "type link; type(state), pointer :: s; end type"}, "m::grid m::link"),
    "a target": ({"local": "type(state), target :: t"}, "m::grid"),
    "a pointer that is associated with one": ({"local": "type(grid), pointer :: t", "statement": "t => t"}, "m::state"),
    "a module's object": ({"global": "type(state) :: t"}, "m::grid"),
    "a module's object that holds one": ({"global": "type(both) :: t"}, "m::grid"),
    "a module's number": ({"global": "integer :: t"}, EVERY),
    "a module's object of another type": ({"global": "type(plain) :: t"}, EVERY),
    "a function's result": ({"procedure": "function made(); type(state) :: made; end function"}, "m::grid"),
    "a dummy argument of a class": ({"procedure": "subroutine any(a); class(state) :: a; end subroutine"}, "m::grid"),
    "a dummy argument that may be anything": ({"procedure": "subroutine any(a); class(*) :: a; end subroutine"}, ""),
    "a dummy argument by value": ({"procedure": "subroutine any(a); type(state), value :: a; end subroutine"},
                                  "m::grid"),
    "an internal procedure, which has all of its host's": (
        {"internal": "contains\nsubroutine inner; w = 0; end subroutine"}, ""),
    "it is extended": ({"type": "type, extends(state) :: more; real(8), pointer :: z(:); end type"}, "m::grid"),
    "an extension of what holds one is copied": (
        {"type": "type, extends(both) :: more; real(8) :: z; end type", "local": "type(more) :: q, r",
         "statement": "q = r"}, "m::grid"),
    "it is passed to an intrinsic": ({"local": "type(state), allocatable :: t, v",
                                      "statement": "call move_alloc(t, v)"}, "m::grid"),
}


def wholly(text: dict[str, str]) -> str:
    places = dict.fromkeys(("type", "global", "local", "statement", "internal", "procedure"), "")
    return PROGRAM.format(**{**places, **{place: one.replace("; ", "\n") for place, one in text.items()}})


@pytest.mark.sample(1)
@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_types_of_which_every_object_has_one_name(text: dict[str, str], expected: str) -> None:
    assert " ".join(sorted(named_once(load_text(wholly(text)), frozenset()))) == expected


def test_types_of_objects_that_are_older_than_the_run() -> None:
    assert named_once(load_text(wholly({})), frozenset({"m::grid"})) == {"m::state"}
    assert named_once(load_text(wholly({})), frozenset({"m::grid", "m::state"})) == set()
