"""What Sbk alone keeps is put back last: an allocation or association before which its values would come back."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

PROGRAM = """module m
contains
real(8) function given(v)
  real(8), intent(in) :: v
  given = v
end function given
end module m
subroutine p(x, y)
  use m
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: b
  {declared}
  {before}
  y = sum(a*a)
  b = given(x)      ! a part that touches neither a nor its memory
  {behind}
  y = y + b
end subroutine p
"""
ALLOCATED = PROGRAM.format(declared="real(8), allocatable :: a(:)", before="allocate (a(2)); a = x",
                           behind="deallocate (a)")
MADE = PROGRAM.format(declared="real(8), pointer :: a(:)", before="allocate (a(2)); a = x",
                      behind="allocate (a(3)); a = b")


@pytest.mark.parametrize(("text", "strategy"), [
    (ALLOCATED, "Opt3+=a,Sbk+=a[]"), (ALLOCATED, "Opt3+=a;Sbk+=a[]"), (ALLOCATED, "Sbk+=a[];Sbk+=a"),
    (ALLOCATED, "Opt3+=a[];Sbk+=a"), (MADE, "Opt3+=a;Sbk+=a=>"), (MADE, "Sbk+=a;Sbk+=a=>")])
def test_values_come_back_into_their_memory(text: str, strategy: str) -> None:
    (head,) = parse_heads("p(x)>(y)")
    found = compare(load_text(text), head, parse_strategies(strategy), Inputs({}), AnalysisOptions())
    assert found.equal, [(run.name, run.error, run.differences) for run in found.runs]
