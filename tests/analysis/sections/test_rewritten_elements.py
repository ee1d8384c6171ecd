"""Elements that are written again before anybody needs them: which lines tape, and that nothing needed is lost."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.generators.fuzz import failures

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*")
ONE = """subroutine one(z, c)
  real(8), intent(inout) :: z
  real(8), intent(in) :: c
  z = z*c
end subroutine one
subroutine next(k)
  integer, intent(inout) :: k
  k = 1 + mod(k, 4)
end subroutine next
real(8) function twice(z, k)
  real(8), intent(in) :: z
  integer, intent(in) :: k
  twice = z*z*k
end function twice
real(8) function after(z, k)
  real(8), intent(in) :: z
  integer, intent(inout) :: k
  after = z*z*k
  k = 1 + mod(k, 4)
end function after
"""
AROUND = ("  do j = 1, 3\n    do i = 1, n", "      y = y + sin(b(i))*x(i)\n    end do\n  end do")


def tapes(body: str, options: AnalysisOptions | None = None) -> list[str]:
    """The statements of a body, in two loops whose iterations read all of b, that tape with lazy. All strategies give
    the store-all gradient, with poison."""
    text = f"""{ONE}subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(n), c(2, n), t
  integer :: i, j, ic, ia(n)
  real(8), external :: twice, after
  real(8), allocatable :: w(:)
  real(8), target :: d(n)
  real(8), pointer :: q(:)
  allocate (w(2))
  b = x
  c = 0.3d0
  d = x
  q => d
  ia = 2
  t = x(1)
  y = 0
  ic = 2
{AROUND[0]}
{body}
{AROUND[1]}
  y = y*t + sum(c) + sum(q) + ic
end subroutine p
"""
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 4}), options or AnalysisOptions())
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    taping = {one.line for one in found.runs[0].spent if one.kind == "tape"}
    lines = text.splitlines()
    return [lines[n - 1].strip() for n in sorted(taping) if lines[n - 1] in body.splitlines()]


FILLED = """subroutine bend(w, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: w(n)
  real(8), intent(inout) :: y
  integer :: i
  do i = 1, n
    y = y + sin(w(i))
  end do
end subroutine bend
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(n)
  integer :: i, j, k
  y = 0
  do j = 1, 3
    do i = 1, n
{body}
    end do
    call bend(w, n, y)
  end do
end subroutine p
"""


def filled(body: str, options: AnalysisOptions | None = None) -> list[str]:
    """The statements that tape where no derivative of the procedure reads w, which is made element by element, but a
    part does."""
    text = FILLED.replace("{body}", body)
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 4}), options or AnalysisOptions())
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    taping = {one.line for one in found.runs[0].spent if one.kind == "tape"}
    lines = text.splitlines()
    return [lines[n - 1].strip() for n in sorted(taping) if lines[n - 1] in body.splitlines()]


def test_what_only_a_part_reads_is_taped_once() -> None:
    body = """\
      w(i) = 0
      if (j > 1) w(i) = x(i)
      do k = 1, 2
        w(i) = w(i) + 0.5d0*x(k)
      end do"""
    assert filled(body) == ["w(i) = 0"]
    assert filled(body, AnalysisOptions(save_intact=True)) == [
        "w(i) = 0", "if (j > 1) w(i) = x(i)", "w(i) = w(i) + 0.5d0*x(k)"]


@pytest.mark.parametrize("between", ["call bend(w, n, y)", "call bend(w(i:i), 1, y)"])
def test_what_a_part_has_read_between_is_taped_again(between: str) -> None:
    assert filled(f"""\
      w(i) = x(i)
      {between if "w, n" not in between else "if (j > 1) " + between}
      w(i) = w(i) + 0.5d0*x(1)""") == ["w(i) = x(i)", "w(i) = w(i) + 0.5d0*x(1)"]


def test_what_is_written_on_one_way_only_is_taped() -> None:
    assert filled("""\
      if (j > 1) w(i) = x(i)
      w(i) = 0.5d0*x(1)""") == ["if (j > 1) w(i) = x(i)", "w(i) = 0.5d0*x(1)"]


def test_the_first_write_alone_tapes() -> None:
    assert tapes("""\
      b(i) = 2 - x(i)
      if (j > 1) b(i) = b(i) + x(1)
      b(i) = b(i) - 0.1d0*i""") == ["b(i) = 2 - x(i)"]


@pytest.mark.parametrize(("between", "why"), [
    ("y = y*b(i)", "a derivative reads it"),
    ("y = y*b(max(1, i - j))", "a derivative may read it"),
    ("y = y*sum(b*b)", "a derivative reads all"),
    ("call one(b(i), x(1))", "a part reads it"),
])
def test_what_may_be_needed_is_taped(between: str, why: str) -> None:
    assert tapes(f"""\
      b(i) = 2 - x(i)
      {between}
      b(i) = b(i) + x(1)""")[-1] == "b(i) = b(i) + x(1)", why


@pytest.mark.parametrize("between", ["y = y*b(i - 1)", "y = y*c(1, i)", "y = y + b(i)*0.5d0", "t = sin(t)*x(2)"])
def test_what_is_another_or_linear_needs_nothing(between: str) -> None:
    assert tapes(f"""\
      if (i == 1) cycle
      b(i) = 2 - x(i)
      {between}
      b(i) = b(i) + x(1)""")[-1] != "b(i) = b(i) + x(1)"


@pytest.mark.parametrize("between", ["call one(y, x(i))", "t = t*twice(x(i), i)", "!$AD CHECKPOINT-START\n"
                                     "      y = y*x(i)*i\n      !$AD CHECKPOINT-END"])
def test_a_part_that_reads_the_subscript_leaves_the_element(between: str) -> None:
    """i is passed, or read inside; nothing changes it."""
    assert tapes(f"""\
      b(i) = 2 - x(i)
      {between}
      b(i) = b(i) + x(1)""")[-1] != "b(i) = b(i) + x(1)"


@pytest.mark.parametrize("between", ["call next(ic)", "t = t*after(x(i), ic)", "!$AD CHECKPOINT-START\n"
                                     "      ic = 1 + mod(ic, 4)\n      !$AD CHECKPOINT-END"])
def test_a_part_that_changes_the_subscript_names_another(between: str) -> None:
    assert tapes(f"""\
      b(ic) = 2 - x(i)
      {between}
      b(ic) = b(ic) + x(1)""")[-1] == "b(ic) = b(ic) + x(1)"


@pytest.mark.parametrize(("condition", "taped"), [
    ("b(i) > 0.3d0", True), ("b(max(1, i - j)) > 0.3d0", True), ("sum(b) > 0.3d0", True),
    ("b(i - 1) > 0.3d0", False), ("c(1, i) > 0.3d0", False)])
def test_what_a_condition_reads_that_is_evaluated_again(condition: str, taped: bool) -> None:
    """Where the ways of the branch meet, b(i) must be what it was at the test. It is no reason to tape another b(i)."""
    body = f"""\
      if (i == 1) cycle
      b(i) = 2 - x(i)
      if ({condition}) t = t*x(i)
      b(i) = b(i) + x(1)"""
    assert ("b(i) = b(i) + x(1)" in tapes(body)) == taped
    assert "b(i) = b(i) + x(1)" not in tapes(body, AnalysisOptions(record_branches=True))


def test_a_condition_evaluated_again_behind_a_part() -> None:
    """The ways meet at the call."""
    assert tapes("""\
      b(i) = 2 - x(i)
      if (b(i) > 0.3d0) t = t*x(i)
      call one(t, x(i))
      b(i) = b(i) + x(1)""")[-1] == "b(i) = b(i) + x(1)"


def test_what_a_condition_reads_is_taped_once() -> None:
    """Of depths that drive branches as well: the second write loses what nobody reads."""
    assert tapes("""\
      if (b(i) > 0.2d0) t = t*b(i)
      b(i) = b(i) + 0.1d0*x(i)
      b(i) = max(b(i), 0.01d0)""") == ["if (b(i) > 0.2d0) t = t*b(i)", "b(i) = b(i) + 0.1d0*x(i)"]


def test_two_arrays_are_told_apart() -> None:
    assert tapes("""\
      t = t*c(1, i)*b(i)
      b(i) = 2 - x(i)
      c(1, i) = 3 - x(i)
      b(i) = b(i) + x(1)
      c(1, i) = c(1, i) + x(1)
      t = t*c(1, i)""") == ["t = t*c(1, i)*b(i)", "b(i) = 2 - x(i)", "c(1, i) = 3 - x(i)", "t = t*c(1, i)"]


def test_an_array_that_a_pointer_reaches_is_not_followed() -> None:
    assert tapes("""\
      t = t*d(i)
      d(i) = 2 - x(i)
      d(i) = d(i) + x(1)""")[-1] == "d(i) = d(i) + x(1)"


def test_one_way_without_a_write_is_enough() -> None:
    assert tapes("""\
      if (j > 1) b(i) = 2 - x(i)
      b(i) = b(i) + x(1)""") == ["if (j > 1) b(i) = 2 - x(i)", "b(i) = b(i) + x(1)"]


@pytest.mark.parametrize(("at", "moving"), [
    ("ic", "ic = 1 + mod(ic, 4)"), ("ia(2)", "ia(2) = 3"), ("size(w)", "deallocate (w); allocate (w(1 + mod(i, 4)))")])
def test_a_subscript_that_changes_names_another_element(at: str, moving: str) -> None:
    assert tapes(f"""\
      b({at}) = 2 - x(i)
      {moving}
      b({at}) = b({at}) + x(1)""")[-1] == f"b({at}) = b({at}) + x(1)"


def test_sections_with_the_same_bounds() -> None:
    assert tapes("""\
      t = t*c(1, 2)
      c(:, i) = 0.5d0*x(i)
      c(:, i) = c(:, i) + x(1)""")[-1] == "c(:, i) = 0.5d0*x(i)"


def test_a_side_is_recorded_where_nobody_else_needs_the_element() -> None:
    """Kept, b(i) would be taped again only to tell which argument it was."""
    assert tapes("""\
      b(i) = x(i) - b(i)*0.1d0
      b(i) = max(b(i), 0.2d0)""") == ["b(i) = x(i) - b(i)*0.1d0"]


def test_a_side_is_not_recorded_where_the_element_is_taped_anyway() -> None:
    assert tapes("""\
      b(i) = max(b(i), 0.2d0)""") == ["b(i) = max(b(i), 0.2d0)"]


def test_by_variables_both_tape() -> None:
    assert tapes("""\
      b(i) = 2 - x(i)
      b(i) = b(i) - 0.1d0*i""", AnalysisOptions(save_intact=True)) == ["b(i) = 2 - x(i)", "b(i) = b(i) - 0.1d0*i"]


@pytest.mark.parametrize("first", [0, pytest.param(40, marks=pytest.mark.wide)])
def test_random_programs(first: int) -> None:
    """Elements written again, in branches, loops and parts, under all strategies, with poison."""
    assert failures(first, 10, kind="rewrites") == []
