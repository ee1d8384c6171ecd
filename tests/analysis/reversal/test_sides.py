"""Which side of MAX, MIN ... is recorded instead of keeping the operands: when, and that it suffices by execution."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.load import load_text

LOOP = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, l, b, v(3), w(3)
  integer :: i
  y = 0
  v = x(1)
  do i = 1, n
    a = 0.9d0*x(i) - 0.5d0
    l = 0.3d0 - a*x(1)
    {statement}
    y = y + b
  end do
end subroutine p
"""
READ = AnalysisOptions(keep_operands=True, tape_scalars=True)
RECORD = AnalysisOptions(tape_scalars=True)
INPUTS = Inputs({"n": 6})


def analysed(text: str, options: AnalysisOptions = RECORD) -> Analysis:
    (head,) = parse_heads("p(x)>(y)")
    return prepare(load_text(text), head, options)


def recorded(text: str) -> dict[int, tuple[int, int]]:
    """By line, the sides of scalars and of arrays that are recorded."""
    return {adjoint.model.flow.nodes[node].span.line: (one.scalars, one.arrays)
            for adjoint in analysed(text).adjoints.by_key.values() for node, one in adjoint.sides.items()}


def run(text: str, options: AnalysisOptions = RECORD) -> StrategyRun:
    (head,) = parse_heads("p(x)>(y)")
    (found,) = compare(load_text(text), head, (LAZY,), INPUTS, options).runs
    assert found.equal, (found.differences, found.error)
    assert (found.predicted_peak_bytes, found.predicted_traffic_bytes) == (found.peak_bytes, found.traffic_bytes)
    return found


@pytest.mark.parametrize("value", [
    "max(0.0d0, a + l)", "min(a, l, 0.2d0)", "abs(a - l)", "sign(a, l)", "dim(a, l)", "merge(a, 2.0d0*l, a > l)",
    "dmax1(a, l)", "dabs(l)", "0.5d0*abs(l) + max(abs(l), l)", "max(0.0d0, l)*2.0d0",
])
def test_the_side_takes_a_byte_and_the_operands_nothing(value: str) -> None:
    text = LOOP.format(statement=f"b = {value}")
    ((line, (scalars, arrays)),) = recorded(text).items()
    found = run(text)
    assert (line, arrays) == (12, 0)
    assert found.control_bytes == 6*scalars
    assert found.traffic_bytes is not None
    assert found.traffic_bytes < (run(text, READ).traffic_bytes or 0)


def test_without_recording_the_operands_are_saved() -> None:
    found = run(LOOP.format(statement="b = max(0.0d0, a + l)"), READ)
    assert (found.control_bytes, found.traffic_bytes) == (0, 2*8*6)


@pytest.mark.parametrize("statement", [
    "b = max(x(1), x(i))",               # nothing overwrites them
    "b = max(a, l)*a*l",                 # the other factors are read anyway
    "b = sin(a)*cos(l) + abs(a - l)",
    "b = sin(max(a, l))",                # its value is, for the cosine
])
def test_nothing_is_recorded_where_nothing_is_gained(statement: str) -> None:
    text = LOOP.format(statement=statement)
    assert not recorded(text)
    assert run(text).control_bytes == 0


def test_elements_of_an_array_take_a_byte_each() -> None:
    text = LOOP.format(statement="w = max(v, a)\n    v = v*0.5d0 + 0.1d0*sin(w)\n    b = w(2)")
    assert recorded(text) == {12: (0, 1)}
    assert run(text).control_bytes == 3*6


def test_a_statement_that_does_not_run_records_all_the_same() -> None:
    """Nobody reads what y becomes last; its own old value is not taped for the sake of the side."""
    text = LOOP.format(statement="b = 1").replace("end do", "end do\n  a = x(2)\n  y = max(y, a)\n  a = 0")
    found = run(text)
    assert (found.traffic_bytes, found.control_bytes) == (run(text, READ).traffic_bytes, 0)
    text = LOOP.format(statement="b = abs(l)")  # neither b nor y is read again: in the adjoint only the side is
    assert run(text).adjoint_steps == (run(text, READ).adjoint_steps or 0)


def test_in_split_mode_a_callee_s_variables_are_gone_at_its_end() -> None:
    """a and l die with the sweep of q: keeping them takes 16 bytes, the side one."""
    text = """module m
contains
  subroutine q(v, b)
    real(8), intent(in) :: v
    real(8), intent(out) :: b
    real(8) :: a, l
    a = 0.9d0*v
    l = 0.3d0 - a
    b = max(a, l)
  end subroutine q
end module m
subroutine p(x, n, y)
  use m
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  !$AD NOCHECKPOINT
  call q(x(1), y)
end subroutine p
"""
    assert recorded(text) == {9: (1, 0)}
    assert run(text).traffic_bytes == 1
    assert run(text, READ).traffic_bytes == 16


def test_a_masked_assignment_reads_its_operands() -> None:
    text = LOOP.format(statement="where (v > a) w = max(v, l)\n    v = v*0.5d0 + a\n    b = w(2)")
    assert 12 not in recorded(text)
    run(text)
