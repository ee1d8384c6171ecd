"""How much a function gives is read where a callee, or a derivative, asks for the size: so is what the call reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

# The adjoint of `inner` needs no value of what is passed, and needs k, which `inner` overwrites at the end.
PROGRAM = """module m
  implicit none
  type vec
    real(8) :: x = 1.0d0
    real(8), allocatable :: w(:)
  end type vec
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4), y
    integer :: k
    character(8) :: c
    k = 3
    c = 'abc'
    call inner(y, x, k, c)
    k = 2
    c = 'abcde'
    y = y*x(1)
  end subroutine head
  subroutine inner(d, x, k, c)
    real(8), intent(inout) :: d, x(4)
    integer, intent(inout) :: k
    character(8), intent(inout) :: c
    real(8), allocatable :: t(:)
    real(8) :: r(4)
    r = [1.0d0, 3.0d0, -1.0d0, 2.0d0]
    d = sin(d)
    {body}
    r = -1.0d0
    k = k + 1
    c = 'z'
  end subroutine inner
  subroutine taken(v, z)
    real(8), intent(in) :: v(:)
    real(8), intent(inout) :: z
    z = z*z*size(v)
  end subroutine taken
  subroutine ranked(v, z)
    real(8), intent(in) :: v(:, :)
    real(8), intent(inout) :: z
    z = z*z*size(v, 2)
  end subroutine ranked
  subroutine read(v, z)
    character(*), intent(in) :: v
    real(8), intent(inout) :: z
    z = z*z*len(v)
  end subroutine read
  subroutine held(v, z)
    type(vec), intent(in) :: v
    real(8), intent(inout) :: z
    z = z*z*size(v%w)
  end subroutine held
  elemental subroutine each(v, z)
    real(8), intent(in) :: v
    real(8), intent(inout) :: z
    z = z*z
    if (v > 100.0d0) z = 0.0d0
  end subroutine each
  function half(v, k)
    real(8), intent(in) :: v(:)
    integer, intent(in) :: k
    real(8) :: half(k)
    half = 0.5d0*v(:k)
  end function half
  function longer(v, k)
    real(8), intent(in) :: v(:)
    integer, intent(in) :: k
    real(8), allocatable :: longer(:)
    longer = [v(:k), v]
  end function longer
  function doubled(v)
    real(8), intent(in) :: v(:)
    real(8) :: doubled(size(v), size(v))
    doubled = 2.0d0*spread(v, 1, size(v))
  end function doubled
  elemental real(8) function one(v)
    real(8), intent(in) :: v
    one = 0.5d0*v
  end function one
  function text(k)
    integer, intent(in) :: k
    character(k) :: text
    text = repeat('a', k)
  end function text
  function object(v, k)
    real(8), intent(in) :: v(:)
    integer, intent(in) :: k
    type(vec) :: object
    object%w = v(:k)
  end function object
end module m
"""

CASES = [
    "call taken(half(r, k), d)",
    "call taken(-half(r, k), d)",
    "call taken(half(half(r, k), k - 1), d)",
    "call taken(longer(r, k) + 1.0d0, d)",
    "call taken(one(half(r, k)), d)",
    "call ranked(doubled(half(r, k)), d)",
    "call ranked(matmul(doubled(half(r, k)), doubled(half(r, k))), d)",
    "call taken(pack(x, x > 1.0d0 .or. k > 2), d); x = d",
    "call taken([pack(x, x < 1.0d0), half(r, k)], d); x = -d",
    "call read(text(k), d)",
    "call read(text(k)//'b', d)",
    "call read(trim(c), d)",
    "call held(object(r, k), d)",
    "call held(vec(1.0d0, half(r, k)), d)",
    "allocate (t, mold=half(r, k)); call taken(t, d)",
    "allocate (t(4)); t(:k) = d; call each(half(r, k), t(:k)); d = sum(t(:k))",
    "associate (a => half(r, k)); call taken(a, d); d = d*size(a); end associate",
    "d = d + sum(half(d*r, k))",
    "d = d*sum(longer(d*r, k)) + sum(one(half(d*r, k)))",
    "d = d*d*size(half(r, k)) + len(text(k))",
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("body", CASES)
def test_what_gives_a_size_is_required(body: str, tmp_path: Path) -> None:
    lines = "\n    ".join(one.strip() for one in body.split(";"))
    proved_by_execution(PROGRAM.format(body=lines), "m%head(x, y)>(x, y)", tmp_path)
