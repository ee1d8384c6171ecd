"""Allocatable variables that assignments give other memory: the adjoint's old and new memory are two."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.memory.locations import Space
from snapset.analysis.memory.reallocating_assignments import reshaped
from snapset.analysis.memory.references import References
from snapset.analysis.memory.storage_units import Storage
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

MODULE = """module m
  implicit none
  type bag
    real(8), allocatable :: w(:)
    real(8) :: s = 0.5d0
  end type bag
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(out) :: y
    real(8), allocatable :: w(:), v(:), s, a(:, :)
    type(bag) :: c, d
    integer :: k
    y = 1.0d0
{body}
  end subroutine head
end module m
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "w = [x(1)]; do k = 2, 4; w = [w, w(k - 1)*x(k)]; end do; y = sum(w*w)",
    "w = [x(1)]; do k = 2, 4; w = [w, y*x(k)]; y = 0.1d0*sum(w*w); w = [y, w(2:)]; end do; y = y + product(w)",
    "w = x; v = w(2:3); w = [v, w*v(1), y]; w = w(2:5)*w(1:4); y = sum(w*w)",
    "s = x(1); s = s*s; w = [s, x(2)]; s = sum(w)*s; y = s*w(1)",
    "c%w = x*x; d = c; c%w = [c%w, x(1)]; d%w(2) = d%w(2)*c%w(5); d%s = d%s*c%w(1); c = d; y = sum(c%w)*c%s",
    "c%s = x(1); d = c; if (.not. allocated(d%w)) y = d%s*x(2); d%w = x(1:2); c = d; d = bag(w=[y, x(3)*y, y]); "
    "y = sum(d%w)*c%w(2)*d%s",
    "allocate (w(0:3)); w = x; v = w; y = v(lbound(v, 1))*w(0)*lbound(v, 1) + v(3)**2; v = x; y = y*(1 + lbound(v, 1))",
    "a = reshape(x, [2, 2]); a = matmul(a, reshape([a, x(1:2)], [2, 3])); y = sum(a*a)",
    "allocate (w, source=x); allocate (v, mold=w); v = w*x(1); w = [v, w]; y = sum(w*w)",
    "allocate (w(4), source=x(1)*y); allocate (v(2:5), source=x); y = sum(w*v)*v(2)*v(5)",
])
def test_growing_and_shrinking(body: str, tmp_path: Path) -> None:
    text = MODULE.format(body="".join(f"    {one.strip()}\n" for one in body.split(";")))
    proved_by_execution(text, "m%head(x)>(x, y)", tmp_path)


@pytest.mark.parametrize(("assignment", "moves"), [
    ("w = [w, y]", True), ("w = x", True), ("w = 0.0d0", False), ("w(:) = x", False), ("w = w + 2*x", False),
    ("w = sqrt(x - w)*3", False), ("w = reshape(w, [2])", True), ("s = y", True), ("c = d", True), ("c%w = x", True),
    ("c%s = y", False), ("x = w", False), ("w = matmul(a, w)", True),
])
def test_which_assignments_may_change_what_is_allocated(assignment: str, moves: bool) -> None:
    program = load_text(MODULE.format(body=f"    {assignment}\n"))
    procedure = program.procedures["m::head"]
    last = [stmt for stmt in statements(procedure.body) if isinstance(stmt, ir.Assign)][-1]
    refs = References(procedure, Storage(program), Space())
    assert bool(reshaped(last, refs).all) is moves
