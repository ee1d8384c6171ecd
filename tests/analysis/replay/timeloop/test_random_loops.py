"""Time loops of random programs under schedules, all that their runs overwrite destroyed: the gradient is store-all's.

Below them the programs made small that once were wrong, with the sets as they are by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.analysis_options import AnalysisOptions
from snapset.analysis.loops.loop_analysis import LoopAnalysis, analyse_loop, loop_sets
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, standard
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.timeloop.loop_planner import plan_loop
from snapset.analysis.replay.timeloop.schedule_chooser import SchedulesWanted
from snapset.analysis.replay.timeloop.schedule_experiment import compare_schedules
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.marked_loops import mark_loop
from snapset.frontend.ir import Program
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text
from snapset.library.replay import parse_inputs

from tests.generators.fuzz import KINDS, Case, case
from tests.generators.fuzz_loops import EVERY, scheduled, tried
from tests.support.time_loops import loop_of, written

SCHEDULES = SchedulesWanted(10**7, ("store-all", "none", "revolve"))
REFUSED = ("does not run the loop", "calls that are checkpoints")


def places(program: Program) -> list[tuple[str, int]]:
    """Where the first loops are that may be time loops."""
    return sorted({(one.span.file, one.span.line) for procedure in program.procedures.values()
                   for one in statements(procedure.body)
                   if isinstance(one, ir.While) or (isinstance(one, ir.Do) and one.kind == "do")})[:6]


def wrong(one: Case, lines: frozenset[int] = frozenset()) -> Iterator[str]:
    """What goes wrong with a program's loops (``lines``: only these), each under three schedules."""
    program = load_text(one.text)
    for file, line in places(program):
        if lines and line not in lines:
            continue
        try:
            marked, place = mark_loop(program, file, line)
            for found in analyse_loop(marked, parse_heads(one.head)[0], place):
                with_ = standard(found.analysis.prepared(), Inputs(one.values), ExperimentOptions(limit=300000))
                for run in compare_schedules(found, with_, SCHEDULES).runs:
                    if not run.equal:
                        yield f"{line} {run.name}: {run.error or run.differences}"
        except InputError as error:
            if not any(known in str(error) for known in REFUSED):
                yield f"{line}: {error}"


@pytest.mark.parametrize(("kind", "number", "line"), [
    ("scalars", 2, 83), ("scalars", 23, 114), ("stretches", 13, 107), ("stretches", 52, 94),
    ("general", 15, 113),
    ("general", 24, 211), ("general", 24, 212)])
def test_loops_of_random_programs_that_were_wrong(kind: str, number: int, line: int) -> None:
    one = case(Random(number), programs=KINDS[kind])
    assert not list(wrong(one, frozenset({line}))), one.text


@pytest.mark.slow
@pytest.mark.parametrize("number", range(25))
@pytest.mark.parametrize("kind", EVERY)
def test_loops_of_random_programs(kind: str, number: int) -> None:
    """With ``--recompute``, ``--dag`` and ``--context`` at random, under all schedules; the whole run divided."""
    assert not tried(kind, number).wrong


@pytest.mark.wide
@pytest.mark.parametrize("kind", EVERY)
def test_some_loops_of_each_kind(kind: str) -> None:
    """The run of the first one is divided, too; those of all three in tests/analysis/replay/divide."""
    found = tried(kind, 40)
    found.plus(scheduled(kind, range(41, 43)))
    assert not found.wrong
    assert found.programs == 3
    assert found.loops or kind == "pointers"  # whose three programs have none
    assert sum(found.runs.values()) > (6 if found.loops else 2)


ONCE_MORE = """\
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: g, t
  integer :: i, j
  t = x
  do i = 1, n
    g = x
    y = y*0.5d0 + g*t
    do j = 1, 3
      g = 2*x
    end do
  end do
end subroutine
"""


def test_what_is_computed_again_behind_the_loop(tmp_path: Path) -> None:
    """``g = x`` runs once more where the loop of line 11, which overwrites g, is taken back: g is in no set."""
    program, place = mark_loop(load_text(ONCE_MORE, "t.f90"), "t.f90", 11)
    (found,) = analyse_loop(program, parse_heads("p(x)>(y)")[0], place, AnalysisOptions(recompute=True))
    result = compare_schedules(found, standard(found.analysis.prepared(), parse_inputs(["n=3"])), SCHEDULES)
    assert [run.name for run in result.runs if run.equal] == list(SCHEDULES.schedules)


def sets(found: LoopAnalysis) -> tuple[list[str], list[str]]:
    """What restarts a step, and its dependencies, as they are shown."""
    made = loop_sets(found)
    return [one.shown for one in made.restart], [one.shown for one in made.dependencies]


def all_equal(found: LoopAnalysis, *inputs: str) -> None:
    runs = compare_schedules(found, standard(found.analysis.prepared(), parse_inputs(inputs)), SCHEDULES).runs
    assert [(run.name, run.equal, run.error) for run in runs] == [(name, True, None) for name in SCHEDULES.schedules]


DEAD_WRITE = """
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: c, g
  integer :: i
  g = x*x
  c = sin(x)
  y = c*c
  !$AD CHECKPOINT-START
  do i = 1, n
    !$AD CHECKPOINT-START
    g = sin(g)
    !$AD CHECKPOINT-END
    c = g*i
  end do
  !$AD CHECKPOINT-END
  y = y*g
end subroutine
"""


def test_what_a_trimmed_statement_would_write_is_not_destroyed(tmp_path: Path) -> None:
    """Nobody reads the c of the loop, so no run writes it, and ``y = c*c`` before the loop has its c untaped.

    By hand: restart is {g}, the argument of sine; the step's checkpoint keeps it, so it is all the dependencies.
    """
    found = loop_of([written(tmp_path, DEAD_WRITE)], "p(x)>(y)", 12)
    assert sets(found) == (["g"], ["g"])
    all_equal(found, "n=4")


CALLED = """
module state
  real(8) :: c
contains
  subroutine one(g, h)
    real(8), intent(in) :: g
    real(8), intent(out) :: h
    h = sin(g)
    c = h*h
  end subroutine
end module
subroutine p(x, n, y)
  use state
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: h, g(n)
  integer :: i
  c = sin(x)
  y = c*c
  g = x
  !$AD CHECKPOINT-START
  do i = 1, n
    call one(g(i), h)
    y = y + h
  end do
  !$AD CHECKPOINT-END
end subroutine
"""


def test_what_a_call_only_writes_where_it_runs_whole_is_not_destroyed(tmp_path: Path) -> None:
    """Nobody reads what the call leaves in c, and its adjoint does not write it: ``y = c*c`` has its c untaped.

    By hand both sets are empty: sine's argument is a parameter, and y is a sum. Nor is c copied around the loop.
    """
    found = loop_of([written(tmp_path, CALLED)], "p(x)>(y)", 23)
    assert sets(found) == ([], [])
    all_equal(found, "n=4", "x=0.7")
    with_ = standard(found.analysis.prepared(), parse_inputs(["n=4"]))
    assert plan_loop(with_.machine, found)[1].around == ()


ENDS = """
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: u(n), o
  integer :: i, l
  u = x
  l = 1
  do i = 1, 3
    !$AD CHECKPOINT-START
    o = 0.3d0
    !$AD CHECKPOINT-END
    if (u(l) > 0.3d0) u(2:n-1) = 0.9d0*sin(u(2:n-1))
  end do
  y = sum(u*u) + o
end subroutine
"""


def test_a_part_of_a_step_loses_no_more_of_an_array_than_the_loop_writes(tmp_path: Path) -> None:
    """u(1), which decides, is a parameter: by hand restart and dependencies are u(2:n-1), the argument of sine."""
    found = loop_of([written(tmp_path, ENDS)], "p(x)>(y)", 10)
    assert sets(found) == (["u(2:n-1)"], ["u(2:n-1)"])
    all_equal(found, "n=5", "x=0.7")


UNREAD = """
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: g(n,n), b
  integer :: i, l
  g = 1
  b = x*x
  y = b*b
  !$AD CHECKPOINT-START
  l = 2
  do i = 1, n
    y = y*0.5d0
    g(l,i) = b
  end do
  !$AD CHECKPOINT-END
end subroutine
"""


def test_the_limits_of_what_nobody_writes_are_not_asked(tmp_path: Path) -> None:
    """Nobody reads g: neither its statement runs nor that of l. By hand both sets are empty: y is linear in itself."""
    found = loop_of([written(tmp_path, UNREAD)], "p(x)>(y)", 13)
    assert sets(found) == ([], [])
    all_equal(found, "n=4")


LINEAR = """
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i
  y = x
  do i = 1, n
    y = 2*y
  end do
end subroutine
"""


def test_a_program_that_saves_nothing_runs_step_by_step(tmp_path: Path) -> None:
    """By hand both sets are empty: the program is linear, no derivative reads a value."""
    found = loop_of([written(tmp_path, LINEAR)], "p(x)>(y)", 8)
    assert sets(found) == ([], [])
    all_equal(found, "n=4")
