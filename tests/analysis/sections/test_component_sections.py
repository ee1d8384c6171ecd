"""One component of many objects, ``o(:)%v(2)``, is passed as an array: what the callee writes of it are components of
several objects, never neighbours in one of them. Executed against gfortran, under every strategy."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

HEAD = "p(x)>(y)"
PROGRAM = """module m
  type inner
    real(8) :: w(3)
  end type
  type cell
    real(8) :: u, v(3)
    type(inner) :: in
  end type
contains
subroutine p(x, y)
  real(8) :: x(5), y, s, t
  type(cell) :: o(3), q(2, 3)
  integer :: i, k
  s = x(1)
  t = x(2)
  k = 2
  do i = 1, 3
    o(i) = cell(x(i), [x(i + 1), s, t], inner(x(i:i + 2)))
    q(:, i) = o(i)
  end do
  do i = 1, 3
    !$AD CHECKPOINT-START
    call {call}
    !$AD CHECKPOINT-END
    s = 0.5d0*sin(s*o(2)%v(2) + o(2)%v(1) + o(2)%u + o(2)%v(3) + q(1, 2)%v(1) + o(2)%in%w(2)*o(1)%in%w(2)) + 0.2d0
    o(2)%v = o(2)%v*s*0.3d0
    o(2)%u = o(2)%u*s*0.3d0
    o(2)%in%w = o(2)%in%w*s*0.3d0
    q(1, 2)%v = q(1, 2)%v*s*0.3d0
    o(i)%v = o(i)%v*s*0.3d0
  end do
  y = s + t + sum(o%u) + sum(o%v(1)) + sum(o%v(2)) + sum(q%v(1))
end subroutine
subroutine taken(u, s)
  real(8), intent(inout) :: u(:), s
  u(2) = sin(u(2)*u(2)*s) + 0.3d0*u(1)
  s = sin(u(2)*s)*0.3d0
end subroutine
subroutine three(u, s)
  real(8), intent(inout) :: u(3), s
  u(2) = sin(u(2)*u(2)*s) + 0.3d0*u(1)
  s = sin(u(2)*s)*0.3d0
end subroutine
subroutine handed(u, s)
  real(8), intent(inout) :: u(:), s
  call taken(u(2:), s)
  call three(u, s)
end subroutine
end module
"""
CALLS = ("taken(o(:)%v(2), s)", "three(o(:)%v(2), t)", "three(q(1, :)%v(1), s)", "taken(o(:)%u, s)", "taken(o%u, t)",
         "handed(o(:)%v(1), s)", "taken(o(3:1:-1)%v(k), t)", "taken(o(1:k)%in%w(2), s)", "three(o%in%w(2), s)")


@pytest.mark.parametrize("call", CALLS)
def test_components_of_many_objects(call: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(call=call), HEAD, tmp_path)


def test_a_scalar_component_where_an_array_is_expected() -> None:
    """Old code does that, across files: no element of the component's is passed, for it has none."""
    text = """subroutine p(x, y)
  type cell
    real(8) :: u
  end type
  type(cell) :: o(3)
  real(8) :: x, y
  o(2)%u = x
  !$AD CHECKPOINT-START
  call one(o(2)%u)
  !$AD CHECKPOINT-END
  y = o(2)%u**2
  o(2)%u = y
end subroutine
subroutine one(u)
  real(8) :: u(1)
  u(1) = u(1)*u(1)
end subroutine
"""
    (head,) = parse_heads(HEAD)
    assert "o%u" in analyse(load_text(text), head).parts[0].sets.out_c
