"""What gfortran 12 compiles wrongly: here it compiles the same program written otherwise.

It takes the elements of ``h%z%re``, z an array, for neighbours: passed to ``re(:)`` and as a name of ASSOCIATE they are
1, 4, 2 for (1, 4), (2, 5), (3, 6). A defined assignment to ``a([1, 3])`` is made as if the type had none.
What an elemental call is given with vector subscripts is compared so, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

HALVES = """module m
  type :: w
    complex(8) :: z(3)
  end type
contains
  pure subroutine swap(re, im)
    real(8), intent(inout) :: re(:), im(:)
    real(8) :: t(size(re))
    t = re*im
    re = im + t
    im = sin(t)
  end subroutine
  subroutine part(h, q)
    HOLDER, intent(inout) :: h
    complex(8), intent(inout) :: q
    {start}
    h%z%re = h%z(3:1:-1)%im*q%re
    call swap(h%z%re, h%z%im)
    q%im = sum(h%z%re)
    q = q*conjg(h%z(2))
    {end}
    associate (r => h%z(1)%re, i => h%z(:)%im)
      r = r + i(3)
      i(2) = r*i(1)
    end associate
    h%z(2) = exp(cmplx(0d0, q%im*0.1d0, 8))
  end subroutine
end module
subroutine s(x, y)
  use m
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  HOLDER :: h
  complex(8) :: q
  h%z = cmplx(x(1:3), x(2:4), 8)
  q = (0.5d0, 0.25d0)*x(1)
  call part(h, q)
  call part(h, q)
  y = real(q) + h%z(2)%re*h%z(1)%im + abs(h%z(3))
end subroutine
"""
DEFINED = """module m
  type :: pt
    real(8) :: v
    real(8) :: d(2)
  end type
  interface assignment(=)
    module procedure from_real, from_pt
  end interface
contains
  elemental subroutine from_real(l, r)
    type(pt), intent(inout) :: l
    real(8), intent(in) :: r
    l%d = l%d + [l%v, r]
    l%v = r*r
  end subroutine
  elemental subroutine from_pt(l, r)
    type(pt), intent(inout) :: l
    type(pt), intent(in) :: r
    l%v = l%v*0.5d0 + r%v
    l%d(1) = r%d(2)*l%d(2)
  end subroutine
end module
subroutine s(x, y)
  use m
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  type(pt) :: a(4), b(2)
  integer :: i, k(3) = [4, 1, 2]
  do i = 1, 4
    a(i)%v = x(i)
    a(i)%d = [x(i), 1d0 + 0.1d0*i]
  end do
  {start}
  b%v = x(2)
  b(1)%d = x(1:2)
  b(2)%d = x(3:4)
  a = x
  a(4:1:-1) = a
  b = 2d0*x(1:2)
  TO_TWO
  TO_THREE
  {end}
  y = sum(a%v) + b(2)%d(1)*a(2)%d(2) + a(3)%d(1)*a(1)%v
end subroutine
"""
LOOPS = ("""do i = 1, 2
    call from_pt(a(2*i - 1), b(i))
  end do""", """do i = 1, 3
    call from_real(a(k(i)), x(i)*b(2)%v)
  end do""")
CALLED = """module m
contains
  elemental subroutine turn(u, v, w)
    real(8), intent(inout) :: u, v
    real(8), intent(in) :: w
    real(8) :: t
    t = u*w
    u = v*t
    v = sin(t)
  end subroutine
end module
subroutine s(x, y)
  use m
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  real(8) :: b(4, -1:2), a(4)
  integer :: i, j, p(2) = [3, 1], q(2) = [2, -1]
  b = spread(x, 1, 4)
  a = x
  {start}
  TWO
  b = b*0.9d0
  ONE
  {end}
  y = sum(b*b) + sum(a*x)
end subroutine
"""
CALLS = ("call turn(b(p, q), b([1, 2], 0:1), a(1)*b([4, 4], q)*0.5d0)", "call turn(a(p), b(2, q), a([2, 2]))")
PROGRAMS = {
    "calls": (CALLED.replace("TWO", CALLS[0]).replace("ONE", CALLS[1]),
              CALLED.replace("TWO", """do j = 1, 2
    do i = 1, 2
      call turn(b(p(i), q(j)), b(i, j - 1), a(1)*b(4, q(j))*0.5d0)
    end do
  end do""").replace("ONE", """do i = 1, 2
    call turn(a(p(i)), b(2, q(i)), a(2))
  end do""")),
    "halves of components": (HALVES.replace("HOLDER", "type(w)"),
                             HALVES.replace("HOLDER", "complex(8)").replace(" :: h\n", " :: h(3)\n").replace(
                                 "h%z", "h")),
    "vector subscripts": (DEFINED.replace("TO_TWO", "a([1, 3]) = b").replace("TO_THREE", "a(k) = x(1:3)*b(2)%v"),
                          DEFINED.replace("TO_TWO", LOOPS[0]).replace("TO_THREE", LOOPS[1])),
}


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_machine_runs_what_is_written(name: str, marked: bool, tmp_path: Path) -> None:
    start, end = ("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END") if marked else ("", "")
    text, compiled = (one.format(start=start, end=end) for one in PROGRAMS[name])
    proved_by_execution(text, "s(x)>(y)", tmp_path, {"x": [0.7, 0.9, 1.1, 0.8]}, compiled=compiled)
