"""Arguments and module variables that the backward sweep computes again without options, executed.

    q = z*0.5d0
    z = z*q
    q = cos(z)          ! the first q is computed again; a caller sees the last one, and what q was at the beginning

Each program is held against gfortran and its differences, and every strategy against store-all.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

MODULE = """module m
  real(8) :: q = 0.3d0, r = 0.2d0
contains
{procedures}
end module
subroutine f(x, y)
  use m
  real(8) :: x(3), y, z
  integer :: i
{body}
end subroutine
"""
PROGRAMS = {
    "recursion": ("""recursive subroutine s(z, n)
  real(8) :: z
  integer :: n
  q = sin(z)*0.5d0
  z = sin(z*sin(q)) + 0.6d0
  if (n > 0) call s(z, n - 1)
  q = z*0.7d0
  z = sin(z*q + z) + 0.6d0
  if (n > 1) call s(z, n - 2)
  q = q*z
end subroutine""", """  z = x(1)
  q = x(2)
  z = sin(z*q) + 0.6d0
  call s(z, 3)
  z = sin(z*q) + 0.6d0
  call s(z, 2)
  y = z*q*x(3)"""),
    "caller reads before and after": ("""subroutine s(z, w)
  real(8) :: z, w
  integer :: i
  do i = 1, 3
    w = sin(z)*0.5d0
    z = sin(z*w + 0.1d0) + 0.6d0
    w = z*0.25d0
    z = sin(z*w*w + 0.2d0) + 0.6d0
  end do
end subroutine""", """  z = x(1)
  r = x(2)*x(1)
  do i = 1, 3
    y = z*r
    z = sin(z + y*y*r) + 0.6d0
    call s(z, r)
    z = sin(z*r + x(3)) + 0.6d0
  end do
  y = z*r"""),
    "sometimes": ("""subroutine s(z)
  real(8) :: z
  z = sin(z*q) + 0.6d0
  if (z > 0.1d0) then
    q = sin(z)*0.5d0
    z = sin(z*q + 0.1d0) + 0.6d0
  end if
  z = sin(z*q) + 0.6d0
  q = z*0.25d0
  z = sin(z*q*q + 0.2d0) + 0.6d0
  if (z > 0.3d0) q = q*z
end subroutine""", """  z = x(1)
  q = x(2)
  do i = 1, 3
    z = sin(z*q + x(3)) + 0.6d0
    call s(z)
    !$AD CHECKPOINT-START
    z = sin(z*q) + 0.6d0
    call s(z)
    q = z*q
    !$AD CHECKPOINT-END
    z = sin(z*sin(q)) + 0.6d0
  end do
  y = z*q"""),
    "nested, who needs the first": ("""subroutine o(z)
  real(8) :: z
  z = sin(z*q) + 0.6d0
  call s(z, q)
  z = sin(z*q) + 0.6d0
  call s(z, r)
  z = sin(z*r*q) + 0.6d0
end subroutine
subroutine s(z, w)
  real(8) :: z, w
  z = sin(z*w) + 0.6d0
  w = sin(z*z)
  z = sin(z*w) + 0.6d0
  w = sin(z)*0.5d0
  z = sin(z*w) + 0.6d0
end subroutine""", """  z = x(1)
  q = x(2)
  r = x(3)
  do i = 1, 2
    call o(z)
    z = sin(z*q*r + x(i)) + 0.6d0
  end do
  y = z*q*r"""),
    "early return and loop": ("""subroutine s(z, n)
  real(8) :: z
  integer :: n, i
  do i = 1, n
    q = sin(z)*0.5d0
    if (q > 5d0) return
    z = sin(z*q + 0.3d0) + 0.6d0
    q = cos(z) + 0.1d0
    z = sin(z*q) + 0.6d0
    if (i == 2) exit
  end do
  z = sin(z*q) + 0.6d0
end subroutine""", """  z = x(1)
  do i = 1, 3
    q = x(i)
    z = sin(z*q) + 0.6d0
    call s(z, i)
    z = sin(z*q*0.1d0) + 0.6d0
  end do
  y = z*q"""),
    "inactive call reads it": ("""subroutine s(z, k)
  real(8) :: z
  integer :: k
  q = sin(z)*0.5d0
  k = count_of()
  z = sin(z*q*k) + 0.6d0
  q = cos(z) + 0.1d0
  k = count_of()
  z = sin(z*q + k) + 0.6d0
end subroutine
integer function count_of()
  count_of = 1
  if (q > 0.4d0) count_of = 2
  q = q*1.5d0
end function""", """  integer :: k
  z = x(1)
  do i = 1, 3
    q = x(i)*z
    z = sin(z*q) + 0.6d0
    call s(z, k)
    z = sin(z*q*0.1d0*k) + 0.6d0
  end do
  y = z*q"""),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_callers_see_of_it_stays_the_same(name: str, tmp_path: Path) -> None:
    procedures, body = PROGRAMS[name]
    proved_by_execution(MODULE.format(procedures=procedures, body=body), "f(x)>(y)", tmp_path,
                        {"x": [0.7, 0.5, 0.9]})


def test_they_are_computed_again() -> None:
    """In two of them the tape without options is smaller than with --tape-scalars; none has a larger one."""
    shorter = 0
    for procedures, body in PROGRAMS.values():
        program, (head,) = load_text(MODULE.format(procedures=procedures, body=body)), parse_heads("f(x)>(y)")
        runs = [compare(program, head, parse_strategies("lazy"), Inputs({"x": [0.7, 0.5, 0.9]}),
                        AnalysisOptions(tape_scalars=scalars), ExperimentOptions(predict=False)).runs[0]
                for scalars in (False, True)]
        taped = [run.traffic_bytes or 0 for run in runs]
        assert taped[0] <= taped[1]
        shorter += taped[0] < taped[1]
    assert shorter > 1
