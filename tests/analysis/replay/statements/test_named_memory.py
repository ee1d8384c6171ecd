"""A program that stops is told the line and the variable, with its bounds."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.replay.experiment.gradient import primal, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.load import load_text

TEXT = """subroutine head(x, n, y)
  type leaf
    real(8) :: v(0:2) = 0.5d0
    real(8), allocatable :: w(:)
    type(leaf), pointer :: next => null()
  end type leaf
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:), b(:, :)
  real(8), pointer :: p(:)
  type(leaf), target :: l, m
  integer :: i, v(2)
  i = n + 1
  v = [1, 9]
  nullify (p)
  allocate (b(2, 0:3), l%w(2))
  b = 0.5d0
  l%next => m
  y = 0
  {line}
  y = y + sum(x)
contains
  subroutine inner(u, k)
    real(8), intent(inout) :: u(:)
    integer, intent(in) :: k
    u(1) = u(k)
  end subroutine inner
end subroutine head
"""


@pytest.mark.parametrize(("line", "message", "at"), [
    ("y = a(1)", "`a` is used, which is not allocated or not passed", 21),
    ("y = sum(a)", "`a` is used, which is not allocated or not passed", 21),
    ("x(i) = 1", "subscript 6 is out of bounds: dimension 1 of `x` goes from 1 to 5", 21),
    ("y = b(1, i)", "subscript 6 is out of bounds: dimension 2 of `b` goes from 0 to 3", 21),
    ("y = sum(b(:, 2:i:2))", "the section 2:6:2 is out of bounds: dimension 2 of `b` goes from 0 to 3", 21),
    ("y = sum(x(v))", "subscript 9 of a vector of subscripts is out of bounds: dimension 1 of `x` goes from 1 to 5",
     21),
    ("y = l%v(i)", "subscript 6 is out of bounds: dimension 1 of `l%v` goes from 0 to 2", 21),
    ("y = l%next%v(i)", "subscript 6 is out of bounds: dimension 1 of `m%v` goes from 0 to 2", 21),
    ("y = l%next%w(1)", "`m%w` is used, which is not allocated or not passed", 21),
    ("y = l%next%next%v(1)", "the pointer `m%next` is used, which is not associated", 21),
    ("y = p(1)", "the pointer `p` is used, which is not associated", 21),
    ("allocate (b(2, 2))", "ALLOCATE of `b`, which is allocated", 21),
    ("deallocate (a)", "DEALLOCATE of `a`, which is not allocated", 21),
    ("call inner(x, i)", "subscript 6 is out of bounds: dimension 1 of `u` goes from 1 to 5", 27),
])
def test_what_stops_a_run_is_named(line: str, message: str, at: int) -> None:
    (head,) = parse_heads("head(x)>(y)")
    machine = Machine(load_text(TEXT.replace("{line}", line)), "head")
    for run in (store_all, primal):
        with pytest.raises(ReplayError) as caught:
            run(head, machine, Inputs())
        assert str(caught.value) == message
        assert caught.value.span is not None
        assert caught.value.span.line == at
