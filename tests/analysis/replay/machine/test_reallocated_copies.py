"""What is saved of an array that gets another shape: replay says so in one line, and SN104 has said it before.

A tape entry of a plain call brings the old memory back, as one of an assignment does. A part's copy brings back values
only: a part that gives an array another shape is announced (SN104), wherever in it or below it that happens.
"""

from __future__ import annotations

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategies import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import Comparison, ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.stack import stopped
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


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WAYS)
def test_another_shape_is_brought_back_or_announced(way: str, place: str) -> None:
    text = program(way, place)
    for name, options in OPTIONS.items():
        found = run(text, options)
        announced = any(one.code == "SN104" for one in found.diagnostics)
        for one in found.runs:
            assert one.equal or announced, (name, one.name, one.error)
            assert one.error is None or "broadcast" not in one.error
            assert one.error is None or "arithmetic went wrong" not in one.error, one.error


@pytest.mark.parametrize("way", WAYS)
def test_a_plain_call_gets_its_memory_back(way: str) -> None:
    """Nothing of it runs twice, so nothing is announced."""
    found = run(program(way, "plain call"), AnalysisOptions())
    assert [one.equal for one in found.runs] == [True]*3
    assert not [one for one in found.diagnostics if one.code == "SN104"]


def test_replay_says_which_shapes() -> None:
    found = run(program("appended", "checkpointed call"), AnalysisOptions())
    (error,) = {one.error for one in found.runs}
    assert error is not None
    assert "what was saved has the shape (3), its memory is (4) now" in error
    assert "SN104" in error


def test_one_element_is_not_spread_over_several() -> None:
    """A copy of one element fits any shape by NumPy's rules, and was spread over it in silence."""
    text = program("appended", "checkpointed call").replace("do i = 1, 3", "do i = 1, 1")
    (error,) = {one.error for one in run(text, AnalysisOptions()).runs}
    assert error is not None
    assert "the shape (1), its memory is (2) now" in error


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
