"""What is saved of an array that gets another shape comes back in its old one, with its allocation (``w[]``).

Wherever in a part, or below it, that happens; and a tape entry of a plain call brings the old memory back, as one of an
assignment does.
"""

from __future__ import annotations

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import Comparison, ExperimentOptions, compare
from snapset.analysis.replay.experiment.gradient import by_plans
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.plan_builder import make_plans
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.saved_copies import WHOLE, restore
from snapset.analysis.replay.machine.stack import stopped
from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.load import load_text

# How w gets another size: in turn i it has i + 1 elements, or one more than before.
WAYS = {
    "appended": "w = [w, {value}]",
    "assigned": "w = [(w(1)*{value}, j = 1, i + 1)]",
    "packed": "w = pack([w, {value}], [w, {value}] > -9d9)",
    "allocated anew": "v = w\n  deallocate (w)\n  allocate (w(i + 1))\n  w = {value}*v(1)",
    "allocated by SOURCE=": "v = w\n  deallocate (w)\n  allocate (w(i + 1), source={value}*v(1))",
    "tested first": "v = w\n  if (allocated(w)) deallocate (w)\n  if (.not. allocated(w)) allocate (w(i + 1))\n"
                    "  w = {value}*v(1)",
    "where the size differs": "v = w\n  if (size(w) /= i + 1) then\n    deallocate (w)\n    allocate (w(i + 1))\n"
                              "  end if\n  w = {value}*v(1)",
    "moved": "allocate (v(i + 1))\n  v = {value}*w(1)\n  call move_alloc(v, w)",
    "in a component": "cell%c = w\n  cell%c = [cell%c, {value}]\n  w = cell%c",
    "in an object": "cell%c = w\n  other%c = [w, {value}]\n  cell = other\n  w = cell%c",
    "by INTENT(OUT)": "v = w\n  call made(w, i)\n  w = {value}*v(1)",
    "by a function": "w = longer(w, {value})",
    "below": "call below(w, {value})",
}
DATA = """  real(8), allocatable :: v(:)
  type(box) :: cell, other
  integer :: j
"""
PROGRAM = """module st
  implicit none
  type box
    real(8), allocatable :: c(:)
  end type
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  integer :: i
{head_data}  allocate (w(1))
  w = 2
  y = 0
  do i = 1, 3
    y = y + sum(w*w)*x(i)*x(i)
{start}    {step}
{stop}  end do
  y = y*sum(w)
end subroutine s
subroutine grow(w, i, a)
  real(8), allocatable, intent(inout) :: w(:)
  integer, intent(in) :: i
  real(8), intent(in) :: a
{data}  {way}
end subroutine grow
subroutine outer(w, i, a)
  real(8), allocatable, intent(inout) :: w(:)
  integer, intent(in) :: i
  real(8), intent(in) :: a
  call grow(w, i, a)
end subroutine outer
subroutine below(w, a)
  real(8), allocatable, intent(inout) :: w(:)
  real(8), intent(in) :: a
  w = [w, a]
end subroutine below
subroutine made(w, i)
  real(8), allocatable, intent(out) :: w(:)
  integer, intent(in) :: i
  allocate (w(i + 1))
end subroutine made
function longer(w, a)
  real(8), intent(in) :: w(:), a
  real(8), allocatable :: longer(:)
  longer = [w, a]
end function longer
end module st
"""
START, STOP = "    !$AD CHECKPOINT-START\n", "    !$AD CHECKPOINT-END\n"
PLACES = {
    "plain call": ("call grow(w, i, 1d0*i)", False),
    "checkpointed call": ("call grow(w, i, x(i))", False),
    "call in a call": ("call outer(w, i, x(i))", False),
    "call in a part": ("call grow(w, i, x(i))", True),
    "part": ("", True),
}
OPTIONS = {
    "": AnalysisOptions(),
    "no calls": AnalysisOptions(call_checkpoints=False),
    "split": AnalysisOptions(split=frozenset(("grow", "outer"))),
    "recompute": AnalysisOptions(recompute=True),
    "whole": AnalysisOptions(first_run="whole"),
}


def program(way: str, place: str) -> str:
    step, marked = PLACES[place]
    return PROGRAM.format(head_data="" if step else DATA, start=START if marked else "", stop=STOP if marked else "",
                          step=step or WAYS[way].format(value="x(i)"), data=DATA, way=WAYS[way].format(value="a"))


def run(text: str, options: AnalysisOptions) -> Comparison:
    (head,) = parse_heads("s(x)>(y)")
    return compare(load_text(text), head, parse_strategies("lazy,eager,optimal"),
                   Inputs({"n": 3, "x": [0.7, 1.1, 1.4]}), options, ExperimentOptions(predict=False))


@pytest.mark.sample(8)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WAYS)
def test_another_shape_is_brought_back(way: str, place: str) -> None:
    text = program(way, place)
    for name, options in OPTIONS.items():
        found = run(text, options)
        assert not [one for one in found.diagnostics if one.code == "SN104"]
        for one in found.runs:
            assert one.equal, (name, one.name, one.error)


@pytest.mark.parametrize("way", WAYS)
def test_a_plain_call_gets_its_memory_back(way: str) -> None:
    """Nothing of it runs twice, so nothing is announced."""
    found = run(program(way, "plain call"), AnalysisOptions())
    assert [one.equal for one in found.runs] == [True]*3
    assert not [one for one in found.diagnostics if one.code == "SN104"]


def test_the_allocation_is_needed() -> None:
    """Without it in the snapshot the values have no place to go."""
    (head,) = parse_heads("s(x)>(y)")
    analysis = prepare(load_text(program("appended", "checkpointed call")), head)
    machine, inputs = Machine(analysis.models.program, "st::s"), Inputs({"n": 3, "x": [0.7, 1.1, 1.4]})
    plans = make_plans(machine, analysis, record_program(analysis.adjoints, analysis.order, LAZY))
    (number,) = [at for at, row in enumerate(plans.rows) if row.kind == "snp" and row.location == "w[]"]
    with pytest.raises(ReplayError, match="nobody kept"):
        by_plans(head, machine, plans.without(number), inputs)


def test_one_element_is_not_spread_over_several() -> None:
    """A copy of one element fits any shape by NumPy's rules, and was spread over it in silence."""
    slot = Slot(np.zeros(2), np.zeros(2), (1,))
    with pytest.raises(ReplayError, match=r"the shape \(1\), its memory is \(2\) now"):
        restore([(slot, WHOLE, np.ones(1))])


def test_arrays_that_should_be_alike_are_said_with_their_shapes() -> None:
    """NumPy's own words name no array and no cause."""
    try:
        np.zeros(3) + np.zeros((4, 3))[:, :2]
    except ValueError as error:
        said = stopped(error, Span("f.f90", 3, 3))
    assert str(said) == ("arrays of the shapes (3,) and (4,2) meet that should be alike (was one given another shape "
                         "in a part? see SN104)")
    assert said.span is not None
    assert str(stopped(ZeroDivisionError("division by zero"), Span("f.f90", 3, 3))) == \
        "arithmetic went wrong: division by zero"
