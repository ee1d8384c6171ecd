"""MERGE of objects whose components are arrays, against the compiled program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.judged import judge

OF_ONE = """subroutine f(x, y)
  type st
    real(8) :: v(3), s
  end type
  type(st) :: p, q, r
  real(8) :: x, y
  integer :: i
  p%v = [x, 2*x, 3*x]; p%s = x
  q%v = x*x; q%s = 1
  do i = 1, 2
  !$AD CHECKPOINT-START
  r = merge(p, q, x > 0.1d0)
  p%v = r%v*q%v; q = merge(r, q, r%s > x)
  x = sum(r%v)*p%s*0.1d0
  !$AD CHECKPOINT-END
  end do
  y = sum(p%v) + r%s*x + sum(q%v*r%v)
end subroutine
"""
OF_SEVERAL = """subroutine f(x, y)
  type in
    real(8) :: w(2, 2)
  end type
  type st
    real(8) :: v(3), s
    type(in) :: c(2)
  end type
  type(st) :: p(3), q(3), r(3)
  real(8) :: x, y
  integer :: i
  do i = 1, 3
    p(i)%v = [x, 2*x, i*x]; p(i)%s = x*i
    q(i)%v = x*x*i; q(i)%s = 1
    p(i)%c(1)%w = x; p(i)%c(2)%w = 2*x + i
    q(i)%c(1)%w = x*x; q(i)%c(2)%w(1, :) = x*i; q(i)%c(2)%w(2, :) = 1
  end do
  do i = 1, 2
  !$AD CHECKPOINT-START
  r = merge(p, q, p%s > x*1.5d0)
  q = merge(mask=r%s > x, fsource=p, tsource=r)
  p = merge(q, r, x > 0.1d0)
  x = x*0.9d0 + r(2)%c(2)%w(1, 2)*0.1d0*p(1)%v(3)
  !$AD CHECKPOINT-END
  end do
  y = r(1)%s*x
  do i = 1, 3
    y = y + sum(p(i)%v*q(i)%v) + sum(r(i)%c(1)%w*q(i)%c(2)%w)
  end do
end subroutine
"""
ONE_BESIDE = """subroutine f(x, y)
  type st
    real(8) :: v(3), s
  end type
  type(st) :: p(2), r(2), one, t(2, 2)
  real(8) :: x, y
  integer :: i
  do i = 1, 2
    p(i)%v = [x, 2*x, i*x]; p(i)%s = x*i
    t(i, :)%s = x*i
    t(i, 1)%v(1) = x; t(i, 2)%v(1) = x*x; t(:, i)%v(2) = 2*x; t(i, i)%v(3) = 3; t(i, 3 - i)%v(3) = x
  end do
  one%v = [2*x, x*x, 3*x]; one%s = 0.5d0*x
  do i = 1, 2
  !$AD CHECKPOINT-START
  r = merge(one, p, p%s > x*1.5d0)
  p = merge(p, st([x, x*r(1)%v(2), 1d0], r(2)%s), [.true., .false.])
  one = merge(r(2), one, x > 0.1d0)
  p = merge(r, st(0.5d0*x, r(2)%s), r%s > x)
  t = merge(one, t, t%s > x*1.5d0)
  r = merge(one, r, x < 5d0)
  one%v = one%v*t(2, 1)%v
  x = x*0.9d0 + r(2)%v(2)*0.1d0*p(1)%v(3)
  !$AD CHECKPOINT-END
  end do
  y = r(1)%s*x + sum(one%v)
  do i = 1, 2
    y = y + sum(p(i)%v*r(i)%v) + sum(t(i, 2)%v*t(2, i)%v*[1, 2, 3])
  end do
end subroutine
"""


@pytest.mark.parametrize("text", [OF_ONE, OF_SEVERAL, ONE_BESIDE], ids=["scalar mask", "array of masks", "one object"])
def test_the_mask_of_objects_is_that_of_their_elements(text: str, tmp_path: Path) -> None:
    judge(text, "f(x)>(y)", tmp_path)
