"""What a step that is a call must find: sets by hand, and the gradient of runs in which all else was destroyed."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.loops.loop_analysis import loop_sets
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.replay import parse_inputs

from tests.support.time_loops import loop_of, written

TEXT = """
module state
  real(8) :: u(4), seen(40), cost, scale
  integer :: count
contains
  subroutine inner(x, total)
    real(8), intent(inout) :: x(:), total
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) - 0.1d0*x(i)**2
      total = total + x(i)
    end do
  end subroutine
  subroutine advance()
    {body}
  end subroutine
end module
subroutine p(x, nt, y)
  use state
  integer, intent(in) :: nt
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: k
  u = x
  seen = 0
  cost = 0
  scale = 1
  count = 0
  do k = 1, nt
    call advance()
  end do
  y = sum(u*u)
end subroutine
"""

CASES = {
    "summed up": ("u = u*u*0.9d0\n cost = cost + sum(u)*scale", ("u",)),
    "counted": ("u = u*u*0.9d0\n count = count + 1", ("u",)),
    "in a call inside": ("call inner(u, cost)", ("u",)),
    "fed by what nothing needs": ("u = u*u*0.9d0\n cost = cost + u(1)\n scale = scale + cost", ("u",)),
    "a subscript": ("u = u*u*0.9d0\n count = count + 1\n seen(count) = u(1)", ("count", "u")),
    "a test": ("u = u*u*0.9d0\n cost = cost + u(1)\n if (cost > 3d0) scale = scale + cost", ("cost", "u")),
    "a decision about what is needed": ("cost = cost + 0.3d0\n if (cost > 1d0) u = u*u", ("cost", "u")),
    "a whole number of it": ("u = u*u*0.9d0\n cost = cost + u(1)\n count = int(cost)", ("cost", "u")),
    "a number of iterations": ("u = u*u*0.9d0\n count = count + 1\n seen(1:count) = u(1)", ("count", "u")),
    "a divisor": ("u = u*u*0.9d0\n count = 7/(count + 1)", ("count", "u")),
    "needed after all": ("cost = cost + u(1)\n u = u*u*0.9d0 + 0.01d0*cost", ("cost", "u")),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_s_restart_data(name: str, tmp_path: Path) -> None:
    body, expected = CASES[name]
    text = TEXT.format(body=body.replace("\n", "\n   "))
    line = next(n for n, one in enumerate(text.splitlines(), 1) if "do k = 1" in one)
    found = loop_of([written(tmp_path, text)], "p(x)>(y)", line)
    assert tuple(one.name for one in loop_sets(found).restart) == expected
    with_ = standard(found.analysis.prepared(), parse_inputs(["nt=7", "x=0.8"]))
    result = compare_schedules(found, with_, SchedulesWanted(250, ("best", "revolve", "none")))
    for run in result.runs:
        assert run.equal, (name, run.name, run.error)
        assert run.measured is not None
        assert run.predicted is not None
        assert run.measured.within(run.predicted)
