"""Pointers to what MOVE_ALLOC moves lead to who has it: against the compiled program and its differences."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.execution import agrees_with_compiled
from tests.support.judged import judge, routine

ARRAYS = "real(8), allocatable, target :: v(:), w(:)\n real(8), pointer :: pt(:)"
BEFORE = "allocate (v(3))\n v = x(1:3)\n pt => v"
CASES = {
    "grown": (ARRAYS, "allocate (v(2))\n v = x(1:2)", """do i = 1, 3
  allocate (w(size(v) + 1))
  w(1:size(v)) = v
  w(size(v) + 1) = x(i)
  call move_alloc(w, v)
  pt => v
  pt(1) = pt(1)*v(2)
end do
x(1) = x(1)*sum(v)"""),
    "pointed to before": (ARRAYS, BEFORE, """pt(2) = pt(2)*pt(1)
call move_alloc(v, w)
pt(1) = pt(1)*w(2)
w(2) = pt(1)*pt(2)
x(2) = sum(w*w)*pt(3)
call move_alloc(w, v)
v(1) = v(1)*pt(2)"""),
    "allocated anew": (ARRAYS, BEFORE, """call move_alloc(v, w)
allocate (v(3))
v = w*x(1:3)
pt(1) = pt(1)*v(2)
x(2) = sum(w*w)*pt(3) + sum(v)
deallocate (v)
call move_alloc(w, v)"""),
    "a section": (ARRAYS, BEFORE + "(2:3)", """pt(2) = pt(2)*pt(1)
call move_alloc(v, w)
pt(1) = pt(1)*w(2)
w(2) = pt(1)*pt(2)
x(2) = sum(w*w)
call move_alloc(w, v)"""),
    "a scalar": ("real(8), allocatable, target :: v, w\n real(8), pointer :: pt", "allocate (v)\n v = x(1)\n pt => v",
                 """call move_alloc(v, w)
pt = pt*w
w = w*x(1)
x(2) = pt*w
call move_alloc(w, v)"""),
}


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_a_pointer_follows_what_is_moved(name: str, marked: bool, tmp_path: Path) -> None:
    declared, before, body = CASES[name]
    text = routine(body, declared, marked).replace("\n  do turn", f"\n{before}\n  do turn", 1)
    judge(text, "s(x)>(y)", tmp_path, Inputs({"n": 6}))


def test_what_is_moved_before_a_part_is_changed_by_the_pointer(tmp_path: Path) -> None:
    """The snapshot was empty: nothing told that ``pt`` is a name of ``b``."""
    judge("""subroutine f(x, y)
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: y
  real(8), allocatable, target :: a(:), b(:)
  real(8), pointer :: pt(:)
  allocate (a(3))
  a = x
  pt => a
  call move_alloc(a, b)
  !$AD CHECKPOINT-START
  pt(2) = pt(2)*pt(1)
  !$AD CHECKPOINT-END
  y = sum(b*b) + b(2)*b(3)
end subroutine
""", "f(x)>(y)", tmp_path)


def test_each_run_of_a_procedure_takes_it_for_itself(tmp_path: Path) -> None:
    """Going back through the first call, ``gp`` leads to the first run's ``c``. It was looked for in the last one's:
    "`ga` is used, which is not allocated"."""
    agrees_with_compiled("""module m
  implicit none
  real(8), allocatable, target :: ga(:)
  real(8), pointer :: gp(:) => null()
contains
  subroutine use_up(t)
    real(8), intent(inout) :: t
    real(8), allocatable, target :: c(:)
    call move_alloc(ga, c)
    t = t*gp(1)*c(2)
    gp(2) = t
    call move_alloc(c, ga)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    ga = 0.7d0*x
    gp => ga
    y = x(1)
    call use_up(y)
    ga(1) = ga(1)*y*gp(2)
    call use_up(y)
    y = y*gp(2)
  end subroutine
end module
""", "f(x)>(y)", tmp_path)
