"""Of an array that a time loop passes to a procedure, the stretch that is written there is all that is held."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.loops.loop_analysis import loop_sets
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.replay import parse_inputs

from tests.support.time_loops import loop_of, written

TEXT = """subroutine change(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 2, n - 1
    a(i) = a(i) + 0.1d0*a(i)*(a(i+1) - a(i-1))
  end do
end subroutine
subroutine p(x, n, m, nt, y)
  integer, intent(in) :: n, m, nt
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(20), t
  integer :: k
  a = x*[(1 + 0.1d0*k, k = 1, 20)]
  t = 0
  {loop}
    t = t + 1
    {body}
  end do
  y = sum(a**2)
end subroutine
"""


@pytest.mark.parametrize(("loop", "body", "held"), [
    ("do k = 1, nt", "call change(a, n)", "a(2:n-1)"),
    ("do while (t < nt)", "call change(a, n)", "a(2:n-1)"),
    ("do k = 1, nt", "call change(a(3), n)", "a(4:n+1)"),
    ("do k = 1, nt", "if (k > 1) call change(a, n)", "a"),     # a(2:n-1) need not be there
    ("do k = 1, nt", "call change(a, n)\n    call change(a, m)", "a"),
    ("do k = 1, nt", "call change(a, k)", "a(2:nt-1)"),
    ("do k = 1, nt", "if (t > 3) exit\n    call change(a, k)", "a"),
])
def test_what_a_call_writes_is_held(loop: str, body: str, held: str, tmp_path: Path) -> None:
    """(A loop may run never, and its test was taken to decide whether the elements are there: all of a(20) was held.)
    """
    text = TEXT.format(loop=loop, body=body)
    found = loop_of([written(tmp_path, text)], "p(x)>(y)", 17)
    assert held in {one.shown for one in loop_sets(found).restart}
    with_ = standard(found.analysis.prepared(), parse_inputs(["n=6", "m=7", "nt=5"]))
    for run in compare_schedules(found, with_, SchedulesWanted(400, ("all",), necessity=True)).runs:
        assert run.equal, (run.name, run.error)
        assert run.as_predicted in ("same", "less")


@pytest.mark.parametrize("loop", ["do k = 1, nt", "do while (t < nt)"])
def test_a_loop_that_does_not_run_looks_for_no_elements(loop: str, tmp_path: Path) -> None:
    """a(2:49) is not there; nothing is held of it."""
    found = loop_of([written(tmp_path, TEXT.format(loop=loop, body="call change(a, n)"))], "p(x)>(y)", 17)
    with_ = standard(found.analysis.prepared(), parse_inputs(["n=50", "nt=0"]))
    for run in compare_schedules(found, with_, SchedulesWanted(400, ("best", "none"))).runs:
        assert run.equal, (run.name, run.error)
