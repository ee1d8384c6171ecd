"""DO over a real variable: as often as gfortran's runs, with its last value, its derivatives, and a note (SN214)."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.execution import agrees_with_compiled, proved_by_execution

OLD = """
      subroutine run(x, y)
      real*8 x, y, t, s, r
      integer k
      s = 0d0
      k = 0
      do 10 t = 0.1d0*x, 1.05d0, 0.1d0
        k = k + 1
        if (k .eq. 3) goto 10
        s = s + sin(t*x)*t
        if (s .gt. 2.5d0) goto 20
   10 continue
   20 y = s*s + t
      outer: do t = 3d0, 1d0, -0.25d0*x
        do k = 1, 3
          if (k .eq. 2) cycle
          if (t .lt. 1.5d0) cycle outer
          y = y*0.9d0 + t
        enddo
        do 30 r = t, t + 1.5d0
          if (r .gt. 2.5) goto 30
          y = y + r*x
   30   continue
        if (t .lt. 2d0 .and. t .gt. 1.6d0) cycle
        select case (k)
        case (4)
          if (s .gt. 3d0) cycle outer
        end select
        s = s*cos(t) + x
        if (s .lt. -10d0) exit outer
      enddo outer
      y = y*s + t*x
      do t = 2d0, 1d0
        y = y*x
      enddo
      y = y + t
      end
"""
COUNTED = """
subroutine run(x, a, b, h, y)
  real({kind}), intent(in) :: a, b, h
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real({kind}) :: t
  y = x
  do t = a, b, h
    y = y + x*t
  end do
  y = y*t
end subroutine
"""


def test_it_is_executed_as_the_compiler_does(tmp_path: Path) -> None:
    proved_by_execution(OLD, "run(x)>(y)", tmp_path, {"x": 0.71})


@pytest.mark.sample(2)
@pytest.mark.parametrize(("a", "b", "h"), [
    (0.0, 1.0, 0.1), (0.1, 1.0, 0.1), (0.3, 0.9, 0.3), (1.0, 0.0, -0.1), (0.0, 1.0, 0.3), (2.0, 1.0, 0.5),
    (1.0, 1.0, 0.7), (-0.7, 0.7, 0.2), (0.7, -0.7, -0.2), (5.0, 5.5, 0.05),
])
@pytest.mark.parametrize("kind", [4, 8])
def test_it_runs_as_often(a: float, b: float, h: float, kind: int, tmp_path: Path) -> None:
    agrees_with_compiled(COUNTED.format(kind=kind), "run(x)>(y)", tmp_path, Inputs({"a": a, "b": b, "h": h, "x": 0.8}))


def test_it_is_noted() -> None:
    (head,) = parse_heads("run(x)>(y)")
    said = [(one.severity, one.span.line) for one in analyse(load_text(OLD), head).diagnostics if one.code == "SN214"]
    assert said == [("note", line) for line in (7, 14, 20, 33)]
