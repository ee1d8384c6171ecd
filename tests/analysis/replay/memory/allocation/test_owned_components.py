"""Allocatable components of the elements of arrays, and of their own type: ragged arrays, blocks of levels, trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = "s(x)>(y)"
TYPES = """
  type cell
    real(8) :: h = 0.5d0
    real(8), allocatable :: q(:)
  end type
  type block_
    integer :: n = 0
    type(cell), allocatable :: level(:)
  end type
  type node
    real(8) :: v
    type(node), allocatable :: left, right
  end type
  type, abstract :: shape_
    real(8) :: a
  contains
    procedure(law), deferred :: area
  end type
  type, extends(shape_) :: square
  contains
    procedure :: area => area_square
  end type
  type, extends(shape_) :: box
    real(8), allocatable :: b(:)
  contains
    procedure :: area => area_box
  end type
  type holder
    class(shape_), allocatable :: s
  end type
  abstract interface
    function law(self) result(r)
      import shape_
      class(shape_), intent(in) :: self
      real(8) :: r
    end function
  end interface
"""
PROCEDURES = """
  function area_square(self) result(r)
    class(square), intent(in) :: self
    real(8) :: r
    r = self%a*self%a
  end function
  function area_box(self) result(r)
    class(box), intent(in) :: self
    real(8) :: r
    r = self%a*sum(self%b)
  end function
  subroutine smooth(c)
    type(cell), intent(inout) :: c
    integer :: j
    do j = 2, size(c%q)
      c%q(j) = c%q(j)*c%h + c%q(j - 1)**2
    end do
    c%h = c%h*c%q(1)
  end subroutine
  subroutine several(c)
    type(cell), intent(inout) :: c(:)
    integer :: j
    do j = 1, size(c)
      if (allocated(c(j)%q)) call smooth(c(j))
    end do
  end subroutine
  function made(n, t) result(c)
    integer, intent(in) :: n
    real(8), intent(in) :: t
    type(cell) :: c
    integer :: j
    allocate (c%q(n))
    c%q = [(t*j, j = 1, n)]
    c%h = t*t
  end function
  recursive function weight(t, depth) result(r)
    type(node), intent(in) :: t
    integer, intent(in) :: depth
    real(8) :: r
    r = t%v**2*depth
    if (allocated(t%left)) r = r + weight(t%left, depth + 1)
    if (allocated(t%right)) r = r*t%v + weight(t%right, depth + 1)
  end function
  recursive subroutine scale(t, f)
    type(node), intent(inout) :: t
    real(8), intent(in) :: f
    t%v = t%v*f
    if (allocated(t%left)) call scale(t%left, f*t%v)
    if (allocated(t%right)) call scale(t%right, f)
  end subroutine
"""
BODIES = {
    "ragged": ("type(cell) :: c(3)", """
      do i = 1, 3
        allocate (c(i)%q(i + 1))
        c(i)%q = x(i)*[(j, j = 1, i + 1)]
      end do
      do k = 1, 3
        do i = 1, 3
          do j = 2, size(c(i)%q)
            c(i)%q(j) = c(i)%q(j)*c(1 + mod(i, 3))%q(1) + c(i)%q(j - 1)*c(i)%h
          end do
          c(i)%h = sin(c(i)%q(1)*c(i)%h)
        end do
        where (c(2)%q > 0.3d0) c(2)%q = c(2)%q**2
      end do
      y = sum(c(1)%q) + c(2)%q(2)*c(3)%q(4) + sum(c%h)"""),
    "in a part": ("type(cell), allocatable :: c(:)", """
      allocate (c(0:2))
      do i = 0, 2
        allocate (c(i)%q(2:4 + i), source=x(1 + i))
      end do
      do k = 1, 3
      !$AD CHECKPOINT-START
        do i = 0, 2
          c(i)%q(3:) = c(i)%q(3:)*c(mod(i + 1, 3))%q(2)
          c(i)%q(2) = c(i)%q(2)*c(i)%q(4)
        end do
        c%h = c%h*x(2)
      !$AD CHECKPOINT-END
      end do
      y = 0
      do i = lbound(c, 1), ubound(c, 1)
        y = y + sum(c(i)%q*c(i)%h)
      end do"""),
    "regrown": ("type(cell) :: c(2)\n real(8), allocatable :: w(:)", """
      do i = 1, 2
        c(i)%q = [x(i)]
        do j = 2, 4
          c(i)%q = [c(i)%q, c(i)%q(j - 1)*x(j)]
        end do
      end do
      do k = 1, 2
        w = c(k)%q(2:)
        deallocate (c(k)%q)
        allocate (c(k)%q(2), source=w(2)*x(1))
        c(k)%q(1) = c(k)%q(1)*w(1)
      end do
      call move_alloc(w, c(1)%q)
      call move_alloc(c(1)%q, c(2)%q)
      y = sum(c(2)%q)*x(3)
      if (allocated(c(1)%q)) y = 0"""),
    "passed": ("type(cell) :: c(4)", """
      do i = 1, 3
        c(i) = made(i + 1, x(i))
      end do
      call smooth(c(2))
      call several(c)
      call several(c(1:3:2))
      c(4) = c(2)
      c(4)%q(1) = c(4)%q(1)*c(2)%q(2)
      c(2) = cell(c(3)%h, [x(4), c(1)%q(1)])
      call several(c(2:))
      y = sum(c(4)%q) + sum(c(2)%q)*sum(c(3)%q) + c(1)%q(2)"""),
    "blocks of levels": ("type(block_), allocatable :: b(:)", """
      allocate (b(2))
      do i = 1, 2
        b(i)%n = i + 1
        allocate (b(i)%level(b(i)%n))
        do j = 1, b(i)%n
          b(i)%level(j) = made(j, x(i)*x(j))
        end do
      end do
      do k = 1, 2
        do i = 1, 2
          call several(b(i)%level)
          call smooth(b(3 - i)%level(k))
          b(i)%level(1)%q = b(i)%level(1)%q*b(3 - i)%level(2)%q(1)
        end do
      end do
      y = sum(b(1)%level(2)%q)*b(2)%level(3)%q(2) + sum(b(2)%level%h)"""),
    "aimed at": ("type(cell), target :: c(3)\n type(cell), pointer :: p\n real(8), pointer :: w(:)", """
      do i = 1, 3
        c(i) = made(3, x(i))
      end do
      do i = 1, 3
        p => c(i)
        w => c(1 + mod(i, 3))%q
        p%q(2:) = p%q(:2)*w(2:)
        w(1) = w(1)*p%h
        p%h = sum(w)
        call smooth(p)
      end do
      y = sum(c(1)%q) + c(2)%q(3)*c(3)%q(1) + p%q(2)"""),
    "an array that grows": ("type(cell), allocatable :: c(:), d(:)", """
      allocate (c(1))
      c(1) = made(2, x(1))
      do k = 2, 3
        allocate (d(k))
        do i = 1, k - 1
          call move_alloc(c(i)%q, d(i)%q)
          d(i)%h = c(i)%h
        end do
        d(k) = made(k, x(k)*d(k - 1)%q(1))
        call move_alloc(d, c)
        call several(c)
      end do
      y = sum(c(1)%q) + sum(c(3)%q)*c(2)%h"""),
    "a tree": ("type(node), allocatable :: t", """
      allocate (t)
      allocate (t%left, t%right)
      allocate (t%left%right)
      t%v = x(1)
      t%left%v = x(2)
      t%right%v = x(3)*t%v
      t%left%right%v = x(4)
      call move_alloc(t%left%right, t%right%left)
      y = weight(t, 1)
      call scale(t, x(1))
      y = y*weight(t, 2) + t%right%v"""),
    "objects whose arrays have another size each time": ("type(cell) :: c(2), g", """
      y = x(1)
      do k = 1, 4
        if (allocated(c(1)%q)) deallocate (c(1)%q)
        allocate (c(1)%q(1 + mod(k, 3)), source=x(k))
        c(2) = c(1)
        call smooth(c(2))
        g = c(2)
        c(1) = g
        call smooth(c(1))
        y = y + c(1)%q(1)*y
      end do
      y = y*sum(c(1)%q)*c(1)%h"""),
    "elements without what others have": ("""type place
        type(cell), allocatable :: e
        type(cell) :: d, many(2)
      end type
      type(place) :: p(2)""", """
      y = x(1)
      do k = 1, 3
        if (allocated(p(1)%e)) deallocate (p(1)%e)
        allocate (p(1)%e)
        p(1)%e%h = x(k)*y
        p(1)%d%h = y
        if (k > 1) allocate (p(1)%e%q(-k:0), source=x(1:k+1)*y)
        if (k == 2) allocate (p(1)%many(2)%q(0:k), source=x(1:k+1)*y)
        p(2) = p(1)
        if (k > 1) y = y + p(2)%e%q(-k)*lbound(p(2)%e%q, 1)
        if (k > 1) y = y + p(2)%many(2)%q(0)*ubound(p(2)%many(2)%q, 1)
        p(2)%d = p(2)%many(2)
        if (allocated(p(2)%d%q)) y = y*p(2)%d%q(ubound(p(2)%d%q, 1))
        if (.not. allocated(p(2)%e%q)) y = y*p(2)%e%h
        p(2)%many(2)%h = sin(p(2)%many(2)%h*y)
        p(1)%d = p(2)%many(2)
      end do
      y = y*p(1)%d%h"""),
    "objects taken out of elements with elements": ("type(block_) :: b(2), g\n type(cell) :: c(2)", """
      y = x(1)
      do k = 1, 3
        if (allocated(b(1)%level)) deallocate (b(1)%level)
        allocate (b(1)%level(k))
        do i = 1, k
          b(1)%level(i) = made(i, x(i)*y)
        end do
        g = b(1)
        call several(g%level)
        b(2) = g
        c(1) = b(2)%level(k)
        c(2) = g%level(1)
        g%level = [b(2)%level(1), c(1)]
        call several(g%level)
        y = y*0.5d0 + g%level(2)%q(k)*c(2)%h
      end do
      y = y*g%level(1)%q(1)"""),
    "objects of many types": ("type(holder) :: h(3)", """
      allocate (h(1)%s, source=square(x(1)))
      allocate (box :: h(2)%s)
      select type (s => h(2)%s)
      type is (box)
        allocate (s%b(2), source=x(2))
        s%b(2) = x(3)
      end select
      h(2)%s%a = x(4)
      allocate (h(3)%s, source=h(2)%s)
      y = 0
      do k = 1, 3
        do i = 1, 3
          y = y + h(i)%s%area()*h(1 + mod(i, 3))%s%a
          h(i)%s%a = h(i)%s%a*x(1) + 0.1d0*y
        end do
      end do"""),
}

INSERT = """
  recursive subroutine insert(t, v)
    type(node), allocatable, intent(inout) :: t
    real(8), intent(in) :: v
    if (.not. allocated(t)) then
      allocate (t)
      t%v = v
    else if (v < t%v) then
      call insert(t%left, v)
    else
      call insert(t%right, v)
    end if
  end subroutine
"""


def program(declared: str, body: str) -> str:
    return (f"module m\n  implicit none\n{TYPES}contains\n{PROCEDURES}{INSERT}\nsubroutine s(x, y)\n"
            f" real(8), intent(in) :: x(4)\n"
            f" real(8), intent(out) :: y\n {declared}\n integer :: i, j, k\n{body}\nend subroutine\nend module m\n")


@pytest.mark.sample(3)
@pytest.mark.parametrize("what", BODIES)
def test_components_of_elements_are_executed(what: str, tmp_path: Path) -> None:
    proved_by_execution(program(*BODIES[what]), HEAD, tmp_path, {"x": [0.6, 0.9, 1.2, 0.7]})


def test_what_grows_below_a_recursive_type_is_said(tmp_path: Path) -> None:
    """``t[]`` and ``t%left[]`` are locations, what is below them has no size: how a snapshot would copy that, nobody
    says. (Here the machine brings it back.)"""
    body = "call insert(t, x(1))\n call insert(t, x(2))\n y = weight(t, 1)"
    (head,) = parse_heads(HEAD)
    done = compare(load_text(program("type(node), allocatable :: t", body)), head)
    assert all(run.equal for run in done.runs)
    assert any(one.code == "SN104" for part in analyse(
        load_text(program("type(node), allocatable :: t", body)), head).parts for one in part.diagnostics)
