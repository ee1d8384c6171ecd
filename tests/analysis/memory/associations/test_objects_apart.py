"""Pointer components of two objects that lead to two memories, and whatever leaves that open; executed.

    type(state) :: a, b;  allocate (a%h(3), b%h(3));  call step(a, b)
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.memory.alias_classes import AliasClasses
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.modelled import names

TEXT = """module m
  type state
    real(8), pointer :: h(:), u(:)
  end type
  type pair
    type(state) :: one, two
  end type
  {more}
contains
  subroutine step(p, q)
    type(state), intent(inout) :: p, q
    integer :: i
    do i = 1, 3
      q%h(i) = q%h(i)*p%h(i) + 0.1d0*q%u(i)
      p%u(i) = p%u(i)*q%h(i)
    end do
  end subroutine
  {procedures}
end module
subroutine f(x, y)
  use m
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(state) :: a, b
  integer :: k
  {declared}
  allocate (a%h(3), a%u(3), b%h(3), b%u(3))
  a%h = x
  a%u = 2*x
  b%h = x*x
  b%u = x + 1
  do k = 1, 2
    {body}
  end do
  y = sum(a%h*b%h) + sum(a%u*a%h)*sum(b%u)
{inside}end subroutine
"""
CALL = "call step(a, b)"
APART = {
    "two objects": {"body": CALL},
    "the other way round": {"body": f"{CALL}\ncall step(b, a)"},
    "with others of another type": {"body": CALL, "declared": "real(8), pointer :: p(:)\nallocate (p(3))\np => null()"},
    "in an object": {"body": f"{CALL}\ncall step(w%one, a)", "declared": "type(pair) :: w\n"
                     "allocate (w%one%h(3), w%one%u(3))\nw%one%h = x\nw%one%u = x"},
    "allocated anew": {"body": f"{CALL}\ndeallocate (b%h)\nallocate (b%h(3))\nb%h = a%h*x"},
}
OPEN = {
    "one associated": {"body": f"b%h => a%h\n{CALL}"},
    "one that a pointer leads to": {"body": f"p => a%h\n{CALL}\np = p*x", "declared": "real(8), pointer :: p(:)"},
    "one copied": {"body": f"b = a\n{CALL}"},
    "one copied with what holds it": {"body": f"{CALL}\nw%one = a\nv = w\ncall step(w%one, v%one)",
                                      "declared": "type(pair) :: w, v\nw%two = b"},
    "held by a pointer": {"body": CALL, "more": "type row\ntype(state), pointer :: s\nend type"},
    "one passed twice": {"body": f"{CALL}\ncall step(a, a)"},
    "two of one object": {"body": f"{CALL}\ncall step(w%one, w%two)", "declared": "type(pair) :: w\n"
                          "allocate (w%one%h(3), w%one%u(3), w%two%h(3), w%two%u(3))\nw%one%h = x\nw%one%u = x\n"
                          "w%two%h = x\nw%two%u = x"},
    "made by a function": {"body": f"{CALL}\nb = same(a)", "procedures": "function same(s) result(r)\n"
                           "type(state), intent(in) :: s\ntype(state) :: r\nr%h => s%h\nr%u => s%u\nend function"},
    "constructed": {"body": f"{CALL}\nb = state(a%h, a%u)"},
    "with a target among them": {
        "body": f"{CALL}\nr%s => t\nr%s%h = r%s%h*x\ncall step(t, b)", "declared": "type(state), target :: t\n"
        "type(row) :: r\nallocate (t%h(3), t%u(3))\nt%h = x\nt%u = x",
        "more": "type row\ntype(state), pointer :: s\nend type"},
    "with a global one": {"body": CALL, "more": "type(state) :: g"},
    "with a saved one": {"body": CALL, "declared": "type(state), save :: g"},
    "the host's": {"body": f"{CALL}\ncall twice(a)", "inside": "contains\nsubroutine twice(s)\ntype(state) :: s\n"
                   "s%h = s%h*a%h\nend subroutine\n"},
    "extended": {"body": CALL, "more": "type, extends(state) :: larger\nreal(8) :: extra\nend type"},
    "anything": {"body": f"{CALL}\ncall any(a)", "procedures": "subroutine any(s)\nclass(*) :: s\nend subroutine"},
    "of a class": {"body": f"{CALL}\ncall twice(a)", "procedures": "subroutine twice(s)\nclass(state) :: s\n"
                   "s%h = s%h*2\nend subroutine"},
    "passed to a pointer": {"body": f"{CALL}\ncall lead(a%h, b%h)", "procedures": "subroutine lead(p, q)\n"
                            "real(8), pointer :: p(:), q(:)\nq => p\nend subroutine"},
}


def text_of(parts: dict[str, str]) -> str:
    return TEXT.format(**{"more": "", "procedures": "", "declared": "", "inside": "", **parts})


def written(text: str) -> set[str]:
    """The names of step under which ``q%h(i) = ...`` may write."""
    model = Models(load_text(text), root="f").by_key["m::step"]
    return {name for node, e in enumerate(model.effects) for name in names(model, e.out)
            if "q%h" in names(model, e.out)}


@pytest.mark.parametrize("case", APART)
def test_two_objects_lead_to_two_memories(case: str, tmp_path: Path) -> None:
    text = text_of(APART[case])
    assert written(text) == {"q%h"}
    proved_by_execution(text, "f(x)>(y)", tmp_path)


@pytest.mark.parametrize("case", OPEN)
def test_one_memory_may_be_both(case: str, tmp_path: Path) -> None:
    text = text_of(OPEN[case])
    assert written(text) >= {"q%h", "p%h"}
    proved_by_execution(text, "f(x)>(y)", tmp_path)


def test_what_is_known_tells_the_two_apart() -> None:
    """An answer of an earlier run counts where all that is known is the same: not where ``b%h => a%h`` is new."""
    plain, associated = (AliasClasses(load_text(text_of(one)), "f").layout()
                         for one in (APART["two objects"], OPEN["one associated"]))
    assert plain != associated
