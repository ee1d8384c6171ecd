"""Components of components: what a procedure writes of them is saved in the names of its caller, and no more."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

TEXT = """module m
  type grid
    real(8) :: w(0:20)
    integer :: first
  end type grid
  type shell
    type(grid) :: inner
    real(8) :: w(4)
  end type shell
contains
  subroutine one(r)
    real(8), intent(inout) :: r
    r = r*r
  end subroutine one
  subroutine smooth(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(m)
    a(2:m-1) = a(2:m-1)*a(3:m)
  end subroutine smooth
  subroutine boxed(b, m)
    integer, intent(in) :: m
    type(grid), intent(inout) :: b
    b%w(b%first:m) = b%w(b%first:m)**2
  end subroutine boxed
  subroutine shelled(b, m)
    integer, intent(in) :: m
    type(shell), intent(inout) :: b
    b%inner%w(2:m) = b%inner%w(2:m)**2
    b%w(m) = b%inner%w(m)*b%w(m)
  end subroutine shelled
end module m
subroutine p(x, q, k, y)
  use m
  integer, intent(in) :: q, k
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(shell) :: nest(3)
  integer :: i
  do i = 1, 3
    nest(i)%inner%w = x; nest(i)%inner%first = 2; nest(i)%w = x
  end do
  call {call}
  y = 0
  do i = 1, 3
    y = y + sum(nest(i)%inner%w*nest(i)%inner%w) + sum(nest(i)%w*nest(i)%w)
  end do
end subroutine p
"""
(HEAD,) = parse_heads("p(x)>(y)")


@pytest.mark.parametrize(("call", "sections"), [
    ("boxed(nest(q)%inner, q)", ["nest(q)%inner%w(nest(q)%inner%first:q)"]),
    ("smooth(nest(q)%inner%w, 4)", ["nest(q)%inner%w(1:2)"]),  # from 0
    ("smooth(nest(q)%inner%w(3), 4)", ["nest(q)%inner%w(4:5)"]),
    ("one(nest(q)%inner%w(k))", ["nest(q)%inner%w(k)"]),
    ("one(nest(k)%w(q))", ["nest(k)%w(q)"]),
    ("shelled(nest(q), q)", ["nest(q)%inner%w(2:q)", "nest(q)%w(q)"]),
])
def test_what_is_saved(call: str, sections: list[str]) -> None:
    program = load_text(TEXT.format(call=call))
    found = compare(program, HEAD, parse_strategies("lazy,eager"), Inputs({"q": 3, "k": 2}))
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    assert sorted(analyse(program, HEAD).parts[0].solutions["lazy"].sections.values()) == sections
