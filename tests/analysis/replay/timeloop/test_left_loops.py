"""Time loops that RETURN, GOTO and EXIT of a loop around leave: what the marked program computes is what the plain one
does, and every schedule reverses it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import find_procedure
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.analysis import load, parse_heads
from snapset.library.replay import parse_inputs

from tests.support.time_loops import loop_of, written

HEADER = """subroutine p(u, n, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u
  real(8), intent(out) :: cost
  integer :: k, m
  cost = 0
"""
LEAVES = {
    "return": """  do k = 1, n
    u = u*u*0.9d0
    cost = cost + u
    if (u < 0.01d0) return
    u = u*cos(u)
  end do
  cost = cost + u*u
end subroutine p
""",
    "goto": """  do k = 1, n
    u = u*u*0.9d0
    if (u < 0.01d0) go to 10
    if (u < 0.4d0) go to 20
    u = u*cos(u)
  end do
10 cost = u
20 cost = cost + u*u
end subroutine p
""",
    "computed": """  do k = 1, n
    u = u*u*0.9d0
    m = int(5*u)
    go to (10, 30, 20, 30) m + 1
    u = u*cos(u)
30  cost = cost + u
  end do
10 cost = cost + u
20 cost = cost + u*u
end subroutine p
""",
    "inside": """  do k = 1, n
    go to (11, 12, 13) mod(k, 4)
    u = 0.9d0*u + 0.1d0
    cycle
11  u = sin(u)
    if (u < 0.1d0) exit
12  u = u*u + 0.2d0
13  cost = cost + u*u
  end do
end subroutine p
""",
    "arithmetic": """  do k = 1, n
    u = u*u*0.9d0
    if (u - 0.05d0) 10, 20, 30
30  cost = cost + u
  end do
10 cost = cost + u*u
20 cost = cost*u
end subroutine p
""",
    "alternate": """  do k = 1, n
    call halve(u, *10, *30)
    cost = cost + u
30  cost = cost + u*u
  end do
10 cost = cost*u
contains
  subroutine halve(v, *, *)
    real(8), intent(inout) :: v
    v = v*v*0.9d0
    if (v < 0.01d0) return 1
    if (v < 0.2d0) return 2
    v = v*cos(v)
  end subroutine halve
end subroutine p
""",
    "outer": """  outer: do m = 1, 3
    do k = 1, n
      u = u*u*0.9d0 + 0.3d0/m
      if (u > 5d0) cycle outer
      if (u < 0.5d0 .and. m == 2) exit outer
      cost = cost + u*u
    end do
    u = sin(u)
  end do outer
  cost = cost + u
end subroutine p
""",
}
LINE = {"return": 8, "goto": 8, "outer": 9, "computed": 8, "inside": 8, "arithmetic": 8, "alternate": 8}


@pytest.mark.sample(2)
@pytest.mark.parametrize("start", ["0.3", "0.8", "1.05", "2.5"])
@pytest.mark.parametrize("way", LEAVES)
def test_jumps_out_of_the_loop(way: str, start: str, tmp_path: Path) -> None:
    file, head, inputs = written(tmp_path, HEADER + LEAVES[way]), "p(u)>(cost)", parse_inputs((f"u={start}", "n=7"))
    found = loop_of([file], head, LINE[way])
    with_ = standard(found.analysis.prepared(), inputs)
    program, (parsed,) = load([file], heads=[head]), parse_heads([head])
    plain = store_all(parsed, Machine(program, find_procedure(program, parsed).key), inputs)[0]
    assert all(np.array_equal(with_.gradient.values[name], value) for name, value in plain.values.items())
    result = compare_schedules(found, with_, SchedulesWanted(40, ("all",)))
    assert len(result.runs) > 1
    for run in result.runs:
        assert run.equal, run
        assert run.measured is not None
        assert run.predicted is not None
        assert run.measured.within(run.predicted)
