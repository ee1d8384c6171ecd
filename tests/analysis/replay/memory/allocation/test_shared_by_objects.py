"""Objects that share what their pointer components lead to: moved by MOVE_ALLOC while pointers lead into them, or
copied with their associations. Against the compiled program and its differences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.judged import judge

TYPES = """  type :: pt
    real(8) :: v = 0.4d0
    real(8), pointer :: l(:) => null()
  end type pt
  type :: holder
    type(pt), allocatable :: own(:)
    real(8), allocatable :: w(:)
  end type holder
  type :: box
    type(holder), allocatable :: h
    real(8), pointer :: q => null()
  end type box
"""
SQUARED = """subroutine sq(t)
  real(8), intent(inout) :: t
  t = 0.7d0*t*t
end subroutine sq
"""
CASES = {
    "moved by a callee whose dummies are targets": ("""  type(holder), allocatable, target :: a(:), b(:)
  type(pt), pointer :: e
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  allocate(a(2)); allocate(a(2)%own(2))
  a(2)%own(1)%l => r
  a(2)%own(2)%l => r(2:)
  e => a(2)%own(1)
  call mv(a, b)
  e%l => o
  call sq(t)
  b(2)%own(1)%l(2) = b(2)%own(1)%l(2)*t
  call sq(t)
  call mv(b, a)
  a(2)%own(2)%l => o(2:)
  call sq(t)
  e%l(3) = e%l(3)*e%l(2)*t
  call mv(a, b)
  y = sum(b(2)%own(1)%l*x) + t*sum(r) + b(2)%own(2)%l(1)
""", """subroutine mv(f, g)
  type(holder), allocatable, target, intent(inout) :: f(:), g(:)
  call move_alloc(f, g)
end subroutine
"""),
    "a component moved to a component": ("""  type(holder), target :: a, b
  type(pt), pointer :: e
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  allocate(a%own(2))
  a%own(1)%l => r
  e => a%own(1)
  call move_alloc(a%own, b%own)
  e%l => o
  b%own(1)%l(2) = b%own(1)%l(2)*t
  call sq(t)
  call move_alloc(b%own, a%own)
  e%v = t*x(3)
  call sq(t)
  y = a%own(1)%v*a%own(1)%l(2)*t + sum(e%l*r)
"""),
    "a module's pointer to an element of what moves": ("""  type(holder), allocatable, target :: a(:), b(:)
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  allocate(a(1)); allocate(a(1)%own(2))
  a(1)%own(1)%l => r
  g_e => a(1)%own(1)
  call move_alloc(a, b)
  call change(o, t)
  b(1)%own(1)%l(2) = b(1)%own(1)%l(2)*t
  call sq(t)
  call move_alloc(b, a)
  call change(r, t)
  call sq(t)
  y = a(1)%own(1)%v*a(1)%own(1)%l(2)*t + sum(g_e%l*o)
  nullify(g_e)
""", """subroutine change(o, t)
  real(8), target, intent(inout) :: o(6)
  real(8), intent(inout) :: t
  g_e%l => o
  g_e%v = g_e%v*t
  g_e%l(4) = g_e%v*t
end subroutine
""", """  type(pt), pointer :: g_e
"""),
    "a scalar component that owns an array": ("""  type(box), target :: a, b
  type(holder), pointer :: e
  real(8), target :: r(6)
  real(8), pointer :: w(:)
""", """  r = x
  allocate(a%h); allocate(a%h%w(3)); a%h%w = x(1:3)
  e => a%h
  w => a%h%w
  call move_alloc(a%h, b%h)
  e%w(2) = e%w(2)*t
  call sq(t)
  w(2) = b%h%w(2)*t*w(1)
  call sq(t)
  call move_alloc(b%h, a%h)
  b%q => w(3)
  b%q = b%q*t
  call sq(t)
  w(3) = w(3)*a%h%w(3)
  y = t*sum(w*x(1:3)) + e%w(2)
"""),
    "moved there and back in a loop": ("""  type(pt), allocatable, target :: a(:), b(:)
  type(pt), pointer :: e
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  allocate(a(2))
  a(1)%l => r
  a(2)%l => o
  do i = 1, 3
  e => a(1 + mod(i, 2))
  call move_alloc(a, b)
  e%l => r(i:)
  e%l(2) = e%l(2)*t
  call sq(t)
  b(2)%l(2) = b(1)%l(1)*e%l(2)*b(2)%l(2)
  b(1)%v = e%v*t
  call move_alloc(b, a)
  a(1)%l(1) = e%l(1)*a(2)%l(2)*a(1)%v
  call sq(t)
  end do
  y = sum(r*o)*t + a(2)%l(1)
"""),
    "assignments that copy associations": ("""  type(pt) :: a, b, c(2)
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  a%l => r
  b = a
  b%l(2) = b%l(2)*t
  call sq(t)
  b%v = a%l(2)*t
  a%l => o
  call sq(t)
  a%l(3) = a%l(3)*b%l(3)*t
  c = b
  b = a
  call sq(t)
  c(2)%l(1) = c(1)%l(1)*t*b%l(3)
  b%l(1) = c(2)%l(1)**2
  call sq(t)
  y = r(1)*o(1)*t + r(2)*a%l(1) + b%v + sum(b%l*c(1)%l)
"""),
    "structure constructors": ("""  type(pt) :: a, b
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  a = pt(t, r)
  b = a
  a = pt(b%v*t, o)
  call sq(t)
  b%l(2) = b%l(2)*a%l(2)*t
  call sq(t)
  a%l(2) = r(2)*a%v*t
  b = pt(a%l(2), a%l)
  call sq(t)
  b%l(2) = sin(b%l(2))*t
  y = r(2)*o(2)*t + a%l(2) + sum(b%l*x)
"""),
    "ALLOCATE with SOURCE": ("""  type(pt), allocatable :: a(:), b(:)
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  allocate(a(2))
  a(1)%l => r
  a(2)%l => o
  allocate(b, source=a)
  b(1)%l(2) = b(1)%l(2)*t
  call sq(t)
  a(1)%l => o(2:)
  a(1)%v = a(2)%v*t
  a(2)%l(3) = a(1)%l(2)*b(1)%l(2)*t
  call sq(t)
  b(2)%l(3) = sin(b(2)%l(3))*t
  call sq(t)
  deallocate(a)
  allocate(a, source=b)
  a(2)%l(3) = b(2)%l(3)*a(1)%l(2)
  call sq(t)
  y = sum(r*o)*t + b(2)%l(3)*a(1)%v
"""),
    "function results": ("""  type(pt) :: a, b
  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  a = mk(r, t)
  b = mk(a%l, a%v)
  b%l(2) = a%l(2)*t*b%v
  call sq(t)
  a = mk(o, t)
  a%l(2) = a%l(2)*b%l(2)
  call sq(t)
  b = a
  b%l(2) = t*b%l(2)
  call sq(t)
  y = sum(r*o)*t + a%l(2)*a%v
""", """function mk(r, t) result(e)
  real(8), target, intent(in) :: r(:)
  real(8), intent(in) :: t
  type(pt) :: e
  e%l => r
  e%v = t*r(1)
end function
"""),
    "a module's saved object, copied": ("""  real(8), target :: r(6), o(6)
""", """  r = x; o = x*x
  s_a = pt(t, r)
  call step(o, t)
  call sq(t)
  call step(r, t)
  call sq(t)
  y = sum(r*o)*t + s_a%v*s_a%l(2)
  s_a%l => null()
""", """subroutine step(o, t)
  real(8), target, intent(inout) :: o(6)
  real(8), intent(inout) :: t
  type(pt) :: k
  k = s_a
  s_a%l => o
  s_a%l(2) = k%l(2)*t*s_a%l(2)
  k%l(3) = s_a%l(3)*t
  s_a%v = k%v*t
end subroutine
""", """  type(pt), save :: s_a
"""),
}


def program(declared: str, body: str, procedures: str = "", global_variables: str = "") -> str:
    return f"""module m
  implicit none
{TYPES}{global_variables}contains
subroutine p(x, y)
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: t
  integer :: i
{declared}  t = x(1)
{body}end subroutine p
{procedures}{SQUARED}end module m
"""


@pytest.mark.parametrize("name", CASES)
def test_what_two_objects_share_is_kept_for_both(name: str, tmp_path: Path) -> None:
    judge(program(*CASES[name]), "p(x)>(y)", tmp_path)
