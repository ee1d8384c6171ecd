"""DATA of a name that no statement mentions gives the names beside it in EQUIVALENCE what they begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.judged import judge

TEXT = """
subroutine head(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  call inner(x, y)
end subroutine
subroutine inner(x, y)
  implicit real(8) (a-h, o-z)
  dimension w(3)
  equivalence (w(1), w1), (w(2), w2), (w(3), w3)
  data w /1d0, 4d0, 2d0/
  y = {value}
end subroutine
"""


@pytest.mark.parametrize("value", ["x*w1 + w2*x*x + w3", "x*w(1) + w2*x*x + w3", "x*w1 + w2*x*x + w(3)"])
def test_the_values_are_there(value: str, tmp_path: Path) -> None:
    judge(TEXT.format(value=value), "head(x)>(y)", tmp_path)
