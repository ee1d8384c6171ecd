"""Time loops executed under schedules, all that is not in a set destroyed: the gradient is store-all's, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.loops.loop_analysis import LoopAnalysis, loop_sets
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.replay.experiment.compare_strategies import Standard, standard
from snapset.analysis.replay.experiment.gradient import Gradient, entered, gradient_of, seed
from snapset.analysis.replay.timeloop.loop_planner import plan_loop
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.analysis.replay.timeloop.scheduled_run import ScheduledRun
from snapset.analysis.schedules.actions import Schedule
from snapset.analysis.schedules.basic_schedules import all_in_memory, restart_from_first
from snapset.analysis.symbolic.numeric_value import evaluate
from snapset.frontend.base.diagnostics import InputError
from snapset.library.replay import parse_inputs

from tests.support.time_loops import LOOPS, analysed, loop_of, written


def executed(found: LoopAnalysis, with_: Standard, scheduler: Callable[[int], Schedule],
             period: int = 1) -> tuple[Gradient, ScheduledRun]:
    """The gradient under a schedule, with poison."""
    head, machine = found.analysis.head(), with_.machine
    plans, loop = plan_loop(machine, found)
    with np.errstate(all="ignore"):
        frame = entered(machine, with_.inputs)
        run = ScheduledRun(machine, plans, loop, lambda loop: scheduler(loop.steps), period)
        run.adjoint(frame, plans.procedures[machine.root], 0, lambda: seed(head, machine, frame))
        return gradient_of(head, machine, frame), run


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", LOOPS)
def test_both_ends_of_the_scale_give_the_gradient(name: str) -> None:
    found = analysed(name)
    with_ = standard(found.analysis.prepared(), parse_inputs(LOOPS[name].inputs))
    for scheduler in (all_in_memory, restart_from_first):
        gradient, run = executed(found, with_, scheduler)
        assert gradient.same(with_.gradient)
        assert run.stack.height == 0
        for measure in run.measures:
            n = measure.steps
            assert n > 3
            assert measure.forward == (n if scheduler is all_in_memory else n*(n + 1)//2)


@pytest.mark.parametrize("name", ["loop_burgers_ab2", "loop_ab3", "loop_leapfrog", "loop_implicit", "loop_forced",
                                  "loop_module_state", "loop_accumulate", "loop_small_d"])
def test_the_bytes_are_those_of_the_formulas(name: str) -> None:
    found = analysed(name)
    sets = loop_sets(found)
    with_ = standard(found.analysis.prepared(), parse_inputs(LOOPS[name].inputs))
    _, run = executed(found, with_, restart_from_first)
    (measure,) = run.measures
    numbers = {"n": 8, "nt": 7}
    assert set(measure.restart) == {evaluate(sets.restart_bytes, numbers)}
    assert set(measure.dependencies) == {evaluate(sets.dependency_bytes, numbers)}
    assert measure.peak == evaluate(sets.restart_bytes + sets.step_peak, numbers)


@pytest.mark.parametrize("trips", [0, 1, 2])
@pytest.mark.parametrize("name", ["loop_burgers_ab2", "loop_ab3", "loop_exit"])
def test_loops_that_run_never_once_or_twice(name: str, trips: int) -> None:
    found = analysed(name)
    given = [one for one in LOOPS[name].inputs if not one.startswith("nt=")]
    with_ = standard(found.analysis.prepared(), parse_inputs([*given, f"nt={trips}"]))
    for scheduler in (all_in_memory, restart_from_first):
        gradient, run = executed(found, with_, scheduler)
        assert gradient.same(with_.gradient)
        assert run.measures[0].steps == trips


def test_a_while_that_never_runs() -> None:
    found = analysed("loop_while")
    with_ = standard(found.analysis.prepared(), parse_inputs(["n=4", "tend=-1"]))
    gradient, run = executed(found, with_, all_in_memory)
    assert gradient.same(with_.gradient)
    assert run.measures[0].steps == 0


@pytest.mark.parametrize("period", [2, 3, 7, 9])
def test_steps_of_several_iterations(period: int) -> None:
    found = analysed("loop_burgers_ab2")
    with_ = standard(found.analysis.prepared(), parse_inputs(["n=8", "nt=7"]))
    for scheduler in (all_in_memory, restart_from_first):
        gradient, run = executed(found, with_, scheduler, period)
        assert gradient.same(with_.gradient)
        assert run.measures[0].steps == -(-7//period)


AROUND = """
subroutine p(x, b, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), b
  real(8), intent(out) :: y
  real(8) :: u(n), w(n)
  integer :: k
  w = x*x
  u = w*w
  do k = 10, 2, -2
    u(2:n-1) = u(2:n-1)*u(1:n-2)*b + w(2:n-1)
    w(2:n-1) = w(2:n-1)*u(2:n-1)
  end do
  y = sum(u*u) + sum(w)
  u = 0
  b = b*y
  w = sin(w)
  y = y + sum(w)*b
end subroutine
"""


def test_what_the_code_around_the_loop_needs_and_destroys_is_right(tmp_path: Path) -> None:
    """Derivatives before the loop read w and x, the code behind it destroys b and the ends of u, which steps read."""
    found = loop_of([written(tmp_path, AROUND)], "p(x,b)>(y)", 10)
    with_ = standard(found.analysis.prepared(), parse_inputs(["n=6"]))
    for scheduler in (all_in_memory, restart_from_first):
        gradient, _ = executed(found, with_, scheduler)
        assert gradient.same(with_.gradient)


SPLIT = """
subroutine outer(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  b = x*0.5d0
  call work(a, b)
  call steps(a, b, n)
  call work(a, b)
  y = a*b
end subroutine
subroutine steps(a, b, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a, b
  integer :: it
  do it = 1, n
    call both(a, b)
    a = a*b + 0.5d0
    b = sin(b)
  end do
  call work(b, a)
end subroutine
subroutine both(a, b)
  real(8), intent(inout) :: a, b
  a = sin(a)*b
  call work(a, b)
  b = b*a + 0.5d0
  call work(b, a)
end subroutine
subroutine work(a, b)
  real(8), intent(inout) :: a, b
  a = a*b
  b = cos(a)*b + 0.1d0
  a = a + b**2
end subroutine
"""


def split_loop(tmp_path: Path, *split: str) -> LoopAnalysis:
    return loop_of([written(tmp_path, SPLIT)], "outer(x)>(y)", 18, AnalysisOptions(split=split))


def test_calls_in_split_mode_around_the_loop_and_in_what_it_calls(tmp_path: Path) -> None:
    """work is called before the loop's procedure, behind the loop, and in what a step calls."""
    found = split_loop(tmp_path, "work")
    assert found.loop.adjoint.split_calls
    result = compare_schedules(found, standard(found.analysis.prepared(), parse_inputs(["n=7"])),
                               SchedulesWanted(100, ("all",)))
    assert len(result.runs) > 3
    assert [(run.equal, run.as_predicted) for run in result.runs] == [(True, "same")]*len(result.runs)
    assert not result.diagnostics


@pytest.mark.parametrize(("split", "said"), [("both", "needs what a step calls to be called"),
                                             ("steps", "needs the procedure with the loop to be called")])
def test_calls_in_split_mode_that_are_not_scheduled(split: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        split_loop(tmp_path, split)
