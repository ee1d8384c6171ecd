"""An allocation that nobody kept is not there by chance: neither "it was allocated" nor "it was not" is for free."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.gradient import by_plans, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.associations import LOST, OwnerCell, own
from snapset.analysis.replay.memory.element_copies import store_whole
from snapset.analysis.replay.memory.frames import allocate, deallocate, fresh
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot
from snapset.analysis.replay.statements.allocation import moved
from snapset.frontend.load import load_text

HEAD = "s(x)>(y)"
FRAME = """
subroutine s(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8), allocatable :: h(:)
  y = x(4)
{before}
  !$AD CHECKPOINT-START
{part}
  !$AD CHECKPOINT-END
  y = y*y*h(2)
end subroutine
"""
ALLOCATING = {
    "not allocated before": ("", "  allocate (h(3))\n  h = x(1:3)*y\n  y = y*h(1)"),
    "asked for in the part": ("", "  if (.not. allocated(h)) allocate (h(3))\n  h = x(1:3)*y\n  y = y*h(1)"),
    "allocated before": ("  h = x(1:2)", "  y = y*h(1)*h(2)\n  deallocate (h)\n  allocate (h(3))\n  h = x(1:3)*y"),
}


@pytest.mark.parametrize("name", ALLOCATING)
def test_a_saved_allocation_is_necessary(name: str) -> None:
    """Without the status in the snapshot the adjoint of the part cannot run, whatever the status was."""
    before, part = ALLOCATING[name]
    program = load_text(FRAME.format(before=before, part=part))
    (head,) = parse_heads(HEAD)
    machine = Machine(program, find_procedure(program, head).key)
    analysis = prepare(program, head, AnalysisOptions())
    plans = make_plans(machine, analysis, record_program(analysis.adjoints, analysis.order, LAZY))
    expected, _ = store_all(head, machine, Inputs())
    assert by_plans(head, machine, plans, Inputs())[0].same(expected)
    (row,) = (n for n, one in enumerate(plans.rows) if one.location == "h[]" and one.kind == "snp")
    with pytest.raises(ReplayError, match="nobody kept"):
        by_plans(head, machine, plans.without(row), Inputs())


@pytest.mark.parametrize("before", [None, [(1, 3)]], ids=["not allocated", "allocated"])
def test_what_asks_for_a_lost_allocation_stops(before: list[tuple[int, int | None]] | None) -> None:
    def lost() -> Slot:
        slot = Slot(None, None, (1,)) if before is None else fresh("f8", before)
        slot.lose()
        return slot

    for ask in (Slot.is_there, lambda one: allocate(one, "f8", [(1, 2)]), lambda one: deallocate(one, True),
                lambda one: moved(Slot(None, None, (1,)), one, 0)):
        with pytest.raises(ReplayError, match="nobody kept"):
            ask(lost())
    slot = lost()
    store_whole(slot, "f8", [1.0, 2.0])  # does not ask
    assert slot.is_there()
    slot = lost()
    deallocate(slot, False)  # INTENT(OUT)
    assert not slot.is_there()
    assert slot.lo == (1,)


def test_a_component_of_a_lost_element_is_not_made_anew() -> None:
    cell = OwnerCell(fresh("O", []).a, None, ())
    assert not own(cell, (), ("v",), "f8", 0).is_there()
    cell.values[()] = LOST
    with pytest.raises(ReplayError, match="nobody kept"):
        own(cell, (), ("v",), "f8", 0)


def test_the_adjoint_of_what_was_lost_in_the_forward_sweep_is_of_its_size() -> None:
    """Opt3 saves b's allocation before make; behind it nobody has it, and the assignment makes it anew."""
    text = """module room
  type bag
    real(8), allocatable :: c(:)
  end type bag
contains
  function make(v, k) result(r)
    real(8), intent(in) :: v(:)
    integer, intent(in) :: k
    type(bag) :: r
    r%c = v(1:k)**2
  end function make
end module room
subroutine p(x, y)
  use room
  real(8) :: x(3), y
  type(bag) :: b
  integer :: i
  y = 0
  do i = 1, 3
    b = make(x, i)
    y = y + 0.1d0*b%c(i)
  end do
end subroutine p
"""
    (head,) = parse_heads("p(x)>(y)")
    for run in compare(load_text(text), head, parse_strategies("lazy,Opt2+=*;Sbk+=*,Opt3+=*"), Inputs({}),
                       AnalysisOptions()).runs:
        assert run.equal, (run.name, run.error)
