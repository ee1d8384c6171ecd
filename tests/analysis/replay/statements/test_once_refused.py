"""What replay refused once and executes now: each program under all options, and compiled (see test_constructs)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from snapset import replay

from tests.generators.constructs.native import judge
from tests.generators.constructs.trial import judge as judge_all
from tests.generators.test_constructs import small
from tests.oracles.gfortran_driver import gfortran

ENTRY_INT = """module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, t
  s = x(1)
  t = x(2)
  call one(s)
  call two(t)
  y = s*t
end subroutine p
subroutine one(s)
  real(8), intent(inout) :: s, q
  real(8) :: w
  w = 0.3d0
  call inner(s)
  s = s*s*w
  return
entry two(q)
  w = 0.5d0
  call inner(q)
  q = q*q*w
contains
  subroutine inner(z)
    real(8), intent(inout) :: z
    z = sin(z)*w
    w = z*w
  end subroutine inner
end subroutine one
end module m7
"""
ENTRY_FUN = """module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = first(x(1), x(2))*second(x(3))
  y = y + second(y)*first(y, x(4))
end subroutine p
function first(a, b) result(r)
  real(8), intent(in) :: a, b
  real(8) :: r, r2, kept
  save :: kept
  kept = 0.5d0
  r = a*b
  call twice(a)
  return
entry second(a) result(r2)
  r2 = sin(a)*kept
  call twice(a)
contains
  subroutine twice(z)
    real(8), intent(in) :: z
    r2 = r2*z
    kept = 0.9d0*kept + 0.1d0*z
    if (z > 0.3d0) call again
  end subroutine twice
  subroutine again
    r2 = r2*0.7d0
  end subroutine again
end function first
end module m7
"""
PROCPTR = """module m7
  type :: solver
    procedure(fcn), pointer :: f => null()
    real(8) :: u = 0.5d0
  contains
    procedure :: start
    procedure :: run
  end type solver
  abstract interface
    subroutine fcn(me, n, v, s)
      import :: solver
      class(solver), intent(inout) :: me
      integer, intent(in) :: n
      real(8), intent(inout) :: v(n), s
    end subroutine fcn
  end interface
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(solver) :: sv
  real(8) :: v(5)
  v = x
  y = x(1)
  call sv%start(mine)
  call sv%run(5, v, y)
  y = y*sum(v)*sv%u
end subroutine p
subroutine start(me, f)
  class(solver), intent(inout) :: me
  procedure(fcn) :: f
  me%f => f
end subroutine start
subroutine run(me, n, v, s)
  class(solver), intent(inout) :: me
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n), s
  call me%f(n, v, s)
  call me%f(n, v, s)
end subroutine run
subroutine mine(me, n, v, s)
  class(solver), intent(inout) :: me
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n), s
  v(2:n) = v(1:n-1)*s
  s = sin(s)*v(3)
  me%u = me%u*s
end subroutine mine
end module m7
"""
EMPTYSEQ2 = """module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(2, n)
  a = 0.5d0
  a(1, :) = x
  call columns(a, n, y)
  y = y*sum(a)
end subroutine p
subroutine columns(a, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(2, *), y
  integer :: k
  y = 1.0d0
  do k = 1, n
    call scale(n - k, 2, a(1, k + 1), a(2, k), y)
  end do
end subroutine columns
subroutine scale(n, l, v, w, s)
  integer, intent(in) :: n, l
  real(8), intent(inout) :: v(l, *), w(l, *), s
  integer :: i
  do i = 1, n
    v(1, i) = v(1, i)*w(1, 1)
  end do
  s = s*w(1, 1) + sin(s)
end subroutine scale
end module m7
"""
POINTED = """module work
  type :: state
    real(8) :: u, w(3)
  end type state
contains
subroutine p(x, o, y)
  real(8), pointer, intent(in) :: x(:)
  type(state), pointer :: o(:)
  real(8), pointer, intent(inout) :: y
  real(8), pointer :: q(:)
  real(8) :: s
  q => x(2:3)
  s = q(1)*x(1)*o(2)%w(3)
  call change(q, s)
  o(1)%u = s*sin(o(1)%u)
  y = s*sin(x(3))*o(1)%u + sum(o%w(2))
  s = y*s
  y = y*s
end subroutine p
subroutine change(q, s)
  real(8), pointer, intent(in) :: q(:)
  real(8), intent(inout) :: s
  q = q*s
  s = s*q(2)
end subroutine change
end module work
"""
POINTED_MAIN = """program main
  use work
  real(8), pointer :: x(:), y
  type(state), pointer :: o(:)
  real(8) :: start(10), moved(10), v(-2:2), h = 1d-3
  integer :: i, k
  allocate (x(3), y, o(2))
  start = [0.6d0, 0.7d0, 0.8d0, 0.9d0, 0.3d0, 0.4d0, 0.5d0, 1.1d0, 1.2d0, 1.3d0]
  do i = 0, 10
    do k = -2, 2
      moved = start
      if (i > 0) moved(i) = moved(i) + k*h
      x = moved(1:3)
      o%u = moved(4:5)
      o(1)%w = [0.15d0, 0.25d0, 0.35d0]
      o(2)%w = moved(8:10)
      call p(x, o, y)
      v(k) = y
    end do
    if (i == 0) print '(es25.17)', v(0)
    if (i > 0) print '(es25.17)', (8*(v(1) - v(-1)) - (v(2) - v(-2)))/(12*h)
  end do
end program main
"""
BLOCK_DATA = """subroutine p(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  real(8) :: c(3), e, w(2), unseen
  common /blk/ c, e
  common /lone/ w
  e = x(2)*e
  y = c(1)*sin(x(1))*c(3) + e*c(2) + sum(w)*x(1)
  c(2) = y*c(2)
  y = y*c(2)*c(3)
end subroutine p
block data
  real(8) :: c, d(2), e, w(2)
  common /blk/ c, d, e
  common /lone/ w
  data c /0.5d0/, d(2) /0.2d0/, d(1) /0.1d0/, e /0.7d0/, w /2*0.25d0/
end block data
"""
BLOCK_DATA_MAIN = """program main
  real(8) :: x(2) = [0.6d0, 0.7d0], y
  call p(x, y)
  print '(es25.17)', y
end program main
"""


@pytest.mark.parametrize("text", [ENTRY_INT, ENTRY_FUN, PROCPTR, EMPTYSEQ2], ids=[
    "ENTRY beside internal procedures",
    "functions of two results beside internal procedures",
    "a component that is a procedure pointer, given by a dummy procedure",
    "the first element of no elements",
])
def test_every_plan_and_the_compiled_program_agree(text: str, tmp_path: Path) -> None:
    verdict = judge_all(small(text), judge([small(text)], tmp_path)[7])
    assert not verdict.refused
    assert not verdict.bad
    assert verdict.native == "right"


def printed(source: str, folder: Path) -> list[float]:
    (folder / "main.f90").write_text(source)
    subprocess.run([gfortran(), "-w", "main.f90", "-o", "main"], cwd=folder, check=True, timeout=60)
    done = subprocess.run([str(folder / "main")], cwd=folder, check=True, timeout=60, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def test_pointers_of_the_head_lead_to_memory_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(POINTED)
    found = replay([str(tmp_path / "p.f90")], "p(x,o)>(y)", values={
        "x": [0.6, 0.7, 0.8], "o%u": [0.9, 0.3], "o%w": [0.15, 1.1, 0.25, 1.2, 0.35, 1.3]}, sizes={"o%u": (2,)})
    assert all(run.equal for run in found.runs)
    value, *slopes = printed(POINTED + POINTED_MAIN, tmp_path)
    assert found.reference.values["y"].elements == pytest.approx([value], rel=1e-13)
    ours = found.reference.gradient
    assert list(ours["x"].elements) == pytest.approx(slopes[:3], rel=1e-8)
    assert ours["o%u"].elements[0] == pytest.approx(slopes[3], rel=1e-8)
    assert ours["o%w"].elements[1::2] == pytest.approx(slopes[7:10], rel=1e-8)
    assert {one.name for one in found.inputs} >= {"x", "o%u", "o%w"}


def test_block_data_gives_start_values(tmp_path: Path) -> None:
    (tmp_path / "p.f90").write_text(BLOCK_DATA)
    found = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.6, 0.7]})
    assert all(run.equal for run in found.runs)
    assert found.reference.values["y"].elements == pytest.approx(printed(BLOCK_DATA + BLOCK_DATA_MAIN, tmp_path),
                                                                 rel=1e-14)
    given = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.6, 0.7], "e": 0.7, "w": [0.25, 0.25]})
    assert given.reference.values == found.reference.values
    other = replay([str(tmp_path / "p.f90")], "p(x)>(y)", values={"x": [0.6, 0.7], "e": 0.8})
    assert other.reference.values != found.reference.values
