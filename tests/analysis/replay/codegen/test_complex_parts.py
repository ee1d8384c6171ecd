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


@pytest.mark.sample(2)
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("text", [TEXT, POINTEE_LOOP, HALF_WRITTEN, HALVES_IN_LOOPS],
                         ids=["parts", "DO over a pointee", "a half written", "in loops"])
def test_halves_of_complex_memory(text: str, marked: bool, tmp_path: Path) -> None:
    start, end = ("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END") if marked else ("", "")
    size = next(n for n in (1, 3, 4) if f"x({n})\n" in text)
    proved_by_execution(text.format(start=start, end=end), "f(x)>(y)", tmp_path, {"x": [0.7, 0.9, 1.1, 0.8][:size]})
