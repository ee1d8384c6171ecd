"""An edit of a callee that may change an answer about its callers: what replay refuses, what is active."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.incremental.result_store import TraceStore
from snapset.analysis.pipeline import HeadAnalysis
from snapset.frontend.load import load_text
from snapset.library.analysis import parse_heads
from snapset.library.head_runs import NewEntries

from tests.analysis.incremental.test_incremental import TEXT, Asked, kept, whole

CHAIN = """\
subroutine inner(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = 3*x
end subroutine
subroutine middle(x, y)
  real(8), intent(inout) :: x, y
  call inner(x, y)
  x = x*y
end subroutine
subroutine top(x, y)
  real(8), intent(inout) :: x, y
  call middle(x, y)
  y = y*x
end subroutine
"""


@pytest.mark.parametrize(("old", "new", "expected", "said"), [
    ("b(i) = a(i)*b(i)", "b(i) = a(i)*b(i) + a(i)", {"first"}, ""),
    ("b(i) = a(i)*b(i)\n", "b(i) = a(i)*b(i)\n      read (*, *) b(i)\n", {"first"}, "READ"),
    ("real(8), intent(in) :: a(n)", "real(8), intent(in) :: a(*)", {"first", "second"}, ""),
    ("real(8), intent(in) :: a(n)", "real(8), pointer :: a(:)",  # a pointer may lead anywhere: all are asked again
     {"beside", "first", "second", "top", "waiting"}, "which is a pointer"),
])
def test_what_replay_refuses_is_asked_again_where_it_can_be_otherwise(
        old: str, new: str, expected: set[str], said: str, tmp_path: Path) -> None:
    """Of a procedure that is called only the dummy arguments count."""
    path = tmp_path / "a.f90"
    path.write_text(TEXT)
    kept(path, Asked(), tmp_path / "cache")
    assert TEXT.count(old) == 1
    path.write_text(TEXT.replace(old, new))
    text, use = kept(path, Asked(), tmp_path / "cache")
    assert use.made("HeadAnalysis.refused") == expected
    assert said in text
    assert text == whole(path, Asked())


PASSED_ON = """\
subroutine act(x)
  real(8), intent(inout) :: x(3)
  x = 3*x
end subroutine
subroutine apply(f, x)
  external f
  real(8), intent(inout) :: x(3)
  call f(x)
end subroutine
subroutine top(x)
  real(8), intent(inout) :: x(3)
  external act
  call apply(act, x)
end subroutine
"""


@pytest.mark.parametrize(("old", "new", "same"), [
    ("x = 3*x", "x = 4*x*x", True),
    ("inout) :: x(3)\n  x = 3*x", "inout) :: x(*)\n  x(:3) = 3*x(:3)", False),
    ("subroutine act(x)\n  real(8)", "elemental subroutine act(x)\n  real(8)", False),
])
def test_dummy_arguments_count_of_what_no_name_leads_to(old: str, new: str, same: bool) -> None:
    """Of act's dummy argument apply's own statements say nothing."""
    assert PASSED_ON.count(old) == 1
    stamps = []
    for text in (PASSED_ON, PASSED_ON.replace(old, new)):
        store = TraceStore(NewEntries(), b"head")
        program = load_text(text, "a.f90")
        analysis = HeadAnalysis(program, parse_heads(["top(x)>(x)"])[0], memory=lambda _, store=store: store)
        analysis.refused("apply")
        reads = dict(store.traces(("HeadAnalysis.refused", "apply"))[0].reads)
        stamps.append(reads["ProgramFacts.dummies", "act"])
    assert (stamps[0] == stamps[1]) == same


SHARING = """subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: t
  t = x
  call within()
  y = t*x
contains
  subroutine within()
    call further()
  end subroutine
  subroutine further()
    t = t*t
  end subroutine
end subroutine
"""


def test_an_internal_procedure_may_change_what_replay_refuses_of_its_host(tmp_path: Path) -> None:
    """The host's frame holds what they share, also where it is another one that calls them."""
    path = tmp_path / "a.f90"
    path.write_text(SHARING)
    kept(path, Asked(), tmp_path / "cache")
    path.write_text(SHARING.replace("t = t*t", "t = t*t*x"))
    text, use = kept(path, Asked(), tmp_path / "cache")
    assert use.made("HeadAnalysis.refused") == {"top", "further"}
    assert text == whole(path, Asked())


@pytest.mark.parametrize("new", ["floor(x)", "3*x + y", "3", "sin(x)"])
def test_activity_is_asked_again_where_a_callee_answers_otherwise(new: str, tmp_path: Path) -> None:
    """What inner reads and writes is the same, only not what depends on what."""
    path = tmp_path / "a.f90"
    path.write_text(CHAIN)
    kept(path, Asked(), tmp_path / "cache")
    before = whole(path, Asked())
    path.write_text(CHAIN.replace("3*x", new))
    text, _ = kept(path, Asked(), tmp_path / "cache")
    assert text == whole(path, Asked())
    assert (text != before) or new == "sin(x)"
