"""Parts that save a piece of an array of which more is overwritten before the turn than their level shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.results import Solution
from snapset.frontend.load import load_text

from tests.analysis.replay.timeloop.test_random_loops import all_equal
from tests.support.execution import proved_by_execution
from tests.support.time_loops import loop_of, written

SPLIT = """subroutine square(n, u, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), s
  {open}
  s = s*u(1)*u(n)
  u(2:n-1) = sin(u(2:n-1))*u(1)
  {close}
  s = s*sin(s)
end subroutine square
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(5)
  u = x*x
  y = sin(x)
  call square(5, u, y)
  u = 0.5d0*x*y
  y = y*sum(u*u)
end subroutine p
"""
STEPS = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(5)
  integer :: i
  u = x
  y = sin(x)
  do i = 1, n
    u = sin(u)*y
    !$AD CHECKPOINT-START
    y = y*u(1)*sin(u(5))
    u(2:4) = sin(u(2:4))*u(1)
    !$AD CHECKPOINT-END
  end do
  y = y*sum(u*u)
end subroutine p
"""


@pytest.mark.parametrize(("opened", "closed"), [("!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END"), ("", "")])
def test_callers_of_a_code_in_split_mode_go_on_before_the_turn(opened: str, closed: str, tmp_path: Path) -> None:
    """Within square the part's piece is all of u that is lost; its caller overwrites the rest."""
    proved_by_execution(SPLIT.format(open=opened, close=closed), "p(x)>(y)", tmp_path)


def test_later_steps_of_a_time_loop_run_before_the_turn(tmp_path: Path) -> None:
    all_equal(loop_of([written(tmp_path, STEPS)], "p(x)>(y)", 9), "n=4", "x=0.7")


WEIGHED = """subroutine bend(u, first, s)
  real(8), intent(inout) :: u(:), s
  real(8), intent(in) :: first
  s = s + u(1)*u(2)*first
  u = sin(u)*s
end subroutine bend
subroutine bent(u, first, s)
  real(8), intent(inout) :: u(:, :), s
  real(8), intent(in) :: first
  s = s + u(1, 1)*u(2, 1)*first
  u = sin(u)*s
end subroutine bent
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n, n)
  integer :: i, j, k
  a = 0.3d0*x(1)
  y = {first}
  {around}
    call {call}
{within}
  {end}
{behind}
  y = y + sum(a*a)
end subroutine p
"""
COLUMN = "bend(a(:, k), a(1, 1), y)"


def loops(*names: str, write: str) -> str:
    return "\n".join([*(f"do {one} = 1, n" for one in names), f"{write} = 0.5d0*y", *("end do" for _ in names)])


@pytest.mark.parametrize(("call", "within", "behind", "whole"), [
    (COLUMN, "", "", False),
    # a copy of the column in each of n iterations takes n*n; of all of a n*n*n
    (COLUMN, loops(write="a(1, k)"), "", False),
    (COLUMN, loops(write="a(:, 1)"), "", False),
    (COLUMN, loops(write="a(k, :)"), "", False),
    (COLUMN, loops(write="a"), "", True),
    (COLUMN, loops("j", write="a(j, 1)"), "", False),
    (COLUMN, loops("j", write="a(j, :)"), "", True),
    (COLUMN, loops("j", "i", write="a(i, j)"), "", True),
    # once, behind the loop: n*n at most
    (COLUMN, "", loops(write="a"), False),
    (COLUMN, "", loops("j", write="a(:, j)"), False),
    (COLUMN, "", loops("j", "i", write="a(i, j)"), False),
    (COLUMN, "", loops("j", write="a"), True),
    (COLUMN, "", loops("j", "i", write="a(i, :)"), True),
    # nearly all of a: a piece that is no smaller than the array
    ("bent(a(:, 2:n), a(1, 1), y)", loops(write="a(1, 1)"), "", True),
    ("bent(a(:, 2:n), a(1, 1), y)", "", loops(write="a"), True),
    ("bent(a(:, 2:n), a(1, 1), y)", "", "", False),
])
def test_a_piece_where_others_are_written_behind_it(call: str, within: str, behind: str, whole: bool) -> None:
    """Where taping what is written behind is no dearer than saving all of the array, the piece alone is saved."""
    assert saves_whole("x(2)", "do k = 2, n", call, within, behind) is whole


@pytest.mark.parametrize(("first", "around", "whole"), [
    ("x(2)", "do k = 2, n", True),
    ("x(2) + sum(a*a)", "do k = 2, n", False),  # by others, too: each iteration saves a column
    ("x(2)", "k = 2", True),
    ("x(2) + sum(a*a)", "k = 2", True),  # nobody else does
])
def test_what_is_required_anyway(first: str, around: str, whole: bool) -> None:
    assert saves_whole(first, around, COLUMN, loops(write="a"), "") is whole


def saves_whole(first: str, around: str, call: str, within: str, behind: str) -> bool:
    """Is all of a in the call's snapshot?"""
    found = lazy_solution(first, around, call, within, behind)
    assert "a" in found.snp
    return "a" not in found.sections


def lazy_solution(first: str, around: str, call: str, within: str, behind: str) -> Solution:
    """Of the call. Every gradient is store-all's."""
    (head,) = parse_heads("p(x)>(y)")
    program = load_text(WEIGHED.format(first=first, around=around, end="end do"*("do " in around), call=call,
                                       within=within, behind=behind))
    found = compare(program, head, parse_strategies("lazy,eager"), Inputs({"n": 4}))
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    return next(one for one in analyse(program, head).parts if one.callee in ("bend", "bent")).solutions["lazy"]
