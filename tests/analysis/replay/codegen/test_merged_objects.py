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


@pytest.mark.parametrize("text", [OF_ONE, OF_SEVERAL], ids=["scalar mask", "array of masks"])
def test_the_mask_of_objects_is_that_of_their_elements(text: str, tmp_path: Path) -> None:
    judge(text, "f(x)>(y)", tmp_path)
