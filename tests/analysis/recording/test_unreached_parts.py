"""A marked part that nothing leads to records nothing, and is no part of the report."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.load import load_text


@pytest.mark.parametrize("before", ["return", "goto 30"])
def test_a_part_that_is_never_run(before: str) -> None:
    text = f"""subroutine p(x, y)
  real(8) :: x, y
  !$AD CHECKPOINT-START
  x = x*x
  y = sin(x)
  !$AD CHECKPOINT-END
  {before}
  !$AD CHECKPOINT-START
  y = y*x
  !$AD CHECKPOINT-END
30 continue
end subroutine p
"""
    (head,) = parse_heads("p(x)>(y)")
    (part,) = analyse(load_text(text, name="t.f90"), head).parts
    assert part.first_line == 4
    assert part.sets.use_cbar == ("x",)
