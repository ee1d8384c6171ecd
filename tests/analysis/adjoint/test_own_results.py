"""The adjoint of a function has a result of its own: what the caller has of the last call stays, and is saved once."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
EVERY = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*,Opt2+=*,Sbk+=*")


def text_of(used: str, result: str) -> str:
    """A loop in which the derivative of ``y = y*...`` reads what a function of many steps gave."""
    return f"""subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  integer :: i
  y = 1
  do i = 1, 5
    y = y*{used}
  end do
contains
  function g(a) result(r)
    real(8), intent(in) :: a
    real(8) :: {result}
    r = sin(a)
    r = r*r*cos(a) + exp(a)
    r = r*exp(sin(a)*a)*exp(a)*exp(cos(a))*exp(a*a)
    r = r*exp(sin(a)*a)*exp(a)*exp(cos(a))*exp(a*a)
  end function g
end subroutine p
"""


@pytest.mark.parametrize(("used", "result", "bytes_of"), [
    ("exp(-g(x(i)))", "r", "8"), ("sum(g(x(i)))**2", "r(3)", "8*size(g@8)"), ("exp(-g(0.5d0*x(i)))", "r", "8")])
def test_a_result_that_an_earlier_adjoint_needs_is_saved_once(used: str, result: str, bytes_of: str) -> None:
    program = load_text(text_of(used, result))
    part = next(one for one in analyse(program, HEAD, EVERY, AnalysisOptions()).parts if one.callee == "g")
    temporary = f"g@{part.first_line}"
    assert temporary not in (*part.sets.out_cbar, *part.sets.use_cbar)
    for run in compare(program, HEAD, EVERY, Inputs({}), AnalysisOptions()).runs:
        assert run.equal, (run.name, run.error)
        if run.predicted_traffic_bytes is not None:
            assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
    lazy = part.solutions["lazy"]
    assert (set(lazy.snp), set(lazy.sbk), set(lazy.req_c)) == ({temporary}, set(), set())
    assert [str(one) for one in lazy.sizes.values()] == [bytes_of]


@pytest.mark.parametrize(("result", "section"), [
    ("real(8) :: r(size(a))", "1:i"), ("real(8), allocatable :: r(:)", ":")])
def test_what_the_caller_has_may_be_other_memory(result: str, section: str) -> None:
    """Each call makes the result's memory anew: what is put back for an earlier derivative is in the older."""
    text = f"""module room
contains
  function squares(a) result(r)
    real(8), intent(in) :: a(:)
    {result}
    r = a*a
  end function squares
end module room
subroutine p(x, y)
  use room
  real(8) :: x, y, v(3), w(3)
  integer :: i
  v = 0.3d0*x
  w = 0.55d0*x
  do i = 1, 3
    w({section}) = squares(v({section}))*w({section})
  end do
  y = sum(v*w)
end subroutine p
"""
    for run in compare(load_text(text), HEAD, EVERY, Inputs({}), AnalysisOptions()).runs:
        assert run.equal, (run.name, run.error)
