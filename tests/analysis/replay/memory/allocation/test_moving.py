"""MOVE_ALLOC, allocatable arrays of derived type and STAT=, executed and proved; what a call of an intrinsic leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.replay.experiment.gradient import primal
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

MODULE = """module m
  implicit none
  type cell
    real(8) :: u, g = 0.5d0
    real(8) :: e(2) = 0.25d0
    integer :: level = 0
  end type cell
  type mesh
    type(cell), allocatable :: cells(:)
    real(8), allocatable :: w(:)
    integer :: n = 0
  end type mesh
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(out) :: y
    type(cell), allocatable :: c(:), t(:), one
    type(mesh) :: g, h
    real(8), allocatable :: w(:), v(:)
    integer :: k, ierr
    y = 0.1d0
{body}
  end subroutine head
  subroutine relaxed(c, y)
    type(cell), intent(inout) :: c(:)
    real(8), intent(inout) :: y
    c%u = c%u*c%g + y
    c(1)%e(2) = c(size(c))%u*y
    y = sum(c%u*c%u)*0.1d0
  end subroutine relaxed
  subroutine widened(c)
    type(cell), allocatable, intent(inout) :: c(:)
    c(1)%u = 2*c(1)%u*c(2)%u
  end subroutine widened
end module m
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "w = x(1:2); do k = 1, 3; allocate (v(size(w) + 1)); v(:size(w)) = w; v(size(v)) = y*x(k); call move_alloc(v, w); "
    "y = y + 0.3d0*sum(w*w); w(1) = y*w(1)*0.1d0; end do; if (allocated(v)) y = 0",
    "w = x; v = 2*x; v(1) = w(2)*v(1); call move_alloc(to=w, from=v); y = w(1)*w(2); call move_alloc(v, w); "
    "if (.not. allocated(w)) y = y*x(1)",
    "allocate (c(2)); c(1)%u = x(1); c(2) = cell(x(2), y); do k = 1, 2; allocate (t(size(c)*2)); t(:size(c)) = c; "
    "t(size(c) + 1:)%u = c%u*x(k); call move_alloc(t, c); c(2)%e(1) = c(1)%u*c(size(c))%u; "
    "y = y + sum(c%u)*c(2)%g + sum(c(2)%e); c(1)%u = 0.1d0*y; call relaxed(c, y); end do",
    "allocate (g%cells(2), stat=ierr); g%cells(1)%u = x(1); g%cells(2)%u = x(3)*ierr; g%n = size(g%cells); h = g; "
    "g%cells = [g%cells, cell(x(2), y, [x(4), y])]; h%cells(1)%u = h%cells(1)%u*g%cells(3)%u; "
    "y = sum(g%cells%u*g%cells%g) + h%cells(1)%u*h%n + size(g%cells) + sum(g%cells(3)%e); "
    "call relaxed(g%cells(2:), y); deallocate (g%cells, stat=ierr); y = y + ierr",
    "allocate (one); one%u = x(1)*one%g; one%e = x(2:3)*one%u; y = one%u*one%e(2); deallocate (one); allocate (one); "
    "one%u = y; y = one%u*one%g*sum(one%e)",
    "allocate (c(2)); c%u = x(:2); call widened(c); call widened(c); y = c(1)%u; t = c(2:1:-1); call relaxed(t, y); "
    "c = [t, c]; y = y*sum(c%u)",
], ids=range(6))
def test_memory_that_moves(body: str, tmp_path: Path) -> None:
    lines = "".join(f"    {one.strip()}\n" for one in body.split(";"))
    proved_by_execution(MODULE.format(body=lines), "m%head(x)>(x, y)", tmp_path)


def test_a_scalar_argument_keeps_its_value_over_a_call_of_an_intrinsic() -> None:
    """It is in a Python variable when a procedure runs as one function; the intrinsic touches it not at all."""
    text = """subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: r
  y = x*x
  call random_number(r)
  y = y*x
end subroutine p
"""
    program = load_text(text)
    (head,) = parse_heads("p(x)>(y)")
    inputs = Inputs({"x": 3.0, "y": 100.0})
    found = [primal(head, Machine(program, "p", direct=direct), inputs) for direct in (True, False)]
    assert found == [27, 27]
