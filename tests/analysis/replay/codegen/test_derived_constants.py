"""Objects of derived types as constants, as start values and as defaults of components: executed, and gfortran's."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.base.diagnostics import InputError

from tests.support.execution import proved_by_execution

TEXT = """module c
  implicit none
  type inner
    real(8) :: a(2) = [3.0d0, 4.0d0], b = 3
    integer :: k(2) = [2, 1]
    character(3) :: nm(2) = ['ab ', 'cd ']
  end type
  type outer
    type(inner) :: i(2) = [inner(b=1), inner([1.0d0, 2.0d0], 5.0d0)]
    type(inner) :: same = inner(a=0.5d0)
    real(8), pointer :: p => null()
    real(8), allocatable :: q(:)
  end type
  type, extends(inner) :: ext
    real(8) :: e = 0.5d0
  end type
  integer :: at
  type(ext), parameter :: ec(2) = [ext(e=2.0d0), ext([1.0d0, 9.0d0], 1.0d0, [1, 1], ['x  ', 'y  '], 3.0d0)]
  type(outer), parameter :: oc = outer(p=null())
  type(inner), parameter :: tab(2) = [(inner(b=real(at, 8)), at = 1, 2)], both(2) = inner(0.25d0, k=[1, 2])
  real(8), parameter :: one = ec(2)%e
  type(inner), save :: v(3)
  type(outer), save :: o(2)
  type(ext), save :: ev = ext(b=2.0d0, e=1.25d0)
  type(inner), save :: vs(2) = [inner([7.0d0, 8.0d0]), inner(6.0d0)]
contains
  pure real(8) function g(q, x)
    type(inner), intent(in) :: q
    real(8), intent(in) :: x
    g = q%a(q%k(1))*x + q%b
  end function
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(ext) :: loc(2)
    type(outer) :: fresh
    integer :: j
    y = 0
{body}
  end subroutine
end module
"""
BODIES = {
    "constants": """    do j = 1, 2
      y = y + ec(j)%e*x(j)*ec(j)%a(2) + ec(j)%inner%b + oc%i(j)%a(1)*x(1)**tab(j)%k(1) + tab(j)%b*x(2)*tab(1)%a(j)
      if (ec(j)%nm(2) == 'cd ') y = y*x(j)*oc%same%a(j) + both(2)%a(j)*both(j)%b
    end do""",
    "constants as values": """    loc = ec
    loc(1)%b = loc(2)%b*x(1)
    loc(2)%inner = loc(1)%inner
    y = sum(loc%b)*loc(2)%a(2)*x(2) + g(tab(2), x(3)) + g(oc%i(1), x(1))*one + g(ec(2)%inner, x(2)*y)""",
    "start values and defaults": """    v(2)%a(1) = v(2)%a(1)*x(1)
    do j = 1, n
      y = y + v(j)%a(2)*x(j)**v(j)%k(1) + sum(v(j)%a)
      if (v(j)%nm(2) == 'cd') y = y*x(j)
    end do
    do j = 1, 2
      y = y + o(j)%i(1)%b*x(1) + o(1)%i(j)%a(2)*x(2) + o(j)%i(2)%k(2)*x(3) + ev%a(j)*x(1)*ev%e + o(j)%same%a(2)*x(1)
      y = y*fresh%i(j)%a(j)*fresh%same%b*fresh%same%a(1) + vs(j)%a(2)*x(j)*ev%b
    end do""",
}


@pytest.mark.parametrize("name", BODIES)
def test_objects_are_what_their_constructors_say(name: str, tmp_path: Path) -> None:
    proved_by_execution(TEXT.replace("{body}", BODIES[name]), "p(x)>(y)", tmp_path, {"n": 3})


def test_a_function_of_the_type_s_name_comes_first(tmp_path: Path) -> None:
    """A bound made by it is no constructor."""
    text = """module c
  implicit none
  type pair
    integer :: a, b
  end type
  interface pair
    module procedure size_of
  end interface
contains
  pure integer function size_of(x)
    real(8), intent(in) :: x(:)
    size_of = size(x) + 1
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: w(pair(x))
    w = x(1)
    y = sum(w)*x(2)
  end subroutine
end module
"""
    proved_by_execution(text, "p(x)>(y)", tmp_path)


MOVED = """module c
  implicit none
  type vec
    real(8) :: x, y = 1.0d0
  end type
  type row
    real(8) :: w(2)
  end type
contains
  elemental type(vec) function twice(a) result(b)
    type(vec), intent(in) :: a
    b = vec(a%x*a%x, 2.0d0*a%y)
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(vec) :: a(4), b(2, 2), c(2), d(4)
    type(row) :: r(4), s(2, 4)
    integer :: i
    do i = 1, 4
      a(i) = vec(x(i), x(i)*i)
      r(i)%w = [x(i), 1.0d0/x(i)]
    end do
{body}
    y = sum(a%x*a%y) + sum(d%x*d%y)
  end subroutine
end module
"""
MOVES = {
    "reshape": """    b = reshape(a, [2, 2])
    b = transpose(b)
    b(1, :) = twice(b(2, :))
    d = reshape(b, [4])""",
    "shifts": """    d = twice(cshift(a, 1))
    a = eoshift(d, -1, vec(x(2), x(3)))
    r = cshift(r, 2)
    a%x = a%x*r%w(2)""",
    "choices": """    d = merge(a, twice(a), x > 1.0d0)
    c = pack(a, [.true., .false., .false., .true.])
    a = unpack(c, [.false., .true., .true., .false.], d)
    a(2:3) = merge(vec(x(1), x(2)), c(1), .true.)""",
    "copies": """    s = spread(r, 1, 2)
    r = s(2, 4:1:-1)
    b = spread(twice(a(1:2)), dim=2, ncopies=2)
    d = reshape(b, [4])
    d%x = d%x*r%w(1)""",
}


@pytest.mark.parametrize("name", MOVES)
def test_objects_are_put_elsewhere(name: str, tmp_path: Path) -> None:
    proved_by_execution(MOVED.replace("{body}", MOVES[name]), "p(x)>(y)", tmp_path)


def test_vectors_in_objects_stay_what_they_are(tmp_path: Path) -> None:
    """What would have to know of a component's own dimensions is refused."""
    text = MOVED.replace("{body}", "    s(:, 1:2) = reshape(r, [2, 2])\n    d = a\n    d(1)%x = s(1, 2)%w(1)")
    with pytest.raises(InputError, match="RESHAPE of objects with components that are arrays"):
        proved_by_execution(text, "p(x)>(y)", tmp_path)


def test_no_objects_with_vectors_are_refused(tmp_path: Path) -> None:
    text = MOVED.replace("{body}", "    r = [row ::]\n    d = a")
    with pytest.raises(InputError, match="this value of derived type"):
        proved_by_execution(text, "p(x)>(y)", tmp_path)
