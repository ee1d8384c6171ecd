"""Time loops whose state is in components: of elements, behind pointers, in modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.library.replay import parse_inputs

from tests.support.time_loops import loop_of, written

LAYERS = """module st
  type layer
    real(8), allocatable :: q(:)
  end type
  type model
    type(layer){attribute} :: lay({size})
  end type
  type(model), save, target :: sea
end module
subroutine layers(n, nt, h0, cost)
  use st
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: h0(n)
  real(8), intent(out) :: cost
  type(layer), pointer :: l
  integer :: step, k
  {make}
  allocate(sea%lay(1)%q(n), sea%lay(2)%q(n))
  sea%lay(1)%q = h0
  sea%lay(2)%q = 2*h0
  do step = 1, nt
    do k = 1, 2
      l => sea%lay(k)
      {state}(2:n) = {state}(2:n) + 0.1d0*{state}(1:n-1)**2
    end do
  end do
  cost = sum(sea%lay(1)%q**2)
  {drop}
end subroutine
"""


@pytest.mark.parametrize("state", ["l%q", "sea%lay(k)%q"])
@pytest.mark.parametrize("allocated", [True, False])
def test_the_adjoints_of_elements_components_come_back_behind_the_loop(allocated: bool, state: str,
                                                                       tmp_path: Path) -> None:
    """They wait while steps run again, and were lost behind the last one: the gradient was zero."""
    text = LAYERS.format(attribute=", allocatable" if allocated else "", size=":" if allocated else "2",
                         make="allocate(sea%lay(2))" if allocated else "",
                         drop="deallocate(sea%lay)" if allocated else "", state=state)
    found = loop_of([written(tmp_path, text)], "layers(h0)>(cost)", 22)
    with_ = standard(found.analysis.prepared(), parse_inputs(("n=5", "nt=6")))
    assert with_.gradient.values["h0"].all()
    result = compare_schedules(found, with_, SchedulesWanted(600, ("all",)))
    assert len(result.runs) > 2
    for run in result.runs:
        assert run.equal, run
        assert run.measured is not None
        assert run.predicted is not None
        assert run.measured.within(run.predicted)
