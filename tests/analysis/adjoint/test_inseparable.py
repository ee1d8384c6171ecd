"""When one location's choice changes what is taped of another: what the search for an optimum is told, by hand."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
TEXT = """\
subroutine square(v, w)
  real(8), intent(in) :: v
  real(8), intent(inout) :: w
  w = w*v*w
end subroutine square
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  y = x
  {t}
  call square(t, y)
  t = 3.0d0*y
  y = y*t*t
end subroutine p
"""
CHEAP, DEAR = "t = 2.0d0*x", "t = exp(exp(exp(exp(x))))"
VALUES, SPLIT, AGAIN = "a tape that goes by values", "calls in split mode", "values that are computed again"


@pytest.mark.parametrize(("t", "options", "why", "plainly"), [
    (CHEAP, AnalysisOptions(), None, None),
    (CHEAP, AnalysisOptions(recompute=True), AGAIN, None),
    (CHEAP, AnalysisOptions(dag=True), VALUES, None),
    (CHEAP, AnalysisOptions(dag=True, recompute=True), VALUES, None),
    (CHEAP, AnalysisOptions(call_checkpoints=False), SPLIT, SPLIT),
    (CHEAP, AnalysisOptions(call_checkpoints=False, recompute=True), SPLIT, SPLIT),
    (CHEAP, AnalysisOptions(call_checkpoints=False, dag=True), VALUES, SPLIT),
])
def test_why(t: str, options: AnalysisOptions, why: str | None, plainly: str | None) -> None:
    """``plainly``: where nothing is computed again and a write tapes by variables, whatever the options say."""
    analysis = prepare(load_text(TEXT.format(t=t)), HEAD, options)
    assert analysis.adjoints.inseparable(analysis.order, False) == why
    assert analysis.adjoints.inseparable(analysis.order, True) == plainly


def test_nothing_to_compute_again() -> None:
    """Where all that is taped is dear, --recompute changes nothing."""
    text = TEXT.format(t=DEAR).replace("t = 3.0d0*y", DEAR).replace("y = x", DEAR.replace("t =", "y ="))
    analysis = prepare(load_text(text), HEAD, AnalysisOptions(recompute=True))
    assert analysis.adjoints.inseparable(analysis.order, False) is None
