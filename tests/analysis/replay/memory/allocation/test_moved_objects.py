"""MOVE_ALLOC of objects with pointer components, and pointers to them: against the compiled program and its
differences."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge, routine

TYPES = """type pt
   real(8) :: v
   real(8), pointer :: l(:) => null()
 end type
 type holder
   real(8) :: w
   type(pt), allocatable :: own(:)
 end type
"""
ARRAYS = TYPES + """type(pt), allocatable, target :: h(:), q(:)
 type(pt), pointer :: e
 real(8), pointer :: r(:), z
 real(8), target :: room(6), other(6)"""
BEFORE = """allocate (h(2))
 room = x
 other = 0.5d0*x
 h%v = x(1:2)
 h(1)%l => room
 h(2)%l => other(2:5)"""
BACK = "\ncall move_alloc(q, h)"
SQUARED = """subroutine squared(t)
  real(8), intent(inout) :: t
  t = 0.7d0*t*t
end subroutine squared
"""
CASES = {
    "an array": (ARRAYS, BEFORE, """h(1)%l(2) = h(1)%l(2)*h(2)%v
call move_alloc(h, q)
q(1)%l(3) = q(1)%l(2)*q(1)%v*q(2)%l(1)
q(2)%v = q(2)%v*q(1)%l(3)
x(2) = sum(q(1)%l*q(1)%l) + q(2)%v""" + BACK),
    "associated anew behind it": (ARRAYS, BEFORE, """h(1)%l(2) = h(1)%l(2)*h(2)%v
call move_alloc(h, q)
q(1)%l => other
q(2)%l => room
q(1)%l(3) = q(1)%l(2)*q(1)%v*q(2)%l(1)
q(2)%l(3) = q(2)%l(2)*q(1)%v*q(2)%l(3)
x(2) = sum(room*other)""" + BACK),
    "a new one in its place": (ARRAYS, BEFORE, """call move_alloc(h, q)
allocate (h(2))
h(1)%l => q(2)%l
h(2)%l => q(1)%l
h%v = q%v*h(2)%l(2)
h(1)%l(1) = h(1)%l(1)*h(2)%l(3)
x(2) = h(1)%v*h(2)%v*q(2)%l(1)
deallocate (h)""" + BACK),
    "a pointer to an element": (ARRAYS, BEFORE + "\n e => h(1)", """call move_alloc(h, q)
e%v = e%v*e%l(2)
q(1)%l(2) = q(1)%l(2)*e%v
e%l(3) = q(1)%v*e%l(2)*q(2)%v
e%l => other
e%l(4) = e%l(4)*q(1)%l(3)
x(3) = q(1)%l(4)*room(3) + e%v
q(1)%l => room""" + BACK),
    "a pointer to a component": (ARRAYS, BEFORE + "\n z => h(2)%v\n r => h(1)%l", """call move_alloc(h, q)
z = z*r(2)
q(1)%l(2) = q(1)%l(2)*z
r(3) = q(2)%v*q(1)%l(2)
q(2)%v = q(2)%v*r(3)
x(3) = z*q(1)%l(3)""" + BACK),
    "grown": (ARRAYS, BEFORE, """allocate (q(size(h) + 1))
q(:size(h)) = h
q(size(q))%l => h(1)%l
q(size(q))%v = h(2)%v*h(1)%l(4)
call move_alloc(q, h)
h(size(h))%l(4) = h(1)%l(2)*h(size(h))%v
x(4) = h(1)%l(4)*h(2)%v"""),
    "an object": (TYPES + "type(pt), allocatable, target :: o, o2\n real(8), target :: room(6)\n real(8), pointer :: z",
                  "allocate (o)\n room = x\n o%v = x(3)\n o%l => room(2:)\n z => o%v", """o%l(1) = o%l(1)*o%v
call move_alloc(o, o2)
z = z*o2%l(1)
o2%l(2) = o2%l(1)*z*o2%v
x(1) = o2%v*room(3)
call move_alloc(o2, o)"""),
    "a component of pointers' owners": (TYPES + """type(holder), target :: a1, a2
 type(pt), pointer :: e
 real(8), target :: room(6)""", """allocate (a1%own(2))
 room = x
 a1%w = x(4)
 a1%own%v = x(2:3)
 a1%own(1)%l => room(:3)
 a1%own(2)%l => room(3:)
 e => a1%own(2)""", """a1%own(2)%l(1) = a1%own(2)%l(1)*a1%w
call move_alloc(a1%own, a2%own)
e%l(2) = e%l(2)*a2%own(1)%l(3)
a2%own(2)%v = a2%own(2)%v*e%l(2)
a2%own(1)%l(1) = e%v*a2%own(1)%l(1)
x(5) = sum(room*room)*a2%own(2)%v
call move_alloc(a2%own, a1%own)"""),
    "a holder of them": (TYPES + """type(holder), allocatable, target :: a1(:), a2(:)
 type(pt), pointer :: e
 real(8), target :: room(6)""", """allocate (a1(2))
 room = x
 a1%w = x(4:5)
 allocate (a1(2)%own(2))
 a1(2)%own%v = x(2:3)
 a1(2)%own(1)%l => room(:3)
 a1(2)%own(2)%l => room(3:)
 e => a1(2)%own(2)""", """a1(2)%own(2)%l(1) = a1(2)%own(2)%l(1)*a1(1)%w
call move_alloc(a1, a2)
e%l(2) = e%l(2)*a2(2)%own(1)%l(3)
a2(2)%own(2)%v = a2(2)%own(2)%v*e%l(2)
a2(2)%own(1)%l(1) = e%v*a2(2)%own(1)%l(1)*a2(1)%w
x(5) = sum(room*room)*a2(2)%own(2)%v
call move_alloc(a2, a1)"""),
    "a holder whose elements change behind it": (TYPES + """type(holder), allocatable, target :: a1(:), a2(:)
 type(pt), pointer :: e
 real(8), target :: room(6)""", """allocate (a1(2))
 room = x
 allocate (a1(2)%own(2))
 a1(2)%own%v = x(2:3)
 e => a1(2)%own(1)""", """call move_alloc(a1, a2)
e%l => room
a2(2)%own(2)%v = a2(2)%own(2)%v*x(1)
a2(2)%own(1)%l(2) = x(2)*x(1)*a2(2)%own(2)%v**2
call move_alloc(a2, a1)
a1(2)%own(2)%v = a1(2)%own(2)%v*(1 + sin(a1(2)%own(2)%v)*t)
call squared(t)
a1(2)%own(2)%v = sin(a1(2)%own(2)%v)*t
a1(2)%own(1)%l => room(3:)
call squared(t)
call move_alloc(a1, a2)
e%l(2) = 2*t
call squared(t)
x(5) = a2(2)%own(1)%l(1)*t + x(1)*a2(2)%own(2)%v
call move_alloc(a2, a1)"""),
    "deallocated": (ARRAYS, "room = x\n other = 0.5d0*x", """allocate (h(2))
h%v = x(1:2)
h(1)%l => room
h(2)%l => other(2:5)
h(1)%l(2) = h(1)%l(2)*h(2)%v
h(2)%l(2) = h(1)%l(2)*h(2)%l(2)
x(2) = h(2)%l(2)*h(1)%v
deallocate (h)
room(2) = room(2)*other(3)"""),
}


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_a_moved_objects_pointers_lead_where_they_led(name: str, marked: bool, tmp_path: Path) -> None:
    declared, before, body = CASES[name]
    text = routine(body, declared, marked).replace("\n  do turn", f"\n{before}\n  do turn", 1) + SQUARED
    judge(text, "s(x)>(y)", tmp_path, Inputs({"n": 6}))
