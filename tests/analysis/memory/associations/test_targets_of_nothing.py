"""A procedure's own TARGET that no statement associates with anything has one name: its elements are told apart."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*")
SECOND = "      h(i) = h(i) - 0.2d0*x(1)"
KIT = """module kit
  real(8), pointer :: gp(:) => null()
  real(8), target :: gs(4)
  type cell
    real(8), pointer :: q(:)
  end type cell
contains
  subroutine keep(d)
    real(8), target, intent(inout) :: d(:)
    gp => d
  end subroutine keep
  subroutine take(a)
    real(8), pointer, intent(in) :: a(:)
    gp => a
  end subroutine take
  subroutine plain(a)
    real(8), intent(inout) :: a(:)
    a(1) = 0.5d0*a(1)
  end subroutine plain
  function same(d) result(r)
    real(8), target :: d(:)
    real(8), pointer :: r(:)
    r => d
  end function same
end module kit
"""


def taping(before: str, between: str, more: str = "", declared: str = "") -> bool:
    """Does the second write of h(i) tape, with lazy? All strategies give the store-all gradient, with poison."""
    text = f"""{KIT}subroutine p(x, n, y)
  use kit
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), target :: h(4), g(4)
  real(8), pointer :: q(:)
  {declared}
  type(cell) :: c
  integer :: i, k
  y = 0
  h = x(1)
  g = x(2)
  q => g
  gp => g
  c%q => g
  {before}
  do k = 1, 3
    do i = 1, 4
      h(i) = h(i) + 0.1d0*x(2)
      {between}
{SECOND}
      y = y + sin(h(i))*x(1)
    end do
  end do
{more}end subroutine p
"""
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 3}))
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    line = text.splitlines().index(SECOND) + 1
    return any(one.line == line and one.kind == "tape" for one in found.runs[0].spent)


@pytest.mark.parametrize("before", ["continue", "call plain(h)", "g = h"])
def test_what_nothing_is_associated_with_has_one_name(before: str) -> None:
    assert not taping(before, "q(i) = sin(q(i))")


@pytest.mark.parametrize(("before", "between"), [
    ("q => h", "q(i) = sin(q(i))"), ("q(0:1) => h(1:2)", "q(1) = q(0)**2"),
    ("associate (z => h(2:4))\n  q => z\n  end associate", "q(2) = sin(q(1))"),
    ("block\n  real(8), pointer :: w(:)\n  w => h(2:3)\n  q => w\n  end block", "q(2) = q(1)*q(2)"),
    ("call keep(h)", "gp(i) = gp(i)**2"), ("call take(h)", "gp(i) = gp(i)**2"),
    ("q => same(h)", "q(5 - i) = q(5 - i)**2"), ("c = cell(h)", "c%q(i) = c%q(i)**2"),
    ("call inner", "q(i) = q(i)**2")])
def test_what_a_pointer_may_lead_to_has_two(before: str, between: str) -> None:
    more = "contains\n  subroutine inner\n    q => h\n  end subroutine inner\n" if "inner" in before else ""
    assert taping(before, between, more)


def test_a_pointer_with_a_target_from_the_start_may_lead_anywhere() -> None:
    assert taping("continue", "q(i) = sin(q(i))", declared="real(8), pointer :: w(:) => gs")


@pytest.mark.parametrize("more", ["contains\n  subroutine inner\n    gp => h\n  end subroutine inner\n"])
def test_an_association_anywhere_counts(more: str) -> None:
    """Nobody calls inner."""
    assert taping("continue", "q(i) = sin(q(i))", more)
