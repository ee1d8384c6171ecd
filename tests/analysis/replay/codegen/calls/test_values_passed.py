"""Derived-type values as arguments, elemental calls with arrays, user operators and assignments: executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

MODULE = """module m
  implicit none
  type vec
    real(8) :: x, y = 1.0d0
    real(8) :: w(2) = 0.5d0
  end type vec
  type, extends(vec) :: wide
    real(8) :: z = 2.0d0
  end type wide
  type bag
    real(8), allocatable :: v(:)
    integer :: n = 1
  end type bag
  interface operator(+)
    module procedure add
  end interface
  interface operator(.dot.)
    module procedure dotted
  end interface
  interface operator(*)
    module procedure scaled
  end interface
  interface assignment(=)
    module procedure from_real
  end interface
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(out) :: y
    type(vec) :: a, b, c(3), d(3)
    type(bag) :: g
    type(wide) :: w
    real(8) :: t(4)
    integer :: k
    y = 1.0d0
    t = 0.5d0
    a%x = 0.5d0
    b = vec(x(1), x(2)*x(1))
{body}
  end subroutine head
  elemental function add(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c%x = a%x + b%x
    c%y = a%y*b%y
    c%w = a%w + b%w*a%x
  end function add
  elemental function scaled(s, a) result(c)
    real(8), intent(in) :: s
    type(vec), intent(in) :: a
    type(vec) :: c
    c = vec(s*a%x, s*a%y, s*a%w)
  end function scaled
  pure function dotted(a, b) result(s)
    type(vec), intent(in) :: a, b
    real(8) :: s
    s = a%x*b%x + a%y*b%y + sum(a%w*b%w)
  end function dotted
  elemental subroutine from_real(a, r)
    type(vec), intent(out) :: a
    real(8), intent(in) :: r
    a%x = r
    a%y = r*r*a%y
  end subroutine from_real
  elemental function limiter(r, k) result(p)
    real(8), intent(in) :: r, k
    real(8) :: p
    p = max(0.0d0, min(1.0d0, k*r), 0.7d0*r)*r
  end function limiter
  elemental subroutine relax(a, b, s)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b, s
    a = 0.5d0*a*a*s + b
  end subroutine relax
  subroutine taken(v, s)
    type(vec), value :: v
    real(8), intent(inout) :: s
    v%x = v%x*s
    s = s + v%x*v%y + v%w(1)
  end subroutine taken
  subroutine looked_at(v, s)
    type(vec), intent(in) :: v
    real(8), intent(inout) :: s
    s = s*v%x + v%w(2)*v%y
  end subroutine looked_at
  subroutine weighed(g, s)
    type(bag), intent(in) :: g
    real(8), intent(inout) :: s
    if (allocated(g%v)) s = s*sum(g%v*g%v)*g%n
    s = s + g%n
  end subroutine weighed
  function moved(v, s) result(u)
    type(vec), intent(in) :: v
    real(8), intent(in) :: s
    type(vec) :: u
    u = v
    u%x = u%x + s*v%y
  end function moved
  subroutine summed(c, s)
    type(vec), intent(in) :: c(:)
    real(8), intent(inout) :: s
    s = s + sum(c%x*c%y)
  end subroutine summed
end module m
"""


def module(body: str) -> str:
    return MODULE.format(body="".join(f"    {one.strip()}\n" for one in body.split(";")))


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "call looked_at(vec(y*0.5d0, x(1)), y); call looked_at(vec(x=x(2), w=[x(3), y]), y)",
    "call taken(b, y); call taken(b, y); y = y*b%x",
    "do k = 1, 3; call taken(vec(x(k), y, [y, x(k)]), y); y = 0.5d0*y; x(k) = y; end do",
    "call looked_at((b), y); b%x = y; call looked_at(moved(b, x(3)), y); y = y*b%x",
    "a = moved(moved(b, y), x(3)); y = a%x*a%y; a = moved(a, y); y = y + a%x",
    "call weighed(bag(x(1:3), 2), y); call weighed(bag(n=3), y); g%v = x*y; call weighed((g), y); y = y*g%v(2)",
    "w = wide(x(1), x(2), [x(3), y], x(4)); y = w%z*w%x + sum(w%w)*w%y; w = wide(vec=b, z=y); y = y*w%x + w%z",
    "c = [b, vec(y, x(3), [x(1), y]), moved(b, x(4))]; call summed(c(3:1:-1), y); y = y*sum(c(2)%w)*c(1)%w(2)",
    "a = vec(x(3), y, [y, x(1)]); do k = 1, 2; a = vec(a%y, a%x*x(k), a%w(2:1:-1)*a%x); end do; y = a%x*a%y*a%w(1)",
], ids=range(9))
def test_values_of_derived_type(body: str, tmp_path: Path) -> None:
    proved_by_execution(module(body), "m%head(x)>(x, y)", tmp_path)


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "t = limiter(x, 1.5d0); y = sum(t*x)",
    "call relax(t, x, x(1)); call relax(t(2:4), x(1:3), y); y = sum(t)*t(2)",
    "call relax(x(4:1:-1), limiter(t, x(4:1:-1))*0.5d0, 0.5d0); y = product(x)",
    "y = y + sum(limiter(x([2, 1, 2]), x(2))); call relax(t(2:3), x([4, 4]), t(1)); y = y*sum(t)",
    "do k = 1, 4; t(:k) = limiter(x(:k), y); y = y + sum(t(:k))*x(k); end do",
    "t = limiter(limiter(x, 0.9d0)*y, x); where (limiter(x, 2.0d0) > 1.0d0) t = t*x; y = sum(t*t)",
    "call relax(x(2:1), x(2:1), y); y = x(1)*sum(limiter(x(3:2), y)) + x(2)",
    "c = x(1:3); call relax(c%x, c%y, y); y = sum(c%x*c%w(2))",
], ids=range(8))
def test_elemental_procedures_of_arrays(body: str, tmp_path: Path) -> None:
    proved_by_execution(module(body), "m%head(x)>(x, y)", tmp_path)


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "a = x(1); a = a + b; y = a .dot. b",
    "a = 0.5d0*(b + vec(1.0d0, x(4), [x(1), y])); y = a .dot. (a + b)",
    "c = x(1:3); d = c + c; d = x(2)*(d + b); y = (d(1) .dot. d(3)) + sum(d%x)*0.1d0",
    "do k = 1, 3; b = b + x(k)*b; a = y; y = 0.1d0*(a .dot. b); x(k) = a%y; end do",
    "c = y*[b, b + b, x(3)*b]; y = c(2)%x*c(3)%y + (c(1) .dot. c(2)); c(2) = y; y = y*c(2)%y",
], ids=range(5))
def test_operators_and_assignments_of_the_programs_own(body: str, tmp_path: Path) -> None:
    proved_by_execution(module(body), "m%head(x)>(x, y)", tmp_path)
