"""Sizes, bounds, types, lengths and associations that are asked for, by callees too, and are others at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  type base
    real(8) :: a = 1.5d0
  contains
    procedure :: weight
  end type base
  type, extends(base) :: more
    real(8) :: b = 0.5d0
  contains
    procedure :: weight => weight2
  end type more
  type node
    real(8), allocatable :: w(:)
    type(node), pointer :: p => null()
  end type node
  abstract interface
    real(8) function fun(z)
      real(8), intent(in) :: z
    end function fun
  end interface
  type holder
    procedure(fun), pointer, nopass :: f => null()
  end type holder
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4), y
    integer :: k
    real(8), target :: r1(4), r2(0:7)
    real(8), pointer :: pt(:)
    real(8), allocatable :: al(:)
    class(base), allocatable :: ob, oc
    type(node) :: ob2
    type(node), target :: ob3
    character(:), allocatable :: tx
    type(holder) :: hd
    integer :: idx(4)
    k = 3
    r1 = x; r2 = x(1)*0.5d0
    pt(2:) => r2(1:3)
    allocate (al(-1:2)); al = x
    allocate (more :: ob); allocate (base :: oc)
    ob2%w = x(1:2); ob3%w = [x, x]; ob2%p => ob3
    tx = 'abcde'
    hd%f => square
    idx = [4, 3, 2, 1]
    call inner(y, x, k, pt, al, ob, oc, tx, hd, idx, ob2, ob3, r1, r2)
    k = 2
    y = y*x(1)
    pt => r1
    y = y + pt(2)
  end subroutine head
  subroutine inner(d, x, k, pt, al, ob, oc, tx, hd, idx, ob2, ob3, r1, r2)
    real(8), intent(inout) :: d, x(4)
    integer, intent(inout) :: k, idx(4)
    real(8), pointer, intent(inout) :: pt(:)
    real(8), allocatable, intent(inout) :: al(:)
    class(base), allocatable, intent(inout) :: ob, oc
    character(:), allocatable, intent(inout) :: tx
    type(holder), intent(inout) :: hd
    type(node), intent(inout) :: ob2
    type(node), target, intent(inout) :: ob3
    real(8), target :: r1(4), r2(0:7)
    real(8), allocatable :: t(:)
    class(base), allocatable :: oc2
    procedure(fun), pointer :: ff
    real(8), pointer :: q2(:)
    real(8) :: r(4)
    integer :: i
    r = [1.0d0, 3.0d0, -1.0d0, 2.0d0]
    d = sin(d)
    {body}
    r = -1.0d0
    k = k + 1
    tx = 'z'
    pt => r1
    deallocate (al); allocate (al(5:6)); al = 0.3d0
    deallocate (ob); allocate (base :: ob)
    deallocate (oc); allocate (more :: oc)
    hd%f => cube
    idx = 1
    deallocate (ob2%w); allocate (ob2%w(5)); ob2%w = 1.0d0
    ob2%p => null()
    deallocate (ob3%w)
  end subroutine inner
  real(8) function weight(this, z)
    class(base), intent(in) :: this
    real(8), intent(in) :: z
    weight = z*z*this%a
  end function weight
  real(8) function weight2(this, z)
    class(more), intent(in) :: this
    real(8), intent(in) :: z
    weight2 = z*z*z*this%a
  end function weight2
  real(8) function square(z)
    real(8), intent(in) :: z
    square = z*z
  end function square
  real(8) function cube(z)
    real(8), intent(in) :: z
    cube = z*z*z
  end function cube
  real(8) function ap(f, z)
    procedure(fun) :: f
    real(8), intent(in) :: z
    ap = f(z)*z
  end function ap
  subroutine asks(v, z)
    real(8), intent(in) :: v(:)
    real(8), intent(inout) :: z
    z = z*z*size(v)
  end subroutine asks
  subroutine low(v, z)
    real(8), pointer, intent(in) :: v(:)
    real(8), intent(inout) :: z
    z = z*z*(lbound(v, 1) + 1)
  end subroutine low
  subroutine alow(v, z)
    real(8), allocatable, intent(in) :: v(:)
    real(8), intent(inout) :: z
    z = z*z*ubound(v, 1)
  end subroutine alow
  subroutine opt(z, v)
    real(8), intent(inout) :: z
    real(8), optional, intent(in) :: v(:)
    if (present(v)) z = z*z
  end subroutine opt
  subroutine opt2(z, v)
    real(8), intent(inout) :: z
    real(8), optional, intent(in) :: v(:)
    if (present(v)) then
      z = z*z*ubound(v, 1)
    end if
  end subroutine opt2
  subroutine opt3(z, v)
    real(8), intent(inout) :: z
    integer, optional, intent(in) :: v
    z = z*z
    if (present(v)) z = z*z
  end subroutine opt3
  subroutine rnk(v, z)
    real(8), intent(in) :: v(..)
    real(8), intent(inout) :: z
    z = z*z*size(v)*rank(v)
  end subroutine rnk
  subroutine cls(v, z)
    class(base), intent(in) :: v
    real(8), intent(inout) :: z
    select type (v)
    type is (more)
      z = z*z
    class default
      z = sin(z)
    end select
  end subroutine cls
  subroutine cls2(v, z)
    class(base), intent(in) :: v
    real(8), intent(inout) :: z
    z = v%weight(z)
  end subroutine cls2
  subroutine txt(v, z)
    character(*), intent(in) :: v
    real(8), intent(inout) :: z
    z = z*z*len(v)
  end subroutine txt
  subroutine txt2(v, z)
    character(:), allocatable, intent(in) :: v
    real(8), intent(inout) :: z
    if (allocated(v)) z = z*z*len(v)
  end subroutine txt2
  subroutine own(n, z)
    integer, intent(inout) :: n
    real(8), intent(inout) :: z
    real(8) :: t(n)
    n = n - 1
    t = z
    z = z*z*size(t)*t(1)
  end subroutine own
  subroutine own2(n, z)
    integer, intent(inout) :: n
    real(8), intent(inout) :: z
    character(n) :: t
    n = n - 1
    z = z*z*len(t)
  end subroutine own2
  function pick(v, n) result(p)
    real(8), intent(in), target :: v(:)
    integer, intent(in) :: n
    real(8), pointer :: p(:)
    allocate (p(n))
    p = v(:n)
  end function pick
  subroutine nested(o, z)
    type(node), intent(in) :: o
    real(8), intent(inout) :: z
    if (associated(o%p)) z = z*z*size(o%p%w)*size(o%w)
  end subroutine nested
  subroutine seq(v, z)
    real(8), intent(in) :: v(*)
    real(8), intent(inout) :: z
    z = z*z*v(1)
  end subroutine seq
  subroutine seq2(v, n, z)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n, *)
    real(8), intent(inout) :: z
    z = z*z*v(1, 2)
  end subroutine seq2
end module m
"""

CASES = [
    "call asks(pt, d)",
    "call asks(pt(:), d)",
    "call low(pt, d)",
    "call alow(al, d)",
    "call opt(d, al)",
    "call opt2(d, pt)",
    "call opt3(d, k)",
    "call rnk(al, d)",
    "call rnk(pt, d)",
    "call cls(ob, d)",
    "call cls2(ob, d)",
    "call txt(tx, d)",
    "call txt(tx(k:), d)",
    "call txt2(tx, d)",
    "call own(k, d)",
    "call own2(k, d)",
    "d = d*d*lbound(pt, 1)*size(al)",
    "if (associated(pt, r2)) d = d*d",
    "if (associated(pt)) d = d*d*size(pt)",
    "select type (ob); type is (base); d = d*d; class default; d = sin(d); end select",
    "if (same_type_as(ob, oc)) d = d*d",
    "if (extends_type_of(ob, oc)) d = d*d",
    "do i = lbound(al, 1), ubound(al, 1); d = d*d*i; end do",
    "allocate(t(lbound(pt,1):ubound(pt,1))); t = d; d = d*sum(t)*lbound(t,1)",
    "allocate(t, mold=al); t = d; d = d*sum(t)",
    "allocate(t, source=d*al); d = d*sum(t)",
    "allocate(oc2, source=ob); d = d*d*oc2%weight(d)",
    "allocate(oc2, mold=ob); oc2%a = d; d = d*oc2%weight(d)",
    "d = d*ob%weight(d)",
    "ff => null(); if (k > 2) ff => square; if (associated(ff)) d = ff(d)",
    "d = hd%f(d)",
    "d = ap(hd%f, d)",
    "q2(1:k) => r2; q2(1) = d; d = d*q2(1)*size(q2)",
    "q2(k:) => r2; d = d*d*lbound(q2,1)*q2(k)",
    "d = d*d*size(reshape(r, [k, 1]))",
    "call asks(reshape(r, [k]), d)",
    "call asks([(r(i), i=1, k)], d)",
    "call asks(r(idx(:k)), d)",
    "call asks(pick(r, k), d)",
    "call asks(ob2%w, d)",
    "call asks(ob2%p%w, d)",
    "call nested(ob2, d)",
    "d = d*d*size(ob2%p%w)",
    "call seq(r(k), d)",
    "call seq2(r, k, d)",
]


@pytest.mark.sample(8)
@pytest.mark.parametrize("body", CASES)
def test_what_is_asked_for_is_required(body: str, tmp_path: Path) -> None:
    lines = "\n    ".join(one.strip() for one in body.split(";"))
    proved_by_execution(PROGRAM.replace("{body}", lines), "m%head(x, y)>(x, y)", tmp_path)
