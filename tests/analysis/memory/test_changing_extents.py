"""size(w) and ubound(w) in subscripts and bounds: one number all through only where w's declaration says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled

PROGRAMS = {
    "an allocatable array that shrinks": """\
subroutine f(n, x, y)
  implicit none
  integer n, i, it
  real(8) x(n), y, b(n)
  real(8), allocatable :: w(:)
  allocate (w(n-1))
  w = 0.5d0
  b = x
  y = 0
  do it = 1, 3
     do i = 1, size(w)
        y = y + b(i)**2
     end do
     w = w(1:size(w)-1)
     b(size(w)+1) = y*0.3d0
     w = w*y
  end do
  y = y + sum(b) + sum(w)
end subroutine
""",
    "a pointer that leads to another array": """\
subroutine f(n, x, y)
  implicit none
  integer n, it
  real(8) x(n), y, b(n)
  real(8), target :: u(4), v(6)
  real(8), pointer :: p(:)
  u = 0.5d0
  v = 0.25d0
  b = x
  y = 0
  p => u
  do it = 1, 3
     y = y + b(size(p))**2*p(1)
     if (it == 1) then
        p => v
        b(size(p)-2) = y*0.3d0
     else
        p => u
        b(size(p)+2) = y*0.2d0
     end if
  end do
  y = y + sum(b)
end subroutine
""",
    "an array that shrinks between a read and a write": """\
subroutine f(n, x, y)
  implicit none
  integer n, i
  real(8) x(n), y, a(2*n), m
  real(8), allocatable :: w(:)
  a = [x, x]
  w = [x, x]
  y = 1
  do i = 1, n
     m = a(size(w))*x(i)
     y = y + sin(m*y)
     w = w(1:size(w)-1)
     a(size(w)+1) = y*0.3d0
     y = y + sin(m*y)*w(1)
  end do
  y = y + sum(a)
end subroutine
""",
    "a lower bound of 0": """\
subroutine f(n, x, y)
  implicit none
  integer n, it
  real(8) x(n), y, b(0:n), c(0:n)
  b(0) = 0.7d0
  b(1:n) = x
  c(0:n-1) = x
  c(n) = 2
  y = 0
  do it = 1, 3
     y = y + b(ubound(b,1))**2
     b(size(b)-1) = y*0.3d0
     y = sin(y)*1.1d0
     c(ubound(c,1)) = c(n)*c(size(c)-1)*y
  end do
  y = y + sum(b) + sum(c)
end subroutine
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_elements_behind_another_extent_are_taped(name: str, tmp_path: Path) -> None:
    (head,), inputs = parse_heads("f(x)>(y)"), Inputs({"n": 6})
    agrees_with_compiled(PROGRAMS[name], "f(x)>(y)", tmp_path, inputs)
    for options in (AnalysisOptions(), AnalysisOptions(dag=True)):
        found = compare(load_text(PROGRAMS[name]), head, parse_strategies("lazy,eager"), inputs, options)
        assert found.equal, {run.name: run.error or run.differences for run in found.runs}
