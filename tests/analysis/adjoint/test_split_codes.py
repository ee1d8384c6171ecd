"""Split mode: a procedure that is called in both modes, or from several places, has several codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import snapset
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.results import HeadResult
from snapset.check.lock_file import keys
from snapset.frontend.load import load_text
from snapset.library.analysis import Choices
from snapset.render.records.report_json import to_json

from tests.analysis.adjoint.test_split import CALLED, END, START, analysed, replayed, text_of
from tests.support.execution import proved_by_execution
from tests.support.paths import ROOT

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
