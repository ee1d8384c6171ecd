"""What restarts a step where pointers lead to it: components that nothing writes are parameters, and one memory that
has several names is copied once."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.loops.loop_analysis import loop_sets
from snapset.analysis.replay.experiment.compare_strategies import standard
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.analysis.replay.timeloop.schedule_results import LoopReplay
from snapset.library.replay import parse_inputs

from tests.support.time_loops import LoopAnalysis, loop_of, written

LAYERS = """module seam
  implicit none
  type layer
    real(8) :: h(4), u(4), depth(4), rho
  end type
  type ocean
    integer :: n
    type(layer) :: lay(3)
  end type
  type(ocean), target :: sea
contains
  subroutine advance(l, dt)
    type(layer), intent(inout) :: l
    real(8), intent(in) :: dt
    integer :: i
    do i = 2, 3
      l%u(i) = l%u(i) - dt*l%rho*(l%h(i+1) - l%h(i-1))
      l%h(i) = l%h(i) - dt*l%depth(i)*l%u(i)*l%h(i)
    end do
  end subroutine
end module
subroutine run(x, nt, y)
  use seam
  implicit none
  real(8), intent(in) :: x(4)
  integer, intent(in) :: nt
  real(8), intent(out) :: y
  type(layer), pointer :: l
  integer :: k, it
  do k = 1, 3
    l => sea%lay(k)
    l%h = x*k
    l%u = 0.1d0
    l%depth = 1d0 + k
    l%rho = 1.1d0
  end do
  y = 0
  do it = 1, nt
    do k = 1, 3
      l => sea%lay(k)
      {inside}
    end do
  end do
  do k = 1, 3
    y = y + sum(sea%lay(k)%h**2)
  end do
end subroutine
"""

SWAPPED = """module sw
  implicit none
  type field
    real(8), pointer :: a(:) => null()
  end type
  type(field) :: fl(2)
  real(8), target :: store(20, 3)
contains
  subroutine integrate(new, old, work, n, nt, c, cost)
    real(8), pointer :: new(:), old(:), work(:)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: c
    real(8), intent(inout) :: cost
    real(8), pointer :: t(:)
    integer :: k, i
    do k = 1, nt
      do i = 2, n - 1
        work(i) = 2*new(i) - old(i) + c*new(i)*(new(i+1) - 2*new(i) + new(i-1))
      end do
      work(1) = work(2)*0.5d0
      work(n) = 0
      t => old
      old => new
      new => work
      work => t
      cost = cost + new(n/2)**2
    end do
  end subroutine
end module
subroutine wave(x, c, n, nt, cost)
  use sw
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n), c
  real(8), intent(out) :: cost
  real(8), pointer :: p(:), q(:), w(:)
  store = 0
  fl(1)%a => store(1:n, 1)
  fl(2)%a => store(1:n, 2)
  p => fl(1)%a
  q => fl(2)%a
  w => store(1:n, 3)
  p = x
  q = 0.9d0*x
  cost = 0
  call integrate(p, q, w, n, nt, c, cost)
  cost = cost + sum(p**2)
end subroutine
"""


def replayed(found: LoopAnalysis, inputs: list[str], wanted: SchedulesWanted) -> LoopReplay:
    return compare_schedules(found, standard(found.analysis.prepared(), parse_inputs(inputs)), wanted)


@pytest.mark.parametrize(("inside", "restart", "parameters"), [
    ("call advance(l, 0.01d0)", {"sea%lay%h", "sea%lay%u"}, {"sea%lay%depth", "sea%lay%rho"}),
    ("call advance(l, 0.01d0)\nr => l%depth\nr = r*1.01d0*l%h", {"sea%lay%depth", "sea%lay%h", "sea%lay%u"}, set()),
    ("call advance(l, 0.01d0)\nsea%lay(k)%rho = l%rho*1.01d0", {"sea%lay%h", "sea%lay%rho", "sea%lay%u"},
     {"sea%lay%depth"}),
])
def test_components_that_nothing_writes_are_parameters(inside: str, restart: set[str], parameters: set[str],
                                                       tmp_path: Path) -> None:
    """``l%h`` is no ``sea%lay%depth``; what is written through a pointer to a component may be any of its type."""
    text = LAYERS.format(inside=inside).replace("  integer :: k, it", "  real(8), pointer :: r(:)\n  integer :: k, it")
    found = loop_of([written(tmp_path, text)], "run(x)>(y)", text[:text.index("do it")].count("\n") + 1)
    sets = loop_sets(found)
    own = {one.name for one in sets.restart if one.name.startswith("sea")}
    assert own >= restart
    assert parameters <= set(sets.parameters)
    assert not own & parameters
    result = replayed(found, ["nt=5"], SchedulesWanted(600, ("all",)))
    assert [(run.equal, run.as_predicted) for run in result.runs] == [(True, "same")]*len(result.runs)


def test_one_memory_by_several_names_is_held_once(tmp_path: Path) -> None:
    """Of 20*3 numbers and four pointers that lead to some of them 512 bytes, where 800 were held by six names."""
    found = loop_of([written(tmp_path, SWAPPED)], "wave(x,c)>(cost)", 16)
    result = replayed(found, ["n=6", "nt=7"], SchedulesWanted(2500, ("all",), necessity=True))
    assert result.restart == 20*3*8 + 4*8
    assert len(result.runs) > 3
    assert [(run.equal, run.as_predicted) for run in result.runs] == [(True, "same")]*len(result.runs)
    assert result.lost is not None
    assert {one.location for one in result.lost if one.superfluous is not None} == {"t=>"}


def test_what_is_saved_in_a_stretch_covers_nothing(tmp_path: Path) -> None:
    """The pointers lead to columns of which the loop writes the inner part by their own name, all by a pointer."""
    text = SWAPPED.replace("      cost = cost + new(n/2)**2", "      store(3:4, 1) = store(3:4, 1)*0.9d0\n"
                           "      cost = cost + new(n/2)**2")
    found = loop_of([written(tmp_path, text)], "wave(x,c)>(cost)", 16)
    result = replayed(found, ["n=6", "nt=7"], SchedulesWanted(2500, ("all",)))
    assert all(run.equal for run in result.runs)
