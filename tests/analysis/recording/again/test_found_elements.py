"""An element is popped before anything runs again at its statement: what finds it has to be there by then. The machine
puts back by address; here it looks each time whether the names would have found the same."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.backward_sweep import FAILURES, BackwardSweep
from snapset.analysis.replay.machine.trace_entries import TraceEntry
from snapset.analysis.replay.memory.frames import Frame
from snapset.frontend import ir
from snapset.frontend.load import load_text

from tests.generators.elements import random_indices

STRATEGIES = parse_strategies("lazy,eager,Opt1+=*;Opt3+=*")
BODY = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(5), c(5), s
  integer :: k, l, i
  b = 0.6d0*x(1)
  b = b*b(5)*b
  c = 0.4d0*x(2)
  s = x(1)
  do i = 1, 2
    s = s*b(2)*b(3)*b(1)
{body}
    s = s*s*b(3)
    k = n + 1
    s = s*s*b(k)
  end do
  y = s*s*b(2)*b(1) + sum(c)
end subroutine p
"""


class Astray(BaseException):
    """No failure of the program's or the machine's."""


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = BackwardSweep.take_back

    def take_back(self: BackwardSweep, frame: Frame, entry: TraceEntry) -> None:
        at = frame.code.flow.nodes[entry.node]
        saved = [] if entry.undo is None else entry.undo.values
        if saved and entry.derivative is not None and isinstance(at.stmt, ir.Assign) and not at.masks:
            for slot, value in entry.variables:
                slot.values[()] = value
            try:
                now = [repr(index) for _, index in frame.code.spots[entry.node](frame.s, frame)]
            except FAILURES as error:
                raise Astray(f"line {at.span.line}") from error
            if any(repr(index) not in now for _, index, _ in saved):
                raise Astray(f"line {at.span.line}")
        plain(self, frame, entry)

    monkeypatch.setattr(BackwardSweep, "take_back", take_back)


@pytest.mark.usefixtures("looking")
@pytest.mark.parametrize("body", [
    "k = nint(b(1)*20) + 1\nb(k) = b(k)*s*b(k)",
    "k = nint(b(1)*20) + 1\nl = k\nb(l) = b(l)*s*b(l)\nl = 1",
    "k = 1\nif (b(1) > 0.01d0) k = 2\nb(k) = b(k)*s*b(k)",
    "k = 2\nif (b(2) > 0.01d0) k = 1\nb(k + 1) = b(k)*s*b(k + 1)\nb(k) = s*b(k)*b(k)",
    "k = nint(b(1)*20) + 1\nc(k) = b(k)*c(k)*c(k)\nb(k) = c(k)*b(k)*c(1)",
])
@pytest.mark.parametrize("options", [AnalysisOptions(), AnalysisOptions(recompute=True),
                                     AnalysisOptions(recompute=True, dag=True)])
def test_what_finds_an_element_is_there_when_it_is_popped(body: str, options: AnalysisOptions) -> None:
    program = load_text(BODY.format(body=body))
    found = compare(program, *parse_heads("p(x)>(y)"), STRATEGIES, Inputs({"n": 2, "x": [0.8, 0.9]}), options)
    assert {run.name: run.error for run in found.runs if not run.equal} == {}


@pytest.mark.usefixtures("looking")
@pytest.mark.parametrize("number", range(9_200_000, 9_200_006))
def test_elements_of_random_programs_are_found(number: int) -> None:
    program, heads = load_text(random_indices.program(Random(number))), parse_heads(random_indices.HEAD)
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True, dag=True)):
        assert all(run.equal for run in compare(program, *heads, STRATEGIES, Inputs(), options).runs)
