"""A target of which a part writes a stretch: that is saved, unless a pointer may lead to it; then all of it is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

TEXT = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), target :: t(20)
  real(8), pointer :: pt(:)
  integer :: i
  t = x
  {association}
  !$AD CHECKPOINT-START
  do i = 2, 5
    t(i) = t(i)**2
  end do
  !$AD CHECKPOINT-END
  y = sum(t*t)
end subroutine p
"""


@pytest.mark.parametrize(("association", "sections"), [
    ("", {"t": "t(2:5)"}), ("nullify (pt)", {"t": "t(2:5)"}), ("if (n > 1000) pt => t", {})])
def test_a_target(association: str, sections: Mapping[str, str]) -> None:
    (head,), program = parse_heads("p(x)>(y)"), load_text(TEXT.format(association=association))
    found = analyse(program, head).parts[0].solutions["lazy"]
    assert "t" in found.snp
    assert found.sections == sections
    for run in compare(program, head, inputs=Inputs({"n": 6})).runs:
        assert run.equal, (run.differences, run.error)
