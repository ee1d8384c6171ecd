"""Split mode: a call that is no checkpoint is as if the callee's text stood in its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import snapset
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint.split_calls import SplitCallSite
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import StrategyRun, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.results import HeadResult, Part
from snapset.check.lock_file import keys
from snapset.frontend.load import load_text
from snapset.library.analysis import Choices
from snapset.render.pages.report_text import render
from snapset.render.records.report_json import to_json

from tests.support.execution import proved_by_execution
from tests.support.paths import ROOT

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


def test_an_argument_passed_by_value_is_evaluated_again() -> None:
    run = replayed(SHARED + """
subroutine f(v, e)
  use sh
  real(8) :: v, e, t
  !$AD CHECKPOINT-START
  t = g*e
  e = e*t
  !$AD CHECKPOINT-END
  e = e*v*t
end subroutine
subroutine p(x, y)
  use sh
  real(8) :: x, y
  g = x
  y = x
  call f(2*g*x, y)
  g = sin(y)
  call f(g*x, y)
  g = y
  y = y*g
end subroutine
""")
    assert {name for _, name in saved(run)} == {"e", "t", "g"}


def test_behind_a_part_an_argument_passed_by_value_is_lost_with_its_operands() -> None:
    """v is needed before the part: D overwrites it, as far as the part knows, where the caller overwrites w."""
    run = replayed("""
subroutine f(v, e)
  real(8) :: v, e
  e = e*v
  !$AD CHECKPOINT-START
  e = sin(e)
  !$AD CHECKPOINT-END
end subroutine
subroutine p(x, y)
  real(8) :: x, y, w
  w = x
  y = x
  call f(2*w, y)
  w = 0.5d0
  y = y*w
end subroutine
""")
    assert saved(run)[14, "w"] == 8


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


# ---------------------------------------------------------------- a machine that would show it


KEPT = """
subroutine g(u, v)
  real(8) :: u, v
  v = sin(u)*v
end subroutine g
subroutine p(x, y)
  real(8) :: x, y, a
  a = x
  y = x
  call g(a, y)
  a = 0.5d0
  y = y*y + sin(a*y)
end subroutine p
"""


@pytest.mark.parametrize(("name", "wrong"), [
    # The subscript is another one when the callee is entered again.
    ("taped", property(lambda self: 0)),
    # Nobody keeps what the callee needs.
    ("forward", lambda self, required, plain, space, through: required),
    # The callee does not know what the caller goes on with.
    ("behind", lambda self, plain: {key: (0, 0) for _, key in self.targets}),
])
def test_a_set_too_small_is_found(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "corpus" / "split_entry.f90"
    text, head = (path.read_text(), "twice(x)>(y)") if name == "taped" else (KEPT, "p(x)>(y)")
    replayed(text, head)
    monkeypatch.setattr(SplitCallSite, name, wrong)
    assert not compare(load_text(text), parse_heads(head)[0], (LAZY,), options=SPLIT).equal


PASSED = SHARED + """
subroutine f(v, e)
  use sh
  real(8), intent(in) :: v{shape}
  real(8), intent(inout) :: e
  e = e*v{first}
  g = g*e
end subroutine
subroutine p(x, y)
  use sh
  real(8) :: x(4), y
  integer :: i
  g = x(1)
  y = x(2)
  {before}
  call f({passed}, y)
  {behind}
  y = y*g
end subroutine
"""
SCALAR = {"shape": "", "first": "", "passed": "2*g"}
ARRAY = {"shape": "(2)", "first": "(1)", "passed": "[2*g, g]"}
ONCE = {"before": "g = sin(g)", "behind": "g = g*x(4)"}
LOOP = {"before": "do i = 1, 3", "behind": "end do"}
JUMPED_TO = {"before": "i = 0\n10 i = i + 1", "behind": "if (i < 3) goto 10"}
AT_A_LABEL = {"before": "i = 0\n10 continue\ni = i + 1\nif (i < 3) goto 20\ng = g*x(3)\n20 &",
              "behind": "if (i < 3) goto 10"}


@pytest.mark.parametrize(("around", "taped"), [(ONCE, 0), (LOOP, 24), (JUMPED_TO, 24), (AT_A_LABEL, 24)])
def test_a_passed_value_that_is_lost_is_kept_by_the_caller(around: dict[str, str], taped: int) -> None:
    """Where the callee overwrites g: what the loop's last value replaces is taped, the first replaces nothing."""
    found = saved(replayed(PASSED.format(**SCALAR, **around)))
    kept = {name: amount for (_, name), amount in found.items() if name.startswith("v")}
    assert sum(kept.values()) == taped
    assert all("@" in name for name in kept)


def test_a_passed_array_that_is_lost_is_taped_when_the_callee_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PASSED.format(**ARRAY, **ONCE)
    assert {name: amount for (_, name), amount in saved(replayed(text)).items() if name == "v"} == {"v": 16}
    monkeypatch.setattr("snapset.analysis.adjoint.code_maker.dying_arguments", lambda call, key, written: 0)
    assert not compare(load_text(text), parse_heads("p(x)>(y)")[0], (LAZY,), options=SPLIT).equal


def test_where_iterations_share_no_variable_none_is_made() -> None:
    loop = {"before": "do concurrent (i = 1:3)", "behind": "end do"}
    program = load_text(PASSED.format(**SCALAR, **loop))
    analysis = prepare(program, parse_heads("p(x)>(y)")[0], SPLIT)
    assert analysis.models.program is program


# ---------------------------------------------------------------- the faces

BOTH = ROOT / "corpus" / "split_both.f90"


@pytest.fixture
def both() -> HeadResult:
    return snapset.report([str(BOTH)], "march(x)>(y)")


def test_text_names_the_calls_and_the_mode(both: HeadResult) -> None:
    text = " ".join(text_of(both).split())
    assert f"Calls in split mode, no checkpoints: step at {BOTH}:24" in text or "step at" in text
    assert "step@10:split: marked part at" in text
    assert "in step (split mode)" in text


def test_json(both: HeadResult) -> None:
    found = json.loads(json.dumps(to_json(both)))
    assert found["splits"] == [{"file": str(BOTH), "line": 24, "procedure": "march", "callee": "step"}]
    assert [(r["id"], r["split"]) for r in found["regions"]] == [
        ("march@26", False), ("step@10", False), ("step@10:split", True)]


def test_the_lock_tells_the_codes_apart(both: HeadResult) -> None:
    assert list(keys(both.parts)) == ["march, call of step 1", "step, part 1", "step (split), part 1"]


def test_a_part_before_a_split_call_lists_what_the_callee_tapes() -> None:
    text = CALLED.format(before=f"{START}\n  a = a*x\n  {END}")
    (part,) = analysed(text).parts
    lines = {(one.line, one.location, str(one.part)) for one in part.solutions["lazy"].tape}
    assert {(6, "g::t", "D"), (7, "g::v", "D"), (8, "g::u", "D"), (8, "g::t", "D")} <= lines


def test_each_code_is_recorded_under_its_own_key() -> None:
    found = prepare(load_text(BOTH.read_text()), parse_heads("march(x)>(y)")[0])
    assert found.order == ("march", "step", "step split")
    records = record_program(found.adjoints, found.order, LAZY)
    assert [len(records[key].levels) for key in found.order] == [1, 2, 2]


def test_choices_reach_the_analysis() -> None:
    choices = Choices(strategies="lazy", call_checkpoints=False)
    assert len(snapset.report([str(BOTH)], "march(x)>(y)", choices).splits) == 2


# ---------------------------------------------------------------- several calls of one code

SEVERAL = """
module sh
  integer :: k
end module sh
subroutine s(t)
  use sh
  real(8) :: t
  if (k > 9) t = 2*t
  !$AD CHECKPOINT-START
  t = t*t
  !$AD CHECKPOINT-END
end subroutine s
subroutine r(t, a)
  use sh
  real(8) :: t, a(4)
  t = t*a(k)
end subroutine r
subroutine p(x, y)
  use sh
  real(8) :: x, y, a(4)
  a = x
  y = x
  k = 1
  !$AD NOCHECKPOINT
  call s(y)
  k = 3
  call r(y, a)
  !$AD NOCHECKPOINT
  call s(y)
end subroutine p
"""


def test_what_only_one_call_overwrites_behind_it_the_others_may_rely_on() -> None:
    """Behind the first call of s k is set; behind the second it is not, and the checkpoint before that needs it."""
    replayed(SEVERAL, options=AnalysisOptions())


def test_an_argument_taped_for_one_call_is_left_alone_at_another() -> None:
    """The first call passes an expression of g, which s overwrites; the second a variable that is read afterwards."""
    replayed("""
module sh
  real(8) :: g
end module sh
subroutine s(v, e)
  use sh
  real(8) :: v, e
  e = sin(v)*e
  g = e
end subroutine s
subroutine p(x, y)
  use sh
  real(8) :: x, y, z
  g = x
  y = x
  z = 2*x
  call s(g*x, y)
  call s(z, y)
  y = y*sin(z)
end subroutine p
""")


def test_what_is_read_behind_a_checkpointed_call_is_live_before_it(tmp_path: Path) -> None:
    """w is a factor behind the call of c, which does not touch it: p has to compute it, though nothing but the adjoint
    of s reads it."""
    proved_by_execution("""
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: w
  w = x*x
  y = x
  !$AD NOCHECKPOINT
  call s(x, w, y)
end subroutine p
subroutine s(x, w, y)
  real(8), intent(in) :: x, w
  real(8), intent(inout) :: y
  call c(x, y)
  y = y*w
end subroutine s
subroutine c(x, y)
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  y = sin(x*y)
end subroutine c
""", "p(x)>(y)", tmp_path)


# What a call in split mode reads to be entered again, where a pointer gives it another name than the one by which it is
# overwritten behind the call: a procedure pointer, a subscript, an operand of what is passed.
SECOND_NAMES = {
    "a procedure pointer": """module m
  abstract interface
    function law(u) result(f)
      real(8), intent(in) :: u
      real(8) :: f
    end function law
  end interface
  type :: object
    procedure(law), pointer, nopass :: f => null()
  end type object
contains
function square(u) result(f)
  real(8), intent(in) :: u
  real(8) :: f
  f = u*u
end function square
function cube(u) result(f)
  real(8), intent(in) :: u
  real(8) :: f
  f = u*u*u
end function cube
subroutine h(x, cost)
  real(8) :: x, cost, a
  type(object), target :: o
  type(object), pointer :: l
  o%f => cube
  l => o
  a = l%f(x)
  !$AD CHECKPOINT-START
  o%f => square
  !$AD CHECKPOINT-END
  cost = a*a*x
end subroutine
end module
""",
    "a subscript and an operand": """module m
  type :: object
    real(8) :: v = 1d0
    integer :: k = 1
  end type object
contains
subroutine g(u, w, f)
  real(8) :: u, w, f
  f = u*u*w
end subroutine g
subroutine h(x, cost)
  real(8) :: x, cost, a, b(3)
  type(object), target :: o
  type(object), pointer :: l
  o%v = x
  o%k = 2
  b = x*x
  l => o
  call g(sin(l%v), b(l%k), a)
  !$AD CHECKPOINT-START
  o%v = 3d0*x
  o%k = 3
  b(1) = o%v*b(o%k)
  !$AD CHECKPOINT-END
  cost = a*a*x*o%v*b(o%k)*b(1)
end subroutine
end module
""",
}


@pytest.mark.parametrize("kind", SECOND_NAMES)
def test_what_a_call_in_split_mode_reads_has_other_names(kind: str, tmp_path: Path) -> None:
    proved_by_execution(SECOND_NAMES[kind], "h(x)>(cost)", tmp_path)
