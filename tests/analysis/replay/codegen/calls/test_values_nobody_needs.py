"""Values that are passed to a call, computed from functions whose calls the call's adjoint does not need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

# `inner` is a part; its adjoint runs that of `taken`, which squares d, and of `half` and the like nothing.
PROGRAM = """module m
  implicit none
  type vec
    real(8) :: x = 1.0d0
    real(8), allocatable :: w(:)
  end type vec
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4), y
    real(8) :: q
    real(8), target :: r(4)
    real(8), pointer :: pr(:)
    q = x(1)
    r = x
    pr => r
    call inner(y)
    y = y*q
  contains
    subroutine inner(d)
      real(8), intent(inout) :: d
      d = x(2)*x(3)
      call taken({value}, q, d)
      call made(q)
    end subroutine inner
  end subroutine head
  subroutine taken(v, q, d)
    {dummy}
    real(8), intent(out) :: q
    real(8), intent(inout) :: d
    q = 1.0d0
    if ({test}) q = 3.0d0*q
    d = d*d
  end subroutine taken
  subroutine made(q)
    real(8), intent(out) :: q
    q = 0.5d0
  end subroutine made
  function half(v)
    real(8), intent(in) :: v(:)
    real(8) :: half(size(v))
    half = 0.5d0*v
  end function half
  function longer(v)
    real(8), intent(in) :: v(:)
    real(8), allocatable :: longer(:)
    longer = [v, v]
  end function longer
  function place(v)
    real(8), intent(in) :: v(:)
    integer :: place(2)
    place = merge(1, 2, v(1:2) > 0.0d0)
  end function place
  function text(v)
    real(8), intent(in) :: v(:)
    character(size(v)) :: text
    text = repeat('a', size(v))
  end function text
  function object(v)
    real(8), intent(in) :: v(:)
    type(vec) :: object
    object%w = v
  end function object
end module m
"""

NUMBER, MANY, COUNT = "real(8), intent(in) :: v", "real(8), intent(in) :: v(:)", "integer, intent(in) :: v"
FEW, TEXT, OBJECT = "real(8), intent(in) :: v(2)", "character(*), intent(in) :: v", "type(vec), intent(in) :: v"


@pytest.mark.sample(3)
@pytest.mark.parametrize(("value", "dummy", "test"), [
    ("sum(half(pr(1:2)))", NUMBER, "v > 0.3d0"),
    ("half(pr(1:2)) + 1.0d0", MANY, "v(2) > 0.3d0"),
    ("-half(pr(1:2))", FEW, "v(2) > 0.3d0"),
    ("half(pr)", MANY, "v(2) > 0.3d0"),
    ("sum(longer(half(pr)))", NUMBER, "v > 0.3d0"),
    ("2.0d0*longer(pr)", MANY, "size(v) > 3"),
    ("sum(place(pr))", COUNT, "v > 2"),
    ("text(pr)//'b'", TEXT, "len(v) > 2"),
    ("trim(text(pr))", TEXT, "v(1:1) == 'a'"),
    ("object(pr)", OBJECT, "v%x > 0.3d0"),
    ("vec(sum(half(pr)), longer(pr))", OBJECT, "v%x > 0.3d0"),
], ids=range(11))
def test_what_an_adjoint_does_not_need_is_not_asked_for(value: str, dummy: str, test: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(value=value, dummy=dummy, test=test), "m%head(x)>(x, y)", tmp_path)
