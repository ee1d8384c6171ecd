"""One program before all judges: every plan against store-all, store-all against the compiled program's differences.

:func:`judge` raises AssertionError, with what was found, where one of them disagrees. The values that the compiled
program leaves behind must be the machine's up to 1e-12.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from snapset.analysis.activity.differentiation_head import Head, parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, Standard
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.ir import Program
from snapset.frontend.load import load_text

from tests.support.execution import Executed, UnderOptions, compiled_agrees, executed, with_one_further

STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*,Opt2+=*;Opt3+=*")
OPTIONS = (AnalysisOptions(), AnalysisOptions(recompute=True), AnalysisOptions(call_checkpoints=False))
STEPS = 1_000_000
RANDOM = Inputs()


def wrong_plans(text: str, head: str, inputs: Inputs = RANDOM) -> dict[str, str]:
    """Under which strategy and options a plan's gradient is not store-all's, and what it was instead."""
    return executed_plans(text, load_text(text), *parse_heads(head), inputs)[1]


def executed_plans(text: str, program: Program, head: Head, inputs: Inputs) -> tuple[Standard, dict[str, str]]:
    """The store-all adjoint under the first options, and :func:`wrong_plans`. ``text`` is the program's."""
    replayed, wrong = UnderOptions(program, head, inputs, ExperimentOptions(limit=STEPS, predict=False)), {}
    for options in with_one_further(OPTIONS, text):
        done = replayed.compared(STRATEGIES, options)
        wrong.update({f"{run.name}, {options}": run.error or "another gradient" for run in done.runs if not run.equal})
    return replayed.prepared(OPTIONS[0])[1], wrong


def judge(text: str, head: str, folder: Path, inputs: Inputs = RANDOM) -> None:
    """Replay under several strategies and options, then compile and difference.

    Without gfortran the last is left out; ``test_gfortran_is_there`` says so.
    """
    program, (found,) = load_text(text), parse_heads(head)
    plain, wrong = executed_plans(text, program, found, inputs)
    assert not wrong, wrong
    assert any(a.any() for a in plain.gradient.values.values()), "the gradient is zero"
    if shutil.which("gfortran") is None:
        return
    same = plain.machine.program is program
    one = Executed(found, program, plain.machine, plain.gradient) if same else executed(program, found, inputs)
    compiled_agrees(text, one, folder, inputs, ways=3)


def routine(body: str, declared: str = "", marked: bool = True, turns: int = 2) -> str:
    """``s(n, x, y)``: a body between statements that give it something to change and read it afterwards.

    It has x(6), a = x, b(2, 3) = x, integers k, i, and runs in a loop, perhaps as a checkpointed part.
    """
    start, end = ("!$AD CHECKPOINT-START\n", "!$AD CHECKPOINT-END\n") if marked else ("", "")
    return f"""subroutine s(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(6), b(2, 3), t
  integer :: turn, i, k
{declared}
  a = x
  b = reshape(x, [2, 3])
  t = x(1)
  k = 1
  do turn = 1, {turns}
{start}{body}
{end}  a = a*1.1d0 + 0.1d0*x
  b = b*0.9d0
  k = k + 1
  end do
  y = sum(a*a*x) + sum(b*b*b) + t*t
end subroutine s
"""
