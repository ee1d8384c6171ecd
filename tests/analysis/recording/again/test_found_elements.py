"""An element is popped before anything runs again at its statement: what finds it has to be there by then. The machine
puts back by address; here it looks each time whether the names would have found the same."""

from __future__ import annotations

from pathlib import Path
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
from tests.support.execution import proved_by_execution

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


MOVING = """module m
  implicit none
  type box
    integer, pointer :: j => null()
  end type
contains
  subroutine twist(e, k)
    real(8), intent(inout) :: e(:)
    integer, intent(inout) :: k
    e(1) = e(1)*e(2)
    k = mod(k, 3) + 1
  end subroutine
  subroutine p(x, n, y)
    real(8), intent(in) :: x(5)
    integer, intent(in) :: n
    real(8), intent(out) :: y
    integer, target :: k, l
    integer :: iv(5), i
    type(box) :: c
    real(8) :: v(6)
    iv = [3, 2, 1, 5, 4]
    v(1:5) = x
    v(6) = 0.3d0
    k = n
    l = n
    c%j => k
    y = x(1)
    do i = 1, 2
{body}
      y = y*v(2)*v(3) + v(1)*x(iv(i))*x(iv(2))
    end do
  end subroutine
end module
"""
PART, END = "!$AD CHECKPOINT-START\n", "!$AD CHECKPOINT-END\n"


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    f"{PART}y = y*x(iv(iv(k)))\niv(iv(k)) = iv(k)\ny = y*x(iv(iv(k)))*y\niv(iv(l)) = 1\n{END}l = mod(l, 4) + 1",
    f"{PART}y = y*sum(v(iv(k):iv(k)+1))\nv(iv(k):iv(k)+1) = v(iv(k):iv(k)+1)*y\niv(k) = 2\n{END}",
    f"{PART}y = y*v(c%j)\nv(c%j) = v(c%j)*y\nc%j => l\n{END}c%j = mod(c%j, 3) + 1",
    f"{PART}y = y*v(c%j)\nv(c%j) = v(c%j)*y\nk = mod(k, 3) + 1\n{END}",
    "call twist(v(iv(k):), iv(k))",
    f"{PART}y = y*v(k)\n{PART}v(k) = v(k)*y\nk = iv(k)\nv(k) = v(k)*v(k)\n{END}k = iv(k)\niv(k) = mod(k, 3) + 1\n{END}",
])
def test_elements_whose_subscripts_the_part_moves(body: str, tmp_path: Path) -> None:
    """By itself, through a pointer that leads elsewhere then, by the call's own adjoint, in a part within the part."""
    proved_by_execution(MOVING.format(body=body), "p(x)>(y)", tmp_path, {"n": 2}, ways=1)
