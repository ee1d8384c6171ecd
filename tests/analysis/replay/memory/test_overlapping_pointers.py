"""An assignment's value is complete before anything is assigned (Fortran 2018, 10.2.1.3), whatever names overlap.

gfortran 12 misses it where a pointer is assigned a pointer component that leads to the same memory: for the first and
the last of these programs it gives 1 1 3 1. In parentheses it copies, and agrees.
"""

from __future__ import annotations

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

PROGRAM = """subroutine s(x, y)
  implicit none
  type view
    real(8), pointer :: p(:)
  end type
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(4)
  real(8), target :: t(4)
  real(8), pointer :: p2(:, :), q(:)
  type(view) :: v
  t = x
  p2(1:2, 1:2) => t
  q => t
  v%p => t
  {assignment}
  y = t
end subroutine s
"""
ASSIGNMENTS = ("p2(2, :) = v%p(1:2)", "p2(2, :) = q(1:2)", "p2(2, :) = t(1:2)", "p2(2, :) = (v%p(1:2))",
               "v%p(2:4:2) = p2(:, 1)", "q(2:4:2) = v%p(1:2)")


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_old_values_are_assigned(assignment: str) -> None:
    """By hand: t(2) becomes t(1), t(4) what t(2) was. Adjoints 1, 1.25, 1.5, 1.75 of y: x(1) has 1 + 1.25."""
    (head,) = parse_heads("s(x)>(y)")
    found = compare(load_text(PROGRAM.format(assignment=assignment)), head, parse_strategies("lazy,eager"),
                    Inputs({"x": [1.0, 2.0, 3.0, 4.0]}), AnalysisOptions())
    assert found.reference.values["y"].elements == (1.0, 1.0, 3.0, 2.0)
    assert np.array_equal(found.reference.gradient["x"].elements, (2.25, 1.75, 1.5, 0.0))
    assert all(one.equal for one in found.runs)
