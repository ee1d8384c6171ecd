"""Pointers and objects of derived types in COMMON and EQUIVALENCE: told apart where all views agree, executed and
differenced; where views differ, one location, named by SN209 or by what replay refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

START = "subroutine s(x, y)\n  real(8), intent(inout) :: x(4)\n  real(8), intent(out) :: y\n"
POINTERS = "real(8), pointer :: p(:), q\n integer :: k\n common /blk/ p, q, k\n"
POINT = """type t
  sequence
  integer :: n
  real(8) :: a, b(3)
 end type
"""
PAIR = "type pair\n sequence\n real(8) :: a, b(3)\n end type\n"
NESTED = """type inner
  sequence
  real(8) :: u
  integer :: m(3)
 end type
 type outer
  sequence
  type(inner) :: c(2)
  complex(8) :: z
 end type
"""

PROGRAMS = {
    "pointers to several targets": f"""{START}{POINTERS}
 real(8), target, save :: t(4), u(4), w
 t = x
 u = 2d0*x
 w = x(3)
 p => t
 q => w
 k = 2
 call c
 p => u
 call c
 y = p(1)*p(2) + q*k + t(1)
end subroutine
subroutine c
 {POINTERS.replace('q', 'r')}
 p(1) = p(k)*p(1)
 r = sin(p(1))*r
 block
   real(8), pointer :: z
   z => p(3)
   z = z*r
 end block
end subroutine
""",
    "a pointer that a part associates anew": f"""{START}{POINTERS}
 real(8), target, save :: t(4), w
 t = x
 w = x(3)
 p => t
 q => w
 k = 2
 call c
 q = q*p(1)
 call c
 y = q*p(1)
end subroutine
subroutine c
 {POINTERS}
 p(1) = p(k)*sin(q)
 q => p(3)
 p => p(2:)
 k = 1
end subroutine
""",
    "allocated by one, used by another": f"""{START}{POINTERS}
 allocate (p(3))
 p = x(2:4)
 k = 3
 call c
 call c
 y = sum(p)
 deallocate (p)
end subroutine
subroutine c
 {POINTERS}
 p(k) = p(1)*p(2)*p(k)
 k = k - 1
end subroutine
""",
    "objects, each declared in every procedure": f"""{START}{POINT}
 type(t) :: h, g(2)
 common /blk/ h, g
 h%a = x(1)
 h%b = x(2:4)
 h%n = 2
 g(1) = h
 g(2) = h
 call c
 y = h%a*h%b(2) + g(2)%b(1)*g(1)%a**h%n
end subroutine
subroutine c
 {POINT}
 type(t) :: h, g(2)
 common /blk/ h, g
 g(2)%b = h%b*h%b(2)
 h%a = h%a*h%b(1)
 h%b(2) = sin(h%a)
 g(1)%a = g(1)%a*g(2)%b(1)
 h%n = h%n + 1
end subroutine
""",
    "another view of an object: numbers": f"""{START}{PAIR}
 type(pair) :: h(2)
 common /blk/ h
 h(1)%a = x(1)
 h(1)%b = x(2:4)
 h(2)%a = x(4)
 h(2)%b = x(1:3)
 call c
 y = h(1)%a*h(1)%b(2) + h(2)%b(1)*h(2)%a + h(2)%b(3)
end subroutine
subroutine c
 real(8) :: v(8)
 common /blk/ v
 v(3) = v(1)*v(6)
 v(5) = sin(v(3))*v(5)
 v(1) = v(1)*v(8)
end subroutine
""",
    "EQUIVALENCE of an object and an array": f"""{START}{PAIR}
 type(pair) :: h
 real(8) :: v(4)
 equivalence (h, v)
 h%a = x(1)
 h%b = x(2:4)
 call c
 y = v(1)*v(2)*h%b(2)
contains
 subroutine c
  v(2) = v(1)*h%b(2)
  h%a = h%a*h%b(1)
  h%b(2) = sin(h%a)
 end subroutine
end subroutine
""",
    "EQUIVALENCE of objects in objects": f"""{START}{NESTED}
 type(outer) :: h(2)
 real(8) :: v(10)
 equivalence (h(2), v)
 h(1)%c%u = x(1:2)
 h(2)%c%u = x(3:4)
 h%z = cmplx(x(1:2), x(3:4), 8)
 h(1)%c(2)%m = 2
 call c
 y = v(1)*h(2)%z%re + h(1)%c(2)%u*h(2)%c(2)%u*h(1)%z%im
contains
 subroutine c
  h(1)%c(2)%u = h(2)%c(1)%u*h(1)%c(2)%u
  v(9) = v(1)*h(1)%c(2)%u
  h(2)%c(h(1)%c(2)%m(3))%u = sin(v(9))*v(8)
  h(1)%z = h(1)%z*h(2)%z
 end subroutine
end subroutine
""",
    "EQUIVALENCE of two objects": f"""{START}{PAIR}
 type(pair) :: h, g
 equivalence (h, g)
 h%a = x(1)
 g%b = x(2:4)
 call c
 y = g%a*h%b(2)*g%b(3)
contains
 subroutine c
  g%a = h%a*h%b(2)
  h%b(2) = g%a*g%b(1)
  g%b(3) = sin(h%b(2))*h%b(3)
 end subroutine
end subroutine
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_is_executed_with_the_values_and_differences_of_the_compiled_program(name: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAMS[name], "s(x)>(y)", tmp_path)


def codes(text: str) -> list[str]:
    program = load_text(text)
    (head,) = parse_heads("s(x)>(y)")
    return [one.code for one in (*analyse(program, head).diagnostics, *program.diagnostics)]


def other(declaration: str) -> str:
    """Of the first program, with another view in the callee."""
    return PROGRAMS["pointers to several targets"].replace(POINTERS.replace("q", "r"), declaration)


@pytest.mark.parametrize("view", [
    "real(8), pointer :: p(:), r\n integer :: k(2)\n common /blk/ p, r, k\n",
    "real(8), pointer :: p(:, :), r\n integer :: k\n common /blk/ p, r, k\n",
    "real(8), pointer :: p(:), r\n integer :: k, l(1)\n equivalence (k, l(1))\n common /blk/ p, r, k\n"])
def test_views_that_differ_make_one_location_and_say_so(view: str) -> None:
    """Their members may overlap, and what may be there nobody executes: SN209 and SN402."""
    found = codes(other(view))
    assert "SN209" in found
    assert "SN402" in found
    assert not {"SN209", "SN402"} & set(codes(PROGRAMS["pointers to several targets"]))


def test_an_object_that_is_written_in_part_is_not_overwritten() -> None:
    """``h%b = ...`` of overlaid h was taken for all of h: no derivative led from what h%a had been given."""
    text = PROGRAMS["EQUIVALENCE of an object and an array"].replace("x(2:4)", "2d0")
    assert "SN303" not in codes(text)
    assert "SN303" in codes(text.replace("h%a = x(1)", "h%a = 3d0"))
