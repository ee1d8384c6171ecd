"""Where no formula tells what steps take, a run that records each of them does: no schedule takes more."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.replay import parse_inputs

from tests.support.time_loops import loop_of, written

HEAD = """\
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), allocatable :: v(:)
  real(8) :: b(4), s
  integer :: j, k
  s = x
  b = 0.3d0*x
  allocate (v(1))
  v = x
  k = 0
"""
PROGRAMS = {
    "trips that a run tells": ["do while (k < n)", "k = k + 1", "j = 0", "do while (j < 2 + k)", "s = sin(s)",
                               "j = j + 1", "end do", "end do", "y = s"],
    "a state that grows": ["do while (size(v) <= n)", "v = [sin(v), v(1)*v(1)]", "end do", "y = sum(v*v)"],
    "results of calls": ["do while (k < n)", "k = k + 1", "where (bent(b, 0.2d0) > 0.1d0)", "b = 0.8d0*bent(b, b)",
                         "elsewhere", "b = bent(b, 0.3d0)*b", "end where", "end do", "y = sum(b*b)"],
}
BENT = """\
contains
  elemental function bent(a, c) result(r)
    real(8), intent(in) :: a, c
    real(8) :: r
    r = sin(a)*c + 0.2d0*a*a
  end function bent
end subroutine p
"""


@pytest.mark.parametrize("steps", [0, 1, 2, 4])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_schedule_takes_more_than_was_predicted(name: str, steps: int, tmp_path: Path) -> None:
    """Online ones too, which do not know that a step is the last, or the only one."""
    text = HEAD + "\n".join(PROGRAMS[name]) + "\n" + BENT
    found = loop_of([written(tmp_path, text)], "p(x)>(y)", HEAD.count("\n") + 1)
    with_ = standard(found.analysis.prepared(), parse_inputs([f"n={steps}"]))
    runs = {run.name: run for run in compare_schedules(found, with_, SchedulesWanted(10**6, ("all",))).runs}
    assert {"all in memory", "online", "online mixed"} <= set(runs)
    assert [(run.name, run.error, run.measured, run.predicted) for run in runs.values()
            if not run.equal or run.as_predicted == "more"] == []
    if name != "a state that grows":
        assert {run.as_predicted for run in runs.values()} == {"same"}
