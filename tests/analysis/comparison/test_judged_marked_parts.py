"""Marked parts of hand-written adjoints: what a part needs and nobody saves is missing; the rest is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from snapset.frontend.base.source_model import ReadOptions
from snapset.library.adjoint_comparison import without_superfluous

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared, marked

REGION = AdjointCase("region", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t, u
  t = x(1)
  u = x(2)
  do i = 1, n
    !$AD CHECKPOINT-START
    t = t*u
    u = u*x(i)*t
    !$AD CHECKPOINT-END
    t = t + x(i)
  end do
  y = t*u
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, t, tb, u, ub
  t = x(1)
  u = x(2)
  do i=1,n
    call pushreal8(u)
    call pushreal8(t)
    t = t*u
    u = u*x(i)*t
    t = t + x(i)
  end do
  tb = u*yb
  ub = t*yb
  do i=n,1,-1
    xb(i) = xb(i) + tb
    call popreal8(t)
    call popreal8(u)
    call pushreal8(t)
    t = t*u
    xb(i) = xb(i) + u*t*ub
    tb = tb + u*x(i)*ub
    ub = x(i)*t*ub
    call popreal8(t)
    ub = ub + t*tb
    tb = u*tb
  end do
  xb(2) = xb(2) + ub
  xb(1) = xb(1) + tb
  yb = 0
end subroutine model_b
""")


@pytest.mark.parametrize("name", ["u", "t"])
def test_what_a_marked_part_needs_and_nobody_saves_is_missing(name: str, tmp_path: Path) -> None:
    """Its second run stands in the adjoint itself: without the PUSH before the first run, and its POP, the second one
    begins with what the loop has left."""
    broken = REGION.adjoint
    for call in ("push", "pop"):
        broken = broken.replace(f"    call {call}real8({name})\n", "", 1)
    for folder in ("whole", "less"):
        (tmp_path / folder).mkdir()
    right = gradient(REGION, REGION.adjoint, tmp_path / "right")
    assert right.strip()
    assert gradient(REGION, broken, tmp_path / "broken") not in ("", right)
    assert not compared(REGION, REGION.adjoint, tmp_path / "whole").missing
    (missing,) = compared(REGION, broken, tmp_path / "less").missing
    assert (missing.location, missing.region.id, missing.line) == (name, "model@8", 19)


ONCE = """\
module grid
  real(8), allocatable :: area(:)
contains
  subroutine setup(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x
    integer :: k
    if (.not. allocated(area)) allocate (area(n))
    do k = 1, n
      area(k) = 2d0*k
    end do
    x = x*x*size(area){more}
  end subroutine
end module
subroutine model(x, n, y)
  use grid
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  call setup(x, n)
  y = x*x
end subroutine
"""
ONCE_ADJOINT = """\
module grid_diff
  real(8), allocatable :: area(:)
contains
  subroutine setup_b(x, xb, n)
    integer, intent(in) :: n
    real(8) :: x, xb
    integer :: k
    if (.not. allocated(area)) allocate (area(n))
    do k = 1, n
      area(k) = 2d0*k
    end do
    xb = 2*x*size(area)*xb
  end subroutine
  subroutine setup(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x
    integer :: k
    if (.not. allocated(area)) allocate (area(n))
    do k = 1, n
      area(k) = 2d0*k
    end do
    x = x*x*size(area){more}
  end subroutine
end module
subroutine model_b(x, xb, n, y, yb)
  use grid_diff
  integer, intent(in) :: n
  real(8) :: x, xb, y, yb
  call pushreal8(x)
  call setup(x, n)
  xb = 2*x*yb
  call popreal8(x)
  call setup_b(x, xb, n)
end subroutine
"""


@pytest.mark.parametrize(("more", "missing"), [("", set()), ("\n    if (n > 9) deallocate (area)", {"area[]"})])
def test_what_is_allocated_once_and_for_all_is_not_missing(more: str, missing: set[str], tmp_path: Path) -> None:
    """The part's second run finds the array allocated, and goes on as the first one did."""
    found = compared(AdjointCase("once", "model(x)>(y)", ONCE.format(more=more), ""), ONCE_ADJOINT.format(more=more),
                     tmp_path)
    assert {one.location for one in found.missing} == missing


def test_a_marked_part_may_begin_with_what_is_decided_already(tmp_path: Path) -> None:
    """``if (.false.)`` is no node of the flow graph: nothing is said of such a part, and nothing fails."""
    wrapped = REGION.original.replace("    t = t*u\n", "    if (.false.) u = 0\n    t = t*u\n")
    adjoint = REGION.adjoint.replace("    t = t*u\n", "    if (.false.) u = 0\n    t = t*u\n")
    assert not compared(replace(REGION, original=wrapped), adjoint, tmp_path).missing


def test_where_pointers_are_popped_nothing_is_missing_at_marked_parts(tmp_path: Path) -> None:
    """What is given back by its address is not followed: the adjoint of corpus/pointers.f90 was called wrong."""
    broken = REGION.adjoint.replace("    call pushreal8(u)\n", "    call pushpointer8(loc(u))\n", 1)
    broken = broken.replace("    call popreal8(u)\n", "    call poppointer8(address)\n", 1)
    broken = broken.replace("  integer :: n, i\n", "  integer :: n, i\n  integer(8) :: address\n", 1)
    assert not compared(REGION, broken, tmp_path).missing


REPEATED = AdjointCase("repeated", "model(x)>(y)", """\
module hall
  real(8) :: w
end module hall
subroutine warm(t)
  use hall
  real(8) :: t
  w = t*t
  t = t + 0.1d0*w*t
end subroutine warm
subroutine model(x, n, y)
  integer :: n, i, k
  real(8) :: x(n), y, a(n)
  a = x
  do k = 1, 3
    !$AD CHECKPOINT-START
    do i = 1, n
      call warm(a(i))
    end do
    !$AD CHECKPOINT-END
  end do
  y = sum(a)
end subroutine model
""", """\
subroutine warm_b(t, tb)
  use hall
  real(8) :: t, tb
  w = t*t
  tb = (1 + 0.3d0*w)*tb
end subroutine warm_b
subroutine model_b(x, xb, n, y, yb)
  use hall
  implicit none
  integer :: n, i, k
  real(8) :: x(n), xb(n), y, yb, a(n), ab(n)
  a = x
  do k=1,3
    do i=1,n
      call pushreal8(a(i))
    end do
    call pushreal8(w) ! gone
    do i=1,n
      call warm(a(i))
    end do
  end do
  ab = yb
  do k=3,1,-1
    call popreal8(w)
    call adstack_startrepeat()
    do i=n,1,-1
      call popreal8(a(i))
    end do
    call adstack_resetrepeat()
    call adstack_endrepeat()
    do i=1,n
      call pushreal8(w) ! gone
      call pushreal8(a(i))
      call warm(a(i))
    end do
    do i=n,1,-1
      call popreal8(a(i))
      call popreal8(w)
      call warm_b(a(i), ab(i))
    end do
    do i=n,1,-1
      call popreal8(a(i))
    end do
  end do
  xb = xb + ab
  yb = 0
end subroutine model_b
""")


def test_loops_of_pops_may_be_repeated(tmp_path: Path) -> None:
    """A marked part with calls in a loop, whose snapshot is popped in a loop, put back, and popped again: the procedure
    was not judged at all, for the repetition, and for the adjoint calls, which have no first run between the loops."""
    found = compared(REPEATED, REPEATED.adjoint, tmp_path)
    assert not found.not_followed
    assert [one.line for one in found.saved if one.superfluous] == marked(REPEATED.adjoint, "gone")
    assert {one.verdict for one in found.saved if not one.superfluous} == {"needed"}
    (written,) = without_superfluous([str(tmp_path / "a_b.f90")], found, str(tmp_path / "new"), ReadOptions())
    right = gradient(REPEATED, REPEATED.adjoint, tmp_path / "0")
    assert gradient(REPEATED, Path(written[0]).read_text(), tmp_path / "1") == right
    lost = REPEATED.adjoint.replace("    do i=1,n\n      call pushreal8(a(i))\n    end do\n", "").replace(
        "    do i=n,1,-1\n      call popreal8(a(i))\n    end do\n", "")
    assert gradient(REPEATED, lost, tmp_path / "2") != right
