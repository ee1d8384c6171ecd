"""Which values are cheap enough to be made again: up to 24 additions, in SUM one for each element, by hand."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
AGAIN = AnalysisOptions(recompute=True)


def text_of(value: str) -> str:
    """Each iteration overwrites t, which the derivative of the line behind needs."""
    return f"""module parts
  integer, parameter :: many = 25
  type pair
    real(8) :: a(3)
  end type pair
end module parts
subroutine p(x, n, y)
  use parts
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a24(24), a25(many), low(-11:12), lower(-12:12), tall(24, 2), wide(2, 0:23), t
  type(pair) :: q
  integer :: i
  a24 = x(1)
  a25 = x(1)
  low = x(2)
  lower = x(2)
  tall = x(3)
  wide = x(3)
  q%a = x(1)
  y = 0.0d0
  do i = 1, 3
    t = {value}
    y = y + t*t*x(i)
  end do
end subroutine p
"""


def made_again(value: str) -> bool:
    """Is t not taped? Every gradient is store-all's."""
    found = compare(load_text(text_of(value)), HEAD, parse_strategies("lazy,eager"), Inputs({"n": 5}), AGAIN)
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    return "t" not in {one.location for one in found.runs[0].spent if one.kind == "tape"}


@pytest.mark.parametrize(("value", "cheap"), [
    ("sum(a24)", True),
    ("sum(a24(:))", True),
    ("sum(a24) + x(i)", False),  # one addition more
    ("sum(a25)", False),
    ("sum(low)", True),
    ("sum(lower)", False),
    ("sum(tall(:, 2))", True),
    ("sum(tall(2, :))", True),
    ("sum(tall)", False),
    ("sum(wide(2, :))", True),
    ("sum(wide(:, 0))*sum(tall(1, :))*sum(wide(:, i))", True),
    ("sum(a24(2:3))", False),  # how many are in between is not counted
    ("sum(x)", False),
    ("sum(q%a)", False),
    ("dot_product(q%a, a24(1:3))", False),
    ("exp(x(i)) + exp(x(2))*exp(x(3))", False),  # eight each, and two
    ("exp(x(i)) + exp(x(2))*4.0d0 + x(1)*x(2)*x(3)", True),
])
def test_what_is_cheap(value: str, cheap: bool) -> None:
    assert made_again(value) is cheap
