"""``z%re`` and ``z%im``: read, written, passed and differentiated as the halves of memory that they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

TEXT = """module m
  type c
    complex(8) :: z(2)
    real(8) :: w
  end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  complex(8), allocatable :: z(:)
  complex(8), pointer :: p(:)
  complex(8), target :: q(3)
  type(c) :: t(2)
  integer :: i
  allocate (z(3))
  z = (0d0, 0d0); q = (1d0, 1d0)
  t(1)%z = (0.5d0, 0.25d0)
  p => q
  do i = 1, 3
    {start}
    z(i)%re = x(i)*(i + z(max(1, i - 1))%im)
    z%im = z%re*0.5d0
    p(i)%re = p(i)%re*z(i)%im + q(1)%im
    t(1)%z%re = [x(1)*z(i)%re, x(2)]
    t(1)%z(2)%im = x(3)*p(i)%re
    call scale(t(1)%z(2)%im, z%re)
    {end}
    where (z%re > 0.3d0) z%im = z%re*z%im
    z(i) = z(i)*t(1)%z(2)
  end do
  y = sum(z%re*z%im) + sum(aimag(q))*q(2)%re + t(1)%z(1)%re
end subroutine
subroutine scale(a, b)
  real(8) :: a, b(:)
  a = a*b(2)
  b = b*b*a
end subroutine
end module
"""
POINTEE_LOOP = """subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  integer, pointer :: k
  integer, target :: own
  real(8) :: a(3)
  integer :: i
  k => own
  a = x
  y = x(1)
  do i = 1, 2
    {start}
    do k = 1, 3
      a(k) = a(k)*a(1 + mod(own, 3))
      y = y*a(k) + x(k)
    end do
    y = y*own
    {end}
  end do
end subroutine
"""
# A half that is written leaves the other half: it kills nothing, whole or element by element.
HALF_WRITTEN = """subroutine f(x, y)
  implicit none
  real(8), intent(in) :: x(1)
  real(8), intent(out) :: y
  complex(8) :: z
  {start}
  z = x(1)
  z%im = 0.5d0
  y = z%re*x(1)
  {end}
end subroutine
"""
HALVES_IN_LOOPS = """subroutine f(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  complex(8) :: z(4), w(4), s
  integer :: i, k
  z = x; w = (1d0, 2d0)*x
  s = x(1)
  do k = 1, 2
{start}
  do i = 1, 4
    z(i)%im = x(i)*k
    s%re = 0.5d0*z(i)%im
    w(i)%re = s%im*w(i)%im
  end do
  w%im = z%re
  s%im = w(2)%re
{end}
  call halves(z(:)%re, w(2)%im)
  s = s*z(2)*w(3)
  end do
  do i = 1, 4
    z(i)%re = 1d0
    w(i) = cmplx(z(i)%re, x(i), 8)
    w(i)%re = w(i)%im*z(i)%im
  end do
  y = real(sum(z*w)) + aimag(s) + real(s)
contains
  subroutine halves(a, b)
    real(8), intent(inout) :: a(:), b
    a = 0.5d0*a
    a(2) = b
    b = 1d0
  end subroutine
end subroutine f
"""
# Pointers to halves, of their own, of the module, in objects and in a callee: what they lead to is complex.
LED_TO_HALVES = """module m
  implicit none
  type lk
    real(8), pointer :: h(:) => null()
    complex(8), pointer :: z => null()
  end type
  type bx
    complex(8) :: z(3)
  end type
  real(8), pointer :: mp => null()
contains
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  complex(8), target :: a(3), b(3)
  real(8), pointer :: p, q(:)
  type(lk) :: l, k
  type(bx), target :: o
  real(8) :: s
  integer :: i
  a = cmplx(x(1:3), x(2:4), 8); b = a; o%z = b
  s = x(1)
  p => b(2)%im
  q => a%im
  l%h => a%re
  k%h => b%im
  l%z => a(2)
  mp => o%z(1)%re
  do i = 1, 3
    {start}
    p = p*s
    q(2) = q(1)*s
    l%h(2:3) = l%h(1:2)*s
    a(1) = a(2)*cmplx(0.5d0, 0.1d0*s, 8)
    l%z%im = l%z%im*s
    k%h(1:2) = k%h(2:3)*l%h(1:2)
    {end}
    b(2) = b(1)*b(2)
    s = s*0.4d0 + real(a(3)) + aimag(b(3))*0.2d0
    if (i == 2) l%z => b(3)
    call through(o, s)
    call passed(a%im, o%z(2)%re, s)
    s = s*0.4d0 + mp*0.1d0
  end do
  y = s*abs(a(2)) + sum(b%im) + sum(o%z%im)
end subroutine
subroutine through(o, s)
  type(bx), target, intent(inout) :: o
  real(8), intent(inout) :: s
  mp = mp*s
  o%z(2) = o%z(1)*o%z(2)
  mp = mp + aimag(o%z(2))*0.1d0
  s = s*0.8d0 + mp*real(o%z(2))*0.1d0
end subroutine
subroutine passed(v, r, s)
  real(8), target, intent(inout) :: v(:), r
  real(8), intent(inout) :: s
  real(8), pointer :: q, w(:)
  q => r
  w => v(2:3)
  w = w*q
  q = q*s*v(2)
  v(1) = v(1)*r
  s = s*0.7d0 + w(1)*q*0.1d0
end subroutine
end module
"""
NAMED_HALVES = """subroutine f(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  complex(8) :: z(3)
  integer :: i, k
  z = cmplx(x(1:3), x(2:4), 8)
  k = 2
  y = x(1)
  do i = 1, 3
    {start}
    associate (h => z%im, e => z(k)%re, q => z(2:3))
      h(2:3) = h(1:2)*y
      k = mod(k, 3) + 1
      z(k) = z(1)*z(k)
      e = e*h(k)*y
      q(1)%re = q(2)%im*e
      y = y*0.4d0 + e*0.3d0 + h(3)*0.2d0
    end associate
    {end}
  end do
  y = y*abs(z(2))
end subroutine
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("text", [TEXT, POINTEE_LOOP, HALF_WRITTEN, HALVES_IN_LOOPS, LED_TO_HALVES, NAMED_HALVES],
                         ids=["parts", "DO over a pointee", "a half written", "in loops", "led to", "named"])
def test_halves_of_complex_memory(text: str, marked: bool, tmp_path: Path) -> None:
    start, end = ("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END") if marked else ("", "")
    size = next(n for n in (1, 3, 4) if f"x({n})\n" in text)
    proved_by_execution(text.format(start=start, end=end), "f(x)>(y)", tmp_path, {"x": [0.7, 0.9, 1.1, 0.8][:size]})
