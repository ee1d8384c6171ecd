"""Types of one family that give different components the same name."""

from __future__ import annotations

from pathlib import Path

from tests.support.execution import proved_by_execution
from tests.support.frontend.lowered import program

FLUXES = """module mm
  implicit none
  type, abstract :: flux
    real(8) :: u = 0.5d0
  contains
    procedure(step_i), deferred :: step
    procedure(val_i), deferred :: val
    procedure :: twice
  end type
  type, extends(flux) :: up
    real(8) :: w = 0.7d0
  contains
    procedure :: step => up_step
    procedure :: val => up_val
  end type
  type, extends(flux) :: cen
    real(8) :: w(3) = 0.6d0
  contains
    procedure :: step => cen_step
    procedure :: val => cen_val
  end type
  type, extends(cen) :: cen2
    real(8) :: z = 0.9d0
  contains
    procedure :: val => cen2_val
  end type
  type :: box
    class(flux), allocatable :: f
  end type
  abstract interface
    subroutine step_i(this, v, s)
      import :: flux
      class(flux), intent(inout) :: this
      real(8), intent(inout) :: v(:), s
    end subroutine
    function val_i(this, s) result(r)
      import :: flux
      class(flux), intent(in) :: this
      real(8), intent(in) :: s
      real(8) :: r
    end function
  end interface
contains
subroutine twice(this, s)
  class(flux), intent(inout) :: this
  real(8), intent(inout) :: s
  s = this%val(s) + this%val(0.3d0*s)
  this%u = s*this%u
end subroutine
subroutine up_step(this, v, s)
  class(up), intent(inout) :: this
  real(8), intent(inout) :: v(:), s
  v(2) = v(1)*this%u
  this%w = this%w*s
  s = sin(s)*this%w
end subroutine
function up_val(this, s) result(r)
  class(up), intent(in) :: this
  real(8), intent(in) :: s
  real(8) :: r
  r = this%w*s*s
end function
subroutine cen_step(this, v, s)
  class(cen), intent(inout) :: this
  real(8), intent(inout) :: v(:), s
  v(3) = v(2)*sum(this%w)
  this%w(2) = this%w(1)*s
end subroutine
function cen_val(this, s) result(r)
  class(cen), intent(in) :: this
  real(8), intent(in) :: s
  real(8) :: r
  r = this%w(2)*cos(s)
end function
function cen2_val(this, s) result(r)
  class(cen2), intent(in) :: this
  real(8), intent(in) :: s
  real(8) :: r
  r = this%z*s + this%cen%val(s)
end function
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(5), s
  class(flux), allocatable :: f
  type(box) :: bs(3)
  integer :: k
  a = x
  s = x(1)
  allocate (up :: f)
  allocate (cen :: bs(1)%f)
  allocate (up :: bs(2)%f)
  allocate (cen2 :: bs(3)%f)
  bs(1)%f%u = x(2)
  do k = 1, 3
    call bs(k)%f%step(a, s)
    s = s*0.5d0 + bs(k)%f%val(a(2))
  end do
  !$AD CHECKPOINT-START
  do k = 3, 1, -1
    call bs(k)%f%twice(s)
    call bs(k)%f%step(a, s)
  end do
  call f%twice(a(4))
  select type (q => bs(3)%f)
  class is (cen)
    q%w(3) = s
  end select
  !$AD CHECKPOINT-END
  y = s + sum(a*a) + f%val(s) + bs(1)%f%u + bs(3)%f%val(a(5))
end subroutine
end module
"""


def test_an_object_of_class_has_them_all(tmp_path: Path) -> None:
    proved_by_execution(FLUXES, "p(x)>(y)", tmp_path, {"n": 5})


MADE = """module mm
  implicit none
  type :: root
    real(8) :: u = 0.5d0
  end type
  type, extends(root) :: line
    real(8), allocatable :: w(:)
    integer :: kind = 2
    real(8) :: z = 0.3d0
  end type
  type, extends(root) :: plane
    real(8), allocatable :: w(:, :)
    real(8) :: kind = 0.7d0
    real(8) :: z = 0.9d0
  end type
  type, extends(plane) :: body
    type(line) :: inner
  end type
contains
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    class(root), allocatable :: a, b, c
    real(8) :: s
    allocate (a, source=line(u=x(1), w=x(2:4), kind=3))
    allocate (b, source=plane(u=x(2), kind=x(3), w=reshape(x(1:4), [2, 2])))
    allocate (body :: c)
    s = x(5)
    call grow(a, s)
    !$AD CHECKPOINT-START
    call grow(b, s)
    call grow(c, s)
    call grow(a, s)
    !$AD CHECKPOINT-END
    y = s + a%u*b%u + c%u
  end subroutine
  subroutine grow(o, s)
    class(root), intent(inout) :: o
    real(8), intent(inout) :: s
    o%u = sin(o%u*s)
    select type (o)
    type is (line)
      o%w = o%w*s
      s = s*o%kind + sum(o%w)*o%z
    type is (plane)
      o%w(2, :) = o%w(1, :)*o%kind
      o%kind = o%kind*s
      s = sum(o%w)*0.3d0 + o%z
    type is (body)
      o%kind = o%kind*s
      o%inner%kind = 4
      o%inner%z = o%z*o%kind
      s = 0.5d0*s + o%inner%z*o%inner%kind + o%plane%kind
    end select
  end subroutine
end module
"""


def test_made_by_keywords_and_by_default(tmp_path: Path) -> None:
    proved_by_execution(MADE, "p(x)>(y)", tmp_path, {"n": 5})


def test_only_those_that_differ_are_told_apart() -> None:
    """`z` is one component in both, `w` and `kind` are two; the source's name stays."""
    types = program(MADE).types
    assert [one.name for one in types["mm::line"].components] == ["u", "w", "kind", "z"]
    assert [one.name for one in types["mm::plane"].components] == ["u", "w@plane", "kind@plane", "z"]
    assert [one.name for one in types["mm::body"].components][:4] == ["u", "w@plane", "kind@plane", "z"]
    assert {one.area.name for one in types["mm::body"].components} == {"u", "w", "kind", "z", "inner"}
