"""Constant arrays: implied DO, arrays among the elements, ``(0:*)``, constants that name others. gfortran judges."""

from __future__ import annotations

from pathlib import Path

from snapset.frontend.ir.constant_folding import value_of
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled

DECLARED = """  integer :: i, j
  integer, parameter :: a(2) = [2, 1], b(3) = [a, 5], c(0:*) = [integer :: a, b, (i*2, i = 3, 1, -1), 7], d(3) = 4
  integer, parameter :: t(2, 3) = reshape([((i + j, i = 1, 2), j = 0, 2)], [2, 3]), z(*) = [integer ::]
  real(8), parameter :: w(4) = [(0.1d0*i**2, i = 1, 4)], v(2:3) = w(a) + 1, pi = 3.14d0
  real(8), save :: h(3) = [(i*0.5d0, i = 1, 3)], g(2) = [sin(1d0), -pi/2], u = 0.1, r = 0.1d0*3
  character(3), parameter :: nm(2) = ['abc', 'xyz']
  integer, parameter :: big(20000) = [(i, i = 1, 20000)], pairs(4) = [(i, -i, i = 1, 2)]
"""
TEXT = f"""subroutine f(x, y)
  implicit none
  real(8), intent(in) :: x(8)
  real(8), intent(out) :: y
{DECLARED}  real(8) :: m(c(0), b(3)), q(size(c)), k(b(2))
  m = reshape(x, shape(m), pad=[x(1)])
  q = c*x(1)
  k = x(b(3)) * w(b(2)) + h(2)
  y = sum(m(c(2), :)) + sum(q(1:c(8)-1))**2 + k(1)*t(2, 2) + w(c(7) - 1) + v(3)*x(d(2)) + x(t(1, 3)) + size(z)*x(1)
  y = y*big(3) + x(2)*ichar(nm(2)(2:2)) + sum(pairs*x(1:4)) + g(1)*g(2)*x(3) + u*x(4) + r*x(5)
end subroutine
"""


def test_their_elements_are_what_gfortran_computes(tmp_path: Path) -> None:
    agrees_with_compiled(TEXT, "f(x)>(y)", tmp_path, ways=3)


def test_extents_and_elements_are_known_where_they_are_constants() -> None:
    """``b(2)`` is 1, which a names second, and no 5, which stands second; c has nine elements from 0 on."""
    found = load_text(TEXT.replace("k(b(2))", "k(b(3) + c(8))")).procedures["f"].variables
    assert [value_of(dim.upper) for dim in found["c"].shape.dims] == [8]
    assert [value_of(dim.upper) for dim in found["m"].shape.dims] == [2, 5]
    assert [value_of(dim.upper) for dim in found["k"].shape.dims] == [12]
    assert [value_of(dim.upper) for dim in found["z"].shape.dims] == [0]
