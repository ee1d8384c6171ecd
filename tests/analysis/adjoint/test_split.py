"""Split mode: a call that is no checkpoint is as if the callee's text stood in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import StrategyRun, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.results import HeadResult, Part
from snapset.frontend.load import load_text
from snapset.render.pages.report_text import render

EVERY = parse_strategies("lazy,eager,optimal")
SPLIT = AnalysisOptions(call_checkpoints=False)

CALLED = """
subroutine g(u, v)
  real(8) :: u, v, t
  t = u*u
  v = sin(t)
  t = t*u
  v = v*t
  u = v*u
end subroutine g
subroutine p(x, y)
  real(8) :: x, y, a
  a = x*x
  {before}
  call g(a, y)
  a = sin(a)
  y = y*a
end subroutine p
"""


def analysed(text: str, head: str = "p(x)>(y)", options: AnalysisOptions = SPLIT) -> HeadResult:
    return analyse(load_text(text), parse_heads(head)[0], parse_strategies("lazy,eager"), options)


def replayed(text: str, head: str = "p(x)>(y)", options: AnalysisOptions = SPLIT,
             values: Mapping[str, int] | None = None) -> StrategyRun:
    """The lazy adjoint, all strategies' gradients being right and the model's figures those measured."""
    found = compare(load_text(text), parse_heads(head)[0], EVERY, Inputs(values or {}), options)
    for run in found.runs:
        assert run.equal, run
        assert run.predicted_traffic_bytes in (run.traffic_bytes, None)
        assert run.predicted_peak_bytes in (run.peak_bytes, None)
    return found.runs[0]


def saved(run: StrategyRun) -> dict[tuple[int, str], int]:
    return {(one.line, one.location): one.bytes for one in run.spent if one.kind != "control"}


def text_of(result: HeadResult) -> str:
    return render(result)


# ---------------------------------------------------------------- which calls


@pytest.mark.parametrize(("before", "options"), [
    ("", SPLIT),
    ("!$AD NOCHECKPOINT", AnalysisOptions()),
    ("", AnalysisOptions(split=frozenset({"g"}))),
    ("", AnalysisOptions(split=frozenset({"x.f90:14"}))),
])
def test_four_ways_to_ask_for_it(before: str, options: AnalysisOptions) -> None:
    result = analysed(CALLED.format(before=before), options=options)
    assert result.parts == ()
    assert [(one.callee, one.line, one.procedure) for one in result.splits] == [("g", 14, "p")]


def test_other_calls_stay_checkpoints() -> None:
    result = analysed(CALLED.format(before="call g(a, y)"), options=AnalysisOptions(split=frozenset({"x.f90:14"})))
    assert [part.id for part in result.parts] == ["p@13"]
    assert [one.line for one in result.splits] == [14]


def test_a_module_procedure_by_both_its_names() -> None:
    text = "module m\ncontains\n" + CALLED.format(before="").replace("subroutine p", "end module m\nsubroutine p\n"
                                                                     "use m", 1).replace("end end", "end")
    text = text.replace("end module m\nsubroutine p\nuse m(x, y)", "end module m\nsubroutine p(x, y)\n use m")
    for name in ("g", "m::g", "m%g"):
        assert analysed(text, options=AnalysisOptions(split=frozenset({name}))).parts == ()


@pytest.mark.parametrize("name", ["h", "x.f90:3", "y.f90:14"])
def test_what_is_no_call_is_said(name: str) -> None:
    result = analysed(CALLED.format(before=""), options=AnalysisOptions(split=frozenset({name})))
    (said,) = result.diagnostics
    assert said.code == "SN302"
    assert f"'{name}'" in said.message
    assert (len(result.parts), result.splits) == (1, ())


def test_a_call_without_source_stays_a_checkpoint() -> None:
    result = analysed("subroutine p(x, y)\n real(8) :: x, y\n call other(x, y)\nend subroutine\n")
    assert [part.kind for part in result.parts] == ["call"]


def test_an_elemental_call_for_an_array_stays_a_checkpoint() -> None:
    text = """
module m
contains
  elemental subroutine e(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = sin(a)*b
  end subroutine
end module
subroutine p(x, y)
  use m
  real(8) :: x(3), y, z(3)
  z = x
  call e(x, z)
  call e(x(1), z(2))
  y = sum(z)
end subroutine
"""
    result = analysed(text)
    assert ([part.id for part in result.parts], [one.line for one in result.splits]) == (["p@14"], [15])


def test_a_recursion_stays_a_checkpoint_inside() -> None:
    text = ("recursive subroutine r(a, n)\n real(8) :: a\n integer :: n\n a = sin(a)*a\n if (n > 0) call r(a, n - 1)\n"
            " a = a*a\nend subroutine\nsubroutine p(x, y)\n real(8) :: x, y\n y = x\n call r(y, 3)\nend subroutine\n")
    result = analysed(text)
    assert [part.id for part in result.parts] == ["r@5", "r@5:split"]
    replayed(text)


# ---------------------------------------------------------------- as if the callee's text stood there

INNER = "t = a*b; {one}\n  c = sin(t)*c\n  {two}; t = t*t; b = b*t; a = t + c\n"
START, END = "!$AD CHECKPOINT-START", "!$AD CHECKPOINT-END"


MODULE = "module m\n real(8) :: c\nend module\n"


def inlined(body: str) -> str:
    return (MODULE + "subroutine p(x, y)\n use m\n real(8) :: x, y, a, b, t\n"
            f" c = x; a = x; b = x*x\n {body} b = b*c; c = a*b\n {START}\n b = sin(b)*a\n {END}\n"
            " y = a*b*c; a = 0; c = 0\nend subroutine\n")


def called(body: str) -> str:
    return inlined("call f(a, b)\n") + f"subroutine f(a, b)\n use m\n real(8) :: a, b, t\n {body}end subroutine\n"


def sets_of(part: Part) -> dict[str, Any]:
    own = {name: frozenset(getattr(part.sets, name)) - {"x", "y"} for name in part.sets.__dataclass_fields__}
    solutions = {name: [frozenset(s) for s in (one.snp, one.sbk, one.req_d, one.req_c)]
                 for name, one in part.solutions.items()}
    return {**own, **solutions}


def test_a_part_in_the_callee_has_the_sets_of_the_inlined_program() -> None:
    body = INNER.format(one=f"\n  {START}", two=f"{END}\n  c = c*b")
    there, here = analysed(called(body)), analysed(inlined(body))
    assert [part.procedure for part in there.parts] == ["p", "f"]
    behind, inside = there.parts
    assert sets_of(inside) == sets_of(here.parts[0])
    assert sets_of(behind) == sets_of(here.parts[1]) | {"req": frozenset({"a", "b"})}  # t is f's own


def test_the_callee_tapes_what_the_inlined_program_tapes_and_its_own_variables_at_the_end() -> None:
    body = INNER.format(one="c = c*a", two="c = c*b")
    there, here = replayed(called(body)), replayed(inlined(body))
    assert there.traffic_bytes == (here.traffic_bytes or 0) + 8  # t


def test_what_is_read_behind_the_call_is_written_in_it() -> None:
    """u is of no use to g's own adjoint, but the caller goes on with it: in split mode its statement runs."""
    text = CALLED.format(before="")
    assert (8, "u") not in saved(replayed(text, options=AnalysisOptions()))
    assert saved(replayed(text))[8, "t"] == 8


# ---------------------------------------------------------------- what is easily forgotten

SHARED = "module sh\n integer :: n, k\n real(8) :: g\nend module\n"


def test_bounds_and_subscripts_that_the_callee_overwrites() -> None:
    run = replayed(SHARED + """
subroutine f(e, v, u)
  use sh
  real(8) :: e, v, u(n), t(n)
  integer :: i, m
  m = n - 1
  do i = 1, m
    t(i) = u(i)*v
  end do
  t(n) = sin(v)
  k = k + 1
  n = n - 1
  g = g*v
  do i = 1, n
    u(i) = t(i)*t(i+1) + g
  end do
  e = e*t(1)
  n = 2
end subroutine
subroutine p(x, y)
  use sh
  real(8) :: x(4), y, w(4), q(4)
  n = 3; k = 2
  g = x(1)*x(2)
  w = x*2; q = x*3
  call f(q(k), 2*g*x(2), w)
  n = 4; k = 3
  call f(q(k), g + x(1), w)
  k = 1; n = 1
  g = 0
  y = sum(w**2)*g + q(2)*sum(q)
  w = 0
end subroutine
""")
    assert saved(run)[30, "k"] == 4  # taped by the caller
    assert (22, "v") not in saved(run)  # an expression of g, which f overwrites: each call's value in a variable


LOOPS = """
subroutine f(y, x, k, l, m)
  real(8) :: y, x, t
  integer :: k, l, m, i, j, c
  c = k + 1
  do i = 1, c
    t = y*x
    do j = i, l
      y = sin(t)*y
      if (y > 0.9d0) exit
      t = t*y + m
    end do
    j = 0
    do while (j < m)
      j = j + 1
      y = y*t*0.5d0
      c = c + 1
    end do
  end do
  do i = 1, c
    t = t + x
  end do
  y = y*t
end subroutine
subroutine p(x, y, n)
  integer :: n, k, m
  real(8) :: x, y
  y = x
  k = n
  do m = 1, 3
    call f(y, x, k, 2*k - 1, m)
    k = k - 1
    if (y > 1) k = k + 1
  end do
  k = 0
  y = y*x
end subroutine
"""


def test_loops_whose_bounds_go_out_of_scope_or_change_behind_the_call() -> None:
    replayed(LOOPS, values={"n": 3})
    replayed(LOOPS, values={"n": 0})


def test_allocatables_options_results_and_internal_procedures() -> None:
    replayed("""
module mm
contains
  function sq(a, b) result(r)
    real(8) :: a, r
    real(8), optional :: b
    real(8), allocatable :: w(:)
    allocate(w(3))
    w = a
    w(2) = w(1)*a
    r = w(2)*w(3)
    w = r*w
    if (present(b)) then
      b = b*sum(w*w)
      r = r + b
    end if
  end function
  subroutine grow(z, a)
    real(8), allocatable :: z(:)
    real(8) :: a
    if (.not. allocated(z)) allocate(z(4))
    z = a*a
    z(2) = z(1)*z(3)
    a = a*z(2)
  end subroutine
end module
subroutine p(x, y)
  use mm
  real(8) :: x, y, c
  real(8), allocatable :: z(:)
  integer :: i
  c = x
  y = sq(c)*sq(x, c)
  call grow(z, c)
  z = z*c
  y = y*sum(z*z)
  do i = 1, 3
    call inner(c)
    y = y + c*z(i)
    z(i) = y
  end do
  deallocate(z)
contains
  subroutine inner(v)
    real(8) :: v
    v = v*x
    x = sin(v)
    y = y*x*i
    z(i) = z(i)*v
  end subroutine
end subroutine
""")


def test_three_levels_parts_and_both_modes() -> None:
    text = """
subroutine p(x, y, n)
  integer :: n, i
  real(8) :: x(n), y, s
  s = 1
  do i = 1, n
    call one(x(i), s, i)
    !$AD NOCHECKPOINT
    call two(s, x(i))
    call two(s, x(1))
    s = s*0.9d0
  end do
  !$AD CHECKPOINT-START
  !$AD NOCHECKPOINT
  call one(x(1), s, n)
  s = sin(s)
  !$AD CHECKPOINT-END
  y = s*s
end subroutine
subroutine one(a, b, i)
  real(8) :: a, b, t
  integer :: i
  t = a*b
  !$AD CHECKPOINT-START
  t = t*t + a
  !$AD NOCHECKPOINT
  call two(t, b)
  t = t*b
  !$AD CHECKPOINT-END
  !$AD NOCHECKPOINT
  call two(b, t)
  b = b*t
end subroutine
subroutine two(q, r)
  real(8) :: q, r, s
  real(8), save :: keep = 1
  s = q*r
  q = sin(s)*keep
  keep = q*s*0.5d0
  s = s*q
  q = q + cos(s)
end subroutine
"""
    result = analysed(text, options=AnalysisOptions())
    assert [part.id for part in result.parts] == ["p@7", "p@10", "p@15", "one@25", "one@25:split"]
    replayed(text, options=AnalysisOptions())
