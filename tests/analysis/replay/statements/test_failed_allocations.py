"""ALLOCATE and DEALLOCATE with STAT= that fail: executed as gfortran does, and proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

HEAD = """subroutine head(x, y)
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  type leaf
    real(8) :: u, v(2)
    real(8), allocatable :: w(:)
  end type leaf
  class(leaf), allocatable :: o
  real(8), allocatable :: w(:), v(:), u(:)
  real(8), pointer :: p(:)
  type(leaf) :: t(2)
  integer :: ios, k
  character(80) :: msg
  msg = 'fine'
  allocate (w(4))
  w = x*x
{body}
  y = sum(x)
end subroutine
"""

CASES = {
    "an ALLOCATE in a part, of three objects the second of which is there": """  !$AD CHECKPOINT-START
  allocate (v(2), w(8), u(3), stat=ios, errmsg=msg)
  if (ios == 5014 .and. allocated(v) .and. .not. allocated(u) .and. size(w) == 4) w = w*2*x
  if (msg == 'Attempt to allocate an allocated object') w = sin(w)*w
  w = w*w
  !$AD CHECKPOINT-END
  x = w*sin(w)""",
    "SOURCE= gives nothing where it fails": """  allocate (w, source=3*x, stat=ios)
  x = x*w*sin(w)
  allocate (v, source=3*x, stat=ios)
  if (ios == 0) x = x*v""",
    "a DEALLOCATE ends at what is not there": """  do k = 1, 2
    deallocate (v, w, stat=ios, errmsg=msg)
    if (ios == 1) x = 0.7d0*x*sin(x)
    if (msg == 'Attempt to deallocate an unallocated object') x = x*x
    if (.not. allocated(v)) allocate (v(4), source=0.3d0*x, stat=ios)
    if (.not. allocated(w)) allocate (w(4), source=0.2d0*x, stat=ios)
    w = w*v
    x = 0.5d0*x + w*sin(w)
  end do""",
    "pointers": """  nullify (p)
  do k = 1, 2
    deallocate (p, stat=ios)
    if (ios /= 0) then
      allocate (p(k), stat=ios)
      p = x(1:k)*x(4)
      allocate (p(2), stat=ios)
      p = x(1:2)*x(3:4)
      x(1:2) = x(1:2) + p*p
    end if
    if (k == 1) x(4) = x(4)*p(1)
  end do""",
    "an object, and components of elements": """  allocate (o, stat=ios)
  o%u = x(1)
  allocate (o, stat=ios)
  if (ios /= 0) x(2) = o%u*x(2)
  do k = 1, 3
    allocate (t(1 + mod(k, 2))%w(2), stat=ios)
    if (ios == 0) t(1 + mod(k, 2))%w = x(k)
    if (ios /= 0) t(1 + mod(k, 2))%w = t(1 + mod(k, 2))%w*x(4)
    x(k) = sum(t(1 + mod(k, 2))%w**2)
  end do
  deallocate (o, t(1)%w, stat=ios)
  deallocate (t(1)%w, t(2)%w, stat=ios)
  if (ios /= 0) x = x*t(2)%w(1)""",
}


@pytest.mark.parametrize("body", CASES.values(), ids=CASES.keys())
def test_what_fails_is_told_by_stat_and_the_program_goes_on(body: str, tmp_path: Path) -> None:
    proved_by_execution(HEAD.replace("{body}", body), "head(x)>(y)", tmp_path)


KEPT = """module m
contains
subroutine p(x, y)
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  real(8), allocatable :: fa(:), grow(:)
  integer :: i, ios
  fa = x
  grow = x
  do i = 1, 2
    allocate (fa(6), stat=ios)
    call sub1(grow(1))
  end do
  y = grow(2) + fa(3)
end subroutine p
subroutine sub1(t)
  real(8), intent(inout) :: t
  t = 0.5d0
end subroutine sub1
end module m
"""


def test_what_a_failed_allocate_leaves_keeps_its_adjoint(tmp_path: Path) -> None:
    """The call destroys what nobody needs, whether fa is allocated too; going back over ALLOCATE is no new memory."""
    proved_by_execution(KEPT, "p(x)>(y)", tmp_path)
