"""The index of a DO CONCURRENT or FORALL lives in the construct: no statement writes it, and it moves all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """
module m
contains
pure subroutine scatter(v, f)
  real(8), intent(inout) :: v(5)
  real(8), intent(in) :: f
  integer :: at(4), q
  at = [3, 1, 5, 2]
  do concurrent (q = 1:2)
    v(at(q)) = v(at(q))*v(at(q + 2))*f
  end do
end subroutine scatter
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(5), b(5), c(5), g(5, 3), s
  integer :: at(5), i, k, q
  a = x
  b = 0.6d0*x
  c = 0.7d0*x
  g = 0.8d0*x(2)
  s = x(1)
  at = [3, 1, 5, 2, 4]
  q = 2
  k = 1
  {}
  y = s + sum(b*b) + sum(c) + sum(g*g)
end subroutine p
end module m
"""
MARKED = """do i = 1, 2
!$AD CHECKPOINT-START
  {}
!$AD CHECKPOINT-END
  b = b*s
  s = s*sum(b*b)*0.3d0
  end do"""


@pytest.mark.parametrize("body", [
    MARKED.format("forall (q = 1:3) b(at(q)) = b(at(q))*b(at(q + 1))*s"),
    MARKED.format("do concurrent (q = 1:2)\n b(at(q)) = b(at(q))*b(at(q + 3))*s\n end do"),
    MARKED.format("do concurrent (q = 1:2)\n if (x(q) > 0.1d0) b(at(q)) = b(at(q))*s\n end do\n b(at(q)) = s*b(4)"),
    MARKED.format("call scatter(b, s)"),
])
def test_what_it_selects_by_another_array_is_no_single_element(body: str, tmp_path: Path) -> None:
    """A snapshot of b(at(q)) would be of one element, or of none: q has no value outside of the construct."""
    proved_by_execution(PROGRAM.format(body), "p(x)>(y)", tmp_path, {"n": 5})


LOOP = """do i = 1, 3
  {}
  s = sin(s)*x(2)
  end do"""


@pytest.mark.parametrize("body", [
    LOOP.format("do concurrent (q = 1:2)\n b(i + q) = a(q)*s\n c(q) = c(q) + b(i + q)*b(i + q)\n end do"),
    LOOP.format("do concurrent (q = 1:2)\n c(q) = c(q) + b(i + q)*b(i + q)\n b(i + q) = a(q)*s\n end do"),
    LOOP.format("forall (q = 1:2)\n b(i + q) = a(q)*s\n c(q) = c(q) + b(i + q)*b(i + q)\n end forall"),
    LOOP.format("b(i + k) = a(i)*s\n c(i) = c(i) + sum([(b(i + k)*b(i + k), k = 0, 2)])"),
])
def test_iterations_around_it_share_elements(body: str, tmp_path: Path) -> None:
    """b(i + q) is b(3) for i = 1 and q = 2, and for i = 2 and q = 1."""
    proved_by_execution(PROGRAM.format(body), "p(x)>(y)", tmp_path, {"n": 5})
