"""``[type :: items]`` has elements of that type, whatever its first item is: values and gradients as gfortran's.

``[real(8) :: 1, x(1)]`` was taken for an array of integers, which carries no derivative.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

BODIES = {
    "an integer first": "a(:2) = [real(8) :: 1, x(1)]\n y = a(2)*x(2) + a(1)*x(1)",
    "divided": "a(:2) = [real(8) :: 1, 3]/2\n y = a(2)*x(2) + a(1)*x(1)",
    "a named kind": "a = [real(wp) :: 2, 1.5, x(2)*0.5d0]\n y = a(2)*x(2)**2 + a(1)*x(1)*a(3)",
    "a kind by keyword": "a(:2) = x(1)*[real(kind=kind(1d0)) :: 2, 1]/[double precision :: 4, x(2)]\n y = a(1)*a(2)",
    "to integers": "y = x(1)*sum([integer :: 2.7, x(1), 1.2d0]) + x(2)",
    "single precision": "a(:2) = [real :: 1, 0.1d0]\n y = a(2)*x(2) + a(1)*x(1)",
    "implied DO": "a = [real(8) :: 1, (i*x(1), i = 2, 3)]\n y = a(2)*x(2) + a(1)*a(3)",
    "complex": "z = [complex(8) :: 1, x(1), (2d0, 1d0)]\n y = real(z(2)*z(3)) + aimag(z(3)*z(2))*x(2) + real(z(1))",
    "characters": "names = [character(8) :: 'ab', 'scheme = central', 'c']\n y = x(1)*len_trim(names(2)) + x(2)*"
                  "len_trim(names(1))",
    "a parameter": "y = x(1)*third(3)*x(2) + third(2)*x(1) + len_trim(words(2))*x(2)",
    "derived": "p = [pair :: pair(1d0, x(1)), pair(x(2), 2d0)]\n y = p(1)%b*p(2)%a + p(2)%b*x(1)",
    "passed": "y = total([real(8) :: 1, x(1), x(2)**2])*x(2)",
    "growing": "w = [real(8) :: 1]\n w = [real(8) :: 2, w, x(1)]\n y = sum(w)*x(2) + w(3)*x(1)",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("what", BODIES)
def test_a_constructor_has_the_type_it_says(what: str, tmp_path: Path) -> None:
    text = f"""module m
  implicit none
  integer, parameter :: wp = selected_real_kind(12)
  real(8), parameter :: third(3) = [real(8) :: 1, 2, 1d0]/3
  character(*), parameter :: words(2) = [character(9) :: 'a', 'bcde']
  type pair
    real(8) :: a, b
  end type
contains
  subroutine s(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: a(3)
    real(8), allocatable :: w(:)
    complex(8) :: z(3)
    character(8) :: names(3)
    type(pair) :: p(2)
    integer :: i
    a = 0
    {BODIES[what]}
  end subroutine
  function total(v) result(r)
    real(8), intent(in) :: v(:)
    real(8) :: r
    r = sum(v*v)
  end function
end module
"""
    proved_by_execution(text, "s(x)>(y)", tmp_path, {"x": [1.25, 0.75]}, ways=1)


def test_initial_values_of_characters_and_complex_numbers(tmp_path: Path) -> None:
    text = """subroutine s(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  character(6), save :: names(3) = ['poly  ', 'scale ', 'mem   ']
  character(4) :: one = 'ab'
  complex(8), save :: z = (1d0, 2d0), w(2) = [(1d0, 0d0), (0d0, 1d0)]
  character(3) :: d(2)
  data d /'abc', 'de'/
  y = x(1)*len_trim(names(2)) + real(z)*x(2) + aimag(w(2))*len_trim(one)*x(1) + len_trim(d(2))*x(2)
  if (names(3) == 'mem') y = y*x(1)
  names(3) = 'x'
end subroutine
"""
    proved_by_execution(text, "s(x)>(y)", tmp_path, {"x": [1.25, 0.75]}, ways=1)
