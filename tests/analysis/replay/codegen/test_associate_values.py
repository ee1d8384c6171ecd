"""Values in parentheses, under ASSOCIATE names or assigned, and substrings of names: executed as gfortran does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  type cell
    real(8) :: u, v(2)
  end type
contains
subroutine f(x, y, codes)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, intent(out) :: codes(6)
  real(8) :: q(0:4), t, w(3)
  type(cell) :: o, p(0:1)
  character(6) :: text, two(2)
  complex(8) :: z
  real(8), allocatable :: a(:), b(:), c(:), d(:), e(:)
  type(cell), allocatable :: g(:)
  integer :: i, j, k
  q = x
  o%u = x
  o%v = 0.5d0*x
  p = o
  t = 0.7d0*x
  w = 0.3d0*x
  z = cmplx(x, t, 8)
  text = 'abcdef'
  two = 'ghijkl'
  k = 1
  y = x
  do i = 1, 3
{body}
    y = y*0.3d0 + 0.1d0*w(k) + o%u*p(1)%u
  end do
  y = y*t + sum(q) + real(z)*p(0)%v(2) + sum(w)
  do i = 1, 6
    codes(i) = ichar(text(i:i)) + 200*ichar(two(2)(i:i))
  end do
end subroutine
end module
"""
BODIES = {
    "values in parentheses": """    associate (v => (q), r => (t), e => (o), g => (p), n => (k), c => (text), &
               h => (z), d => (q(1:3)))
      q = q*y + v(1)
      t = t*r*0.5d0 + v(5)*d(2)
      o%u = o%u*e%u
      o%v = e%v(2:1:-1)*r
      p(0) = g(2)
      p(1)%u = g(1)%u*y
      k = mod(k, 3) + 1
      text(1:1) = c(3:3)
      z = z*h*y
      if (c(2:2) == text(1:1)) y = y*0.9d0
      w(n) = w(k)*y + aimag(h)*lbound(v, 1) + size(g) + ubound(d, 1)*0.1d0
    end associate""",
    "bounds of what is given a value in parentheses": """    if (allocated(a)) deallocate (a, b, c, d, e, g)
    a = q
    b = (q)
    allocate (c, source=q)
    allocate (d, source=(q))
    allocate (e, mold=(q))
    g = (p)
    e = y
    g(2)%u = b(1)*g(1)%u
    y = y + lbound(a, 1)*b(5) + lbound(b, 1)*a(0) + lbound(c, 1)*d(5)*0.5d0 + lbound(d, 1)*c(0) + lbound(e, 1)*e(5)
    p(0)%v(2) = g(2)%u*y*0.1d0
    q = (q)*0.9d0""",
    "substrings": """    j = 3
    associate (c => text(j:5), d => two(2)(j-1:), e => text(2:j))
      j = 1
      c(2:2) = 'z'
      c(:1) = c(3:)
      if (c(2:) == 'ze') w(1) = w(1)*y
      d(2:3) = d(1:2)
      e(1:1) = d(3:3)
      associate (f => d(2:4))
        f(2:) = 'xy'
        text(6:6) = f(1:1)
      end associate
      if (text(2:2) == 'h') w(2) = w(1)*y
    end associate""",
}


@pytest.mark.parametrize("name", BODIES)
def test_names_of_values(name: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(body=BODIES[name]), "f(x)>(y)", tmp_path, {"x": 0.7})
