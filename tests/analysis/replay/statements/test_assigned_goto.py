"""Assigned GOTO: the variable holds a label, not a place among those listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

TEXT = """subroutine model(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: lab, k
  assign 40 to lab
  k = 0
  y = x
30 k = k + 1
  goto lab{labels}
40 call step(y, x, *60)
  assign 50 to lab
  goto 60
50 y = y*x + sin(y)
  assign 40 to lab
60 if (k < 6) goto 30
end subroutine
subroutine step(y, x, *)
  implicit none
  real(8) :: y, x
  y = y*(y + x)
  if (y > 2d0) return 1
  y = y + 1
end subroutine
"""


@pytest.mark.parametrize("labels", ["", ", (40, 50)", ", (50, 40)"])
def test_an_assigned_goto_goes_to_the_label_it_was_given(labels: str, tmp_path: Path) -> None:
    judge(TEXT.format(labels=labels), "model(x)>(y)", tmp_path, Inputs({"x": 0.4}))
