"""A call that leaves out an argument that it must pass: nothing is known of it, and that is said."""

from __future__ import annotations

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.load import load_text

TEXT = """subroutine top(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), allocatable :: a(:), b(:)
  allocate (a(3), b(3))
  b = x
  a = b
  call refine(a, y=y)
end subroutine
subroutine refine(a, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(3)
  real(8), intent(out) :: y
  y = a(1)*a(2)*n
end subroutine
"""


def test_an_argument_that_is_missing_beside_allocated_ones() -> None:
    (head,) = parse_heads("top(x)>(y)")
    result = analyse(load_text(TEXT), head)
    said = {one.code: one.message for one in result.diagnostics}
    assert "argument `n` of `refine` is missing" in said["SN301"]
    (part,) = result.parts
    assert set(part.solutions["lazy"].snp) >= {"a"}
