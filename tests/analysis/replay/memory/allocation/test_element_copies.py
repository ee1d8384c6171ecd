"""Assignments of several elements with allocatable components, of constructors with them, and of recursive types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.judged import judge, wrong_plans

FRAME = """
module m
  implicit none
  type node
    real(8) :: v = 0.d0
    type(node), allocatable :: left, right
  end type
  type box
    real(8) :: a = 1.d0
    real(8), allocatable :: w(:)
  end type
  type holder
    real(8) :: c
    type(box), allocatable :: b(:)
    integer, allocatable :: k
  end type
contains
  recursive function total(t) result(r)
    type(node), intent(in) :: t
    real(8) :: r
    r = t%v**2
    if (allocated(t%left)) r = r + total(t%left)*t%v
    if (allocated(t%right)) r = r - sin(total(t%right))
  end function
  function boxes(n, f) result(b)
    integer, intent(in) :: n
    real(8), intent(in) :: f
    type(box) :: b(n)
    integer :: i
    do i = 1, n
      b(i)%w = [f*k_(i), f/i]
      b(i)%a = f
    end do
  end function
  real(8) function k_(i)
    integer, intent(in) :: i
    k_ = 1d0 + 0.1d0*i
  end function
end module
subroutine s(x, y)
  use m
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  type(node) :: t, u
  type(box) :: q(4), p
  type(box), allocatable :: list(:)
  type(holder) :: l(3), h
  integer :: i
{body}
end subroutine
"""
BODIES = {
    "one to several": """
  y = x(1)
  p%w = x(1:3)*x(4)
  q = p
  q(2)%w(1) = q(2)%w(1)*y
  q(1) = box(2.d0, [x(1)*x(2)])
  q(2:4) = q(1:3)
  q(4:1:-3) = box(x(3), [x(4), y])
  q([2, 3]) = q([3, 1])
  do i = 1, 4
    y = y + sum(q(i)%w)*q(i)%a*i
  end do""",
    "reversed in a part": """
  y = x(1)
  p%w = x(1:3)*x(4)
  q = p
  !$AD CHECKPOINT-START
  q(3)%w(2) = 0.5d0*y
  q = q(4:1:-1)
  y = y*q(2)%w(2)
  !$AD CHECKPOINT-END
  y = y + sum(q(2)%w)""",
    "a growing list": """
  y = x(1)
  p%w = x(1:3)*x(4)
  q = p
  list = q(4:1:-1)
  do i = 1, 2
    list = [list, q(i), box(x(i), [x(i), y*x(3)])]
    list(1:2) = boxes(2, x(i)*y)
    !$AD CHECKPOINT-START
    list = [list(2:), p]
    y = y*list(2)%w(1) + x(3)
    !$AD CHECKPOINT-END
  end do
  q(3:4) = [p, list(6)]
  do i = 1, size(list)
    y = y + sum(list(i)%w)*list(i)%a
  end do
  y = y*sum(q(4)%w)""",
    "holders": """
  y = x(1)
  list = boxes(4, x(2))
  h = holder(x(1)*2, list(2:3), 4)
  l = h
  l(2) = holder(x(2), l(2)%b, null())
  l(2)%b(1)%w(1) = l(2)%b(1)%w(1)*x(4)
  l(1:2) = l(2:3)
  l(3)%b = list(1:3)
  do i = 1, 3
    y = y*l(i)%c + sum(l(i)%b(2)%w) + l(i)%b(1)%w(1)**2
    if (allocated(l(i)%k)) y = y*(1 + 0.1d0*l(i)%k)
  end do""",
    "a branch of a tree": """
  t%v = x(1)
  allocate (t%left)
  t%left%v = x(2)*t%v
  t%right = t%left
  t%right%v = t%right%v*x(2)
  y = total(t)""",
}
TREES = """
  t%v = x(1)
  allocate (t%left)
  allocate (t%left%right)
  t%left%v = x(2)*t%v
  t%left%right%v = x(3)
  u = t
  u%left%v = u%left%v*x(2)
  t%right = u%left
  y = total(t) + total(u)*x(1)
  u = node(x(4)*y, t%left, null())
  y = y + total(u)"""
BY_HAND = """
  t%v = x(1)
  allocate (t%left)
  allocate (t%left%right)
  t%left%v = x(2)*t%v
  t%left%right%v = x(3)
  u%v = t%v
  allocate (u%left)
  allocate (u%left%right)
  u%left%v = t%left%v
  u%left%right%v = t%left%right%v
  u%left%v = u%left%v*x(2)
  allocate (t%right)
  allocate (t%right%right)
  t%right%v = u%left%v
  t%right%right%v = u%left%right%v
  y = total(t) + total(u)*x(1)
  u%v = x(4)*y
  u%left%v = t%left%v
  u%left%right%v = t%left%right%v
  y = y + total(u)"""
STACK = """
module stacks
  implicit none
  type :: item
    real(8), allocatable :: v(:)
    character(8) :: tag = 'none'
  end type
  type :: stack
    type(item), allocatable :: items(:)
    integer :: top = 0
  contains
    procedure :: push
    procedure :: pop
    procedure :: total
    final :: clean
  end type
contains
  subroutine push(self, it)
    class(stack), intent(inout) :: self
    type(item), intent(in) :: it
    type(item), allocatable :: bigger(:)
    if (.not. allocated(self%items)) allocate (self%items(1))
    if (self%top == size(self%items)) then
      allocate (bigger(2*self%top))
      bigger(1:self%top) = self%items
      call move_alloc(bigger, self%items)
    end if
    self%top = self%top + 1
    self%items(self%top) = it
  end subroutine
  function pop(self) result(it)
    class(stack), intent(inout) :: self
    type(item) :: it
    it = self%items(self%top)
    self%top = self%top - 1
  end function
  function total(self) result(t)
    class(stack), intent(in) :: self
    real(8) :: t
    integer :: i
    t = 0
    do i = 1, self%top
      t = t + sum(self%items(i)%v)*i
    end do
  end function
  subroutine clean(self)
    type(stack), intent(inout) :: self
    self%top = 0
  end subroutine
end module
subroutine run(n, q0, c, cost)
  use stacks
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: q0(n), c
  real(8), intent(out) :: cost
  type(stack) :: s
  type(item) :: a, b
  type(item), allocatable :: all(:)
  integer :: i
  do i = 1, 3
    a%v = q0*i
    a%tag = 'q'
    call s%push(a)
    a%v = [a%v(1)*c, sin(a%v)]
    call s%push(a)
  end do
  cost = s%total()
  b = s%pop()
  cost = cost*b%v(2)
  all = s%items(1:s%top)
  all = [all, b, item(v=[c, c*c], tag='end')]
  s%items(1:2) = b
  s%items(2:3) = all(4:5)
  do i = 1, size(all)
    if (allocated(all(i)%v)) cost = cost + sum(all(i)%v**2)*merge(2d0, 1d0, all(i)%tag == 'end')
  end do
  cost = cost + s%total()
end subroutine
"""
GIVEN = Inputs({"x": [0.6, 0.9, 1.2, 0.7]})


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", BODIES)
def test_elements_are_copied(name: str, tmp_path: Path) -> None:
    judge(FRAME.replace("{body}", BODIES[name]), "s(x)>(y)", tmp_path, GIVEN)


@pytest.mark.wide
def test_whole_trees_are_copied(tmp_path: Path) -> None:
    """gfortran 12 crashes where a whole tree is assigned; written out it does not."""
    whole, by_hand = (FRAME.replace("{body}", body) for body in (TREES, BY_HAND))
    judge(by_hand, "s(x)>(y)", tmp_path, GIVEN)
    assert not wrong_plans(whole, "s(x)>(y)", GIVEN)
    (head,) = parse_heads("s(x)>(y)")
    one, other = (compare(load_text(text), head, (LAZY,), GIVEN).reference for text in (whole, by_hand))
    assert one.values == other.values
    for name in one.gradient:
        assert np.allclose(one.gradient[name].elements, other.gradient[name].elements, rtol=1e-13, atol=0)


def test_a_stack_of_items(tmp_path: Path) -> None:
    judge(STACK, "run(q0, c)>(cost)", tmp_path, Inputs({"q0": [1.0, 0.6, 0.3], "c": 0.7, "n": 3}))


# The second run of the part gives hp other elements: what the adjoints of the first ones were is moved, not copied.
REPLACED_TWICE = """module m
  implicit none
  type :: heap
    real(8) :: u = 0.4d0
    real(8), allocatable :: w(:)
  end type heap
contains
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(heap) :: hp(3), hq
  real(8) :: s
  integer :: k
  k = 2
  s = 0d0
  allocate (hq%w(3))
  hq%w = 0.5d0*x(1:3)
  hq%u = x(2)
  hp = hq
  !$AD CHECKPOINT-START
hp(2:3) = hq
hp(3)%w(2) = 0.2d0*sum(hp(2)%w)
hq = hp(2)
s = sum(hp(3)%w)
  !$AD CHECKPOINT-END
  y = 0.3d0*hp(2)%u + 0.4d0*hp(1)%w(1)**2 + 0.5d0*hq%w(2)**2 + 0.6d0*hp(3)%w(2) + s
end subroutine p
end module
"""


def test_elements_that_a_second_run_replaces_hand_their_adjoints_on(tmp_path: Path) -> None:
    proved_by_execution(REPLACED_TWICE, "p(x)>(y)", tmp_path, {"n": 5})
