"""FORALL that calls functions, or whose statements use each other's targets: phases for all indices, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.execution import proved_by_execution
from tests.support.frontend.lowered import program, show
from tests.support.judged import judge, routine

ELEMENTS = """module ff
  implicit none
  real(8) :: gain = 0.7d0
contains
  pure real(8) function soft(a, i)
    real(8), intent(in) :: a
    integer, intent(in) :: i
    soft = a*gain/(1 + a*a)
    if (i > 2) soft = soft + a
  end function
  pure function row(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(size(a))
    r = a(size(a):1:-1)*gain
  end function
  pure integer function next(i, n)
    integer, intent(in) :: i, n
    next = mod(i, n) + 1
  end function
end module
subroutine forallf(x, y, n)
  use ff
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), m(n, n)
  integer :: i, j
  a = x
  forall (i = 1:n) a(i) = soft(a(next(i, n)), i)*a(i)
  forall (i = 1:n, j = 1:n, i <= j) m(i, j) = soft(a(i), j) + a(j)
  forall (i = 2:n)
    m(i, 1:i-1) = row(m(1, 1:i-1))
  end forall
  forall (i = 1:n, soft(a(i), i) > 0.2d0) m(i, i) = soft(m(next(i, n), i), i)*gain
  y = sum(m*m) + sum(a)
end subroutine
"""
SECTIONS = """module fg
  implicit none
  real(8) :: gain = 0.7d0
contains
  pure real(8) function soft(a, i)
    real(8), intent(in) :: a
    integer, intent(in) :: i
    soft = a*gain/(1 + a*a)
    if (i > 2) soft = soft + a
  end function
  pure function row(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(size(a))
    r = a(size(a):1:-1)*gain
  end function
  pure integer function next(i, n)
    integer, intent(in) :: i, n
    next = mod(i, n) + 1
  end function
end module
subroutine forallg(x, y, n)
  use fg
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type :: t
    real(8) :: w(4)
  end type
  type(t) :: o(n)
  real(8) :: a(n), m(n, n), b(n)
  integer :: i, j, turn
  a = x
  b = x
  m = 0.5d0
  do turn = 1, 2
  forall (i = 1:n) a(i) = soft(a(next(i, n)), i)*a(i)
  forall (i = 1:n, j = 1:n, i <= j) m(i, j) = soft(a(i), j) + a(j)
  forall (i = n:2:-1)
    m(i, :) = row(m(i - 1, :))*m(i, :)
    b(i) = soft(m(i, i - 1), turn)*b(i - 1)
  end forall
  forall (i = 1:n:turn, soft(a(i), i) > 0.2d0)
    m(next(i, n), i) = soft(m(i, next(i, n)), i)*gain
    a(i) = a(i)*1.1d0
  end forall
  forall (i = 1:n)
    o(i)%w(:) = row(x(1:4))*x(i)
    o(i)%w(next(i, 4)) = soft(b(i), 1)
  end forall
  forall (i = 2:1) a(i) = soft(a(i), i)
  y = sum(m*m) + sum(a) + sum(b)
  do i = 1, n
    y = y + sum(o(i)%w**2)
  end do
  end do
end subroutine
"""
MEETING = {
    "one reads what the other assigns": "forall (i = 2:5)\na(i) = a(i - 1)*t\nx(i) = a(i)*a(i + 1)\nend forall",
    "twice the same": "forall (i = 1:5)\na(i) = a(i + 1)*x(i)\na(i) = a(i)*a(6 - i)\nend forall",
    "masked by what they assign": "forall (i = 5:1:-k, a(i) > 0.9d0)\na(i) = a(i + 1)*t\n"
                                  "b(1, (i + 1)/2) = a(i)**2\nend forall",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("text", "head", "n"), [
    (ELEMENTS, "forallf(x)>(y)", 6), (SECTIONS, "forallg(x)>(y)", 5),
], ids=["elements, masks, triangles", "sections, steps, components, subscripts by functions"])
def test_functions_in_forall(text: str, head: str, n: int, tmp_path: Path) -> None:
    proved_by_execution(text, head, tmp_path, {"n": n})


@pytest.mark.sample(3)
@pytest.mark.parametrize("what", MEETING)
def test_each_statement_runs_for_all_indices_before_the_next(what: str, tmp_path: Path) -> None:
    """As one loop with both statements the analyses took them for, they are something else."""
    judge(routine(MEETING[what]), "s(x)>(y)", tmp_path, Inputs({"n": 6}))


def test_a_forall_without_functions_is_one_loop() -> None:
    text = "subroutine s(a, b, n)\nreal(8) a(n), b(n)\nforall (i = 2:n)\na(i) = a(i - 1)\nb(i) = i\nend forall\nend"
    assert show(program(text).procedures["s"]).count("do i@") + show(program(text).procedures["s"]).count("forall") < 3
