"""VALUE dummy arguments of calls in split mode: the callee's copy is gone when its adjoint begins, whatever was passed.

By hand: ``a = x``, k 2 at first and 1 then, ``a(2) = x*x``, ``b(1) = x*x``: 14 of 16 elements stay x.
"""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

SPLIT = AnalysisOptions(call_checkpoints=False)
HEAD = "p(x)>(y)"
TEXT = """module m
  implicit none
  type :: cell
    real(8) :: u = 0.5d0
    integer :: k = 2
  end type
contains
  subroutine index(a, b, k)
    real(8), intent(inout) :: a(8), b(8)
    integer, value :: k
    a(k) = a(k)*b(1)
    k = 1
    b(k) = b(k)*a(k)
  end subroutine
  subroutine factor(a, s)
    real(8), intent(inout) :: a(8)
    real(8), value :: s
    a(1) = a(1)*s
    s = sin(s)
    a(2) = a(2)*s*s
  end subroutine
  subroutine both(a, c)
    real(8), intent(inout) :: a(8)
    type(cell), value :: c
    a(c%k) = a(c%k)*c%u
    c%k = 1
    c%u = c%u*a(1)
    a(c%k) = a(c%k)*c%u
  end subroutine
  subroutine maybe(a, k)
    real(8), intent(inout) :: a(8)
    integer, value, optional :: k
    if (present(k)) then
      a(k) = a(k)**2
      k = 3
      a(k) = a(k)**2
    end if
  end subroutine
  recursive subroutine down(a, k)
    real(8), intent(inout) :: a(8)
    integer, value :: k
    if (k == 0) return
    a(k) = a(k)*a(1)
    call down(a, k - 1)
    k = 1
    a(k) = a(k)*a(2)
  end subroutine
  subroutine choice(a, go)
    real(8), intent(inout) :: a(8)
    logical, value :: go
    if (go) a(1) = a(1)*a(2)
    go = .not. go
    if (go) a(1) = a(1)**3
  end subroutine
end module
subroutine p(x, y)
  use m
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(8), b(8)
  integer :: i, j
  a = x
  b = x
  i = 2
  {calls}
  y = sum(a*a) + sum(b*b)
end subroutine
"""
EVERY = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt2+=*;Opt3+=*")


def test_the_gradient_is_the_one_by_hand() -> None:
    x = 0.7
    found = compare(load_text(TEXT.format(calls="call index(a, b, 2)")), parse_heads(HEAD)[0], EVERY,
                    Inputs({"x": x}), SPLIT)
    (weight,), (gradient,) = found.reference.weights["y"].elements, found.reference.gradient["x"].elements
    assert gradient == pytest.approx(weight*(28*x + 8*x**3), rel=1e-14)
    assert all(run.equal for run in found.runs)


def test_what_the_copy_holds_in_the_end_is_kept() -> None:
    record = compare(load_text(TEXT.format(calls="call index(a, b, 2)")), parse_heads(HEAD)[0], EVERY,
                     Inputs({}), SPLIT).runs[0]
    spent = [(one.line, one.bytes) for one in record.spent if one.location == "k"]
    assert spent == [(12, 4), (13, 4)]  # where k = 1 stands, and behind the last statement


@pytest.mark.parametrize("call", [
    "index(a, b, 2)", "index(a, b, i)", "index(a, b, 1 + 1)", "index(a, b, i - 1)",
    "factor(a, 0.3d0)", "factor(a, x)", "factor(a, 0.5d0*x)", "factor(a, a(3))",
    "both(a, cell(0.7d0, 3))", "both(a, cell(x, i))",
    "maybe(a, 2)", "maybe(a, i)", "maybe(a)",
    "down(a, 3)", "down(a, i)",
    "choice(a, .true.)", "choice(a, a(1) > 100)",
])
def test_what_is_passed_by_value(call: str) -> None:
    text = TEXT.format(calls=f"do j = 1, 2\n    call {call}\n  end do\n  call {call}")
    for run in compare(load_text(text), parse_heads(HEAD)[0], EVERY, Inputs({}), SPLIT).runs:
        assert run.equal, (run.name, run.differences, run.error)
        foretold, pushed = run.predicted_traffic_bytes, run.traffic_bytes
        assert foretold is None or (pushed is not None and foretold >= pushed)  # a branch may not be taken
