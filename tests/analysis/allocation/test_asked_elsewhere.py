"""ALLOCATED asked in one procedure, ALLOCATE in another: a part that holds both is told the same the second time.

Each program is executed: what is allocated comes back with the snapshot (``w[]``), so that the gradient is right under
every plan, with the allocation made in the part and with one made before it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import Comparison, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.support.judged import judge

# s(n, x, y): a part whose second run must begin w at 0 as the first one did.
FRAME = """module store
  implicit none
  type box
    real(8), allocatable :: c(:)
  end type
  real(8), allocatable, target :: w(:)
  type(box) :: cell
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n)
  real(8), allocatable :: own(:)
  type(box), pointer :: p
  a = x
{before}  !$AD CHECKPOINT-START
{part}  !$AD CHECKPOINT-END
  y = sum(a*x)
end subroutine s
{procedures}end module store
"""
MAKE = """subroutine make(n)
  integer, intent(in) :: n
  if (.not. allocated(w)) allocate (w(n))
end subroutine make
"""
MAKE_OF = """subroutine make_of(v, n)
  real(8), allocatable, intent(inout) :: v(:)
  integer, intent(in) :: n
  if (.not. allocated(v)) allocate (v(n))
end subroutine make_of
"""
ASK = """subroutine ask(first)
  logical, intent(out) :: first
  first = .not. allocated(w)  ! asked
end subroutine ask
"""
ASK_OF = """logical function there(v)
  real(8), allocatable, intent(in) :: v(:)
  there = allocated(v)  ! asked
end function there
"""
GIVEN = """logical function given(v)
  real(8), intent(in), optional :: v(:)
  given = present(v)  ! asked
end function given
"""
DEEP = """subroutine make_deep(n)
  integer, intent(in) :: n
  call make(n)
end subroutine make_deep
subroutine ask_deep(first)
  logical, intent(out) :: first
  call ask(first)
end subroutine ask_deep
"""
TURNS = """recursive subroutine turns(k, n)
  integer, intent(in) :: k, n
  if (k > 0) then
    call turns(k - 1, n)
  else
    call make(n)
  end if
end subroutine turns
"""
# Statements before which w is 0 if it was not allocated: name, the part, what allocates before it, procedures.
USE = "    w = w + a\n    a = a*w\n"
CASES = {
    "asked here, allocated in a callee": (
        "    if (.not. allocated(w)) then  ! asked\n      call make(n)\n      w = 0\n    end if\n" + USE,
        "  call make(n)\n", MAKE),
    "asked in a callee, allocated here": (
        "    block\n      logical :: first\n      call ask(first)\n      if (.not. allocated(w)) allocate (w(n))\n"
        "      if (first) w = 0\n    end block\n" + USE, "  allocate (w(n))\n", ASK),
    "asked in one callee, allocated in another": (
        "    block\n      logical :: first\n      call ask(first)\n      call make(n)\n      if (first) w = 0\n"
        "    end block\n" + USE, "  call make(n)\n", MAKE + ASK),
    "both below callees": (
        "    block\n      logical :: first\n      call ask_deep(first)\n      call make_deep(n)\n"
        "      if (first) w = 0\n    end block\n" + USE, "  call make(n)\n", MAKE + ASK + DEEP),
    "both in a call": (
        "    call both(a, n)\n", "  call make(n)\n", MAKE + ASK +
        "subroutine both(a, n)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: a(n)\n  logical :: first\n"
        "  call ask(first)\n  call make(n)\n  if (first) w = 0\n" + USE + "end subroutine both\n"),
    "in two procedures that one call runs": (
        "    call outer(a, n)\n", "  call make(n)\n", MAKE + ASK +
        "subroutine outer(a, n)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: a(n)\n  call inner(a, n)\n"
        "end subroutine outer\nsubroutine inner(a, n)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: a(n)\n"
        "  logical :: first\n  call ask(first)\n  call make(n)\n  if (first) w = 0\n" + USE + "end subroutine inner\n"),
    "passed as an argument": (
        "    if (.not. there(own)) then\n      call make_of(own, n)\n      own = 0\n    end if\n    own = own + a\n"
        "    a = a*own\n", "  call make_of(own, n)\n", MAKE_OF + ASK_OF),
    "a component passed as an argument": (
        "    if (.not. there(cell%c)) then\n      call make_of(cell%c, n)\n      cell%c = 0\n    end if\n"
        "    cell%c = cell%c + a\n    a = a*cell%c\n", "  call make_of(cell%c, n)\n", MAKE_OF + ASK_OF),
    "PRESENT of what is not allocated": (
        "    if (.not. given(own)) then\n      call make_of(own, n)\n      own = 0\n    end if\n    own = own + a\n"
        "    a = a*own\n", "  call make_of(own, n)\n", MAKE_OF + GIVEN),
    "allocated by a recursion": (
        "    if (.not. allocated(w)) then  ! asked\n      call turns(2, n)\n      w = 0\n    end if\n" + USE,
        "  call turns(1, n)\n", MAKE + TURNS),
    "SOURCE= gives a value": (
        "    if (.not. allocated(w)) allocate (w(n), source=0d0)  ! asked\n" + USE, "  allocate (w(n), source=0d0)\n",
        ""),
}


def text(name: str, helped: bool) -> str:
    part, before, procedures = CASES[name]
    zero = "  own = 0\n" if "own" in part else "  cell%c = 0\n" if "cell" in part else "  w = 0\n"
    return FRAME.format(before=before + zero if helped else "", part=part, procedures=procedures)


def run(program: str, strategy: str = "lazy") -> Comparison:
    (head,) = parse_heads("s(x)>(y)")
    return compare(load_text(program), head, parse_strategies(strategy), Inputs({"n": 3, "x": [0.7, 1.1, 1.4]}),
                   AnalysisOptions())


def asked(found: Comparison) -> list[int]:
    return [one.span.line for one in found.diagnostics if one.code == "SN104"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_a_question_is_answered_as_in_the_first_run(name: str, tmp_path: Path) -> None:
    judge(text(name, helped=False), "s(x)>(y)", tmp_path, Inputs({"n": 3, "x": [0.7, 1.1, 1.4]}))
    found = run(text(name, helped=False))
    assert found.runs[0].equal
    assert asked(found) == []
    wanted = "own[]" if "own" in CASES[name][0] else "cell%c[]" if "cell" in CASES[name][0] else "w[]"
    assert any(spent.location == wanted for spent in found.runs[0].spent)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_one_that_is_made_before_the_part_is_right(name: str, tmp_path: Path) -> None:
    judge(text(name, helped=True), "s(x)>(y)", tmp_path, Inputs({"n": 3, "x": [0.7, 1.1, 1.4]}))


HARMLESS = {
    "only ALLOCATE hangs on it": ("    call make(n)\n    w = a\n    a = a*w\n", MAKE),
    "asked behind it": ("    block\n      logical :: first\n      call make(n)\n      call ask(first)\n"
                        "      w = merge(2d0, 1d0, first)*a\n    end block\n    a = a*w\n", MAKE + ASK),
    "another one is allocated": ("    call make_of(own, n)\n    own = a\n    if (.not. there(cell%c)) a = a*own\n",
                                 MAKE_OF + ASK_OF),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_answered_alike_is_not_said(name: str) -> None:
    part, procedures = HARMLESS[name]
    found = run(FRAME.replace(", target ::", " ::").format(before="", part=part, procedures=procedures))
    assert asked(found) == []
    assert found.runs[0].equal


# ---------------------------------------------------------------- pointers

POINTER = """module store
  implicit none
  real(8), target :: t(3)
  real(8), pointer :: p(:) => null()
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n)
  logical :: first
  a = x
  t = 5
  !$AD CHECKPOINT-START
{part}  !$AD CHECKPOINT-END
  y = sum(a*x)
end subroutine s
subroutine lead
  {lead}
end subroutine lead
subroutine ask(first)
  logical, intent(out) :: first
  first = .not. associated(p)
end subroutine ask
end module store
"""
ASSOCIATED = {
    "asked here": "    if (.not. associated(p)) then\n      call lead\n      p = 0\n    end if\n    p = p + a\n"
                  "    a = a*p\n",
    "asked in a callee": "    call ask(first)\n    call lead\n    if (first) p = 0\n    p = p + a\n    a = a*p\n",
}


@pytest.mark.parametrize("name", ASSOCIATED)
@pytest.mark.parametrize("strategy", ["lazy", "eager", "optimal"])
def test_an_association_is_brought_back_and_asked_again(name: str, strategy: str) -> None:
    """``p=>`` is a location: the snapshot has it, and the second run is told what the first one was."""
    found = run(POINTER.format(part=ASSOCIATED[name], lead="p => t"), strategy)
    assert asked(found) == []
    assert found.runs[0].equal
    assert any(spent.location == "p=>" for spent in found.runs[0].spent)


@pytest.mark.parametrize("name", ASSOCIATED)
def test_a_pointer_allocated_is_said_where_it_is(name: str) -> None:
    program = POINTER.format(part=ASSOCIATED[name], lead="if (.not. associated(p)) allocate (p(3))")
    found = run(program)
    (line,) = [at for at, one in enumerate(program.splitlines(), 1) if "allocate (p" in one]
    assert [one.span.line for one in found.diagnostics if one.code == "SN104"] == [line]
