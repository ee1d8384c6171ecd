"""Programs as people write them, whose parts allocate: particles with histories, a mesh that is refined, sparse rows.

Each is judged whole: plans against store-all, store-all against the compiled program and its differences.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

PARTICLES = """\
module swarm_m
  implicit none
  type particle
    real(8) :: pos, vel
    real(8), allocatable :: hist(:)
  end type
  real(8), allocatable, save :: work(:)
contains
  subroutine init(n)
    integer, intent(in) :: n
    if (.not. allocated(work)) allocate(work(n))
    work = 0.1d0
  end subroutine
  subroutine finish
    if (allocated(work)) deallocate(work)
  end subroutine
  subroutine step(p, t)
    type(particle), allocatable, intent(inout) :: p(:)
    integer, intent(in) :: t
    type(particle), allocatable :: q(:)
    integer :: i, k
    call init(size(p))
    do i = 1, size(p)
      work(i) = sin(p(i)%pos)*p(i)%vel
    end do
    do i = 1, size(p)
      p(i)%vel = p(i)%vel - 0.1d0*work(i)*p(i)%pos
      p(i)%pos = p(i)%pos + 0.2d0*p(i)%vel
      p(i)%hist = [p(i)%hist, p(i)%pos*work(i)]
    end do
    k = count([(p(i)%pos > 0.9d0, i = 1, size(p))])
    if (mod(t, 2) == 0 .and. k > 0) then
      allocate(q(size(p) + 1))
      do i = 1, size(p)
        q(i) = p(i)
      end do
      q(size(p)+1) = particle(0.5d0*p(1)%pos**2, 0.3d0*p(2)%vel, [p(1)%vel])
      call move_alloc(q, p)
    end if
    call finish
  end subroutine
end module
subroutine swarm(x0, y, n)
  use swarm_m
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x0(n)
  real(8), intent(out) :: y
  type(particle), allocatable :: p(:)
  integer :: i, t
  allocate(p(n))
  do i = 1, n
    p(i)%pos = x0(i); p(i)%vel = 0.5d0*x0(i)**2
    allocate(p(i)%hist(1)); p(i)%hist = x0(i)
  end do
  do t = 1, 4
    call step(p, t)
  end do
  y = 0
  do i = 1, size(p)
    y = y + sum(p(i)%hist**2) + p(i)%pos*p(i)%vel
  end do
end subroutine
"""
REFINED = """\
subroutine amr(u0, cost, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u0(n)
  real(8), intent(out) :: cost
  real(8), allocatable :: u(:), h(:), flux(:)
  integer :: t
  u = u0
  allocate(h(n)); h = 1d0
  cost = 0
  do t = 1, 4
    call fluxes(u, h, flux)
    u(2:size(u)-1) = u(2:size(u)-1) + 0.1d0*(flux(2:size(u)-1) - flux(1:size(u)-2))/h(2:size(u)-1)
    if (t == 2) call refine(u, h)
    if (t == 3) call coarsen(u, h)
    cost = cost + sum(u**2*h)
  end do
contains
  subroutine fluxes(u, h, f)
    real(8), intent(in) :: u(:), h(:)
    real(8), allocatable, intent(out) :: f(:)
    integer :: i
    allocate(f(size(u)-1))
    do i = 1, size(u)-1
      f(i) = (u(i+1)**2 - u(i)**2)/(h(i) + h(i+1))
    end do
  end subroutine
  subroutine refine(u, h)
    real(8), allocatable, intent(inout) :: u(:), h(:)
    real(8), allocatable :: v(:), g(:)
    integer :: i
    allocate(v(2*size(u)), g(2*size(u)))
    do i = 1, size(u)
      v(2*i-1) = u(i)*(1 - 0.1d0*u(i)); v(2*i) = u(i)
      g(2*i-1:2*i) = 0.5d0*h(i)
    end do
    call move_alloc(v, u)
    call move_alloc(from=g, to=h)
  end subroutine
  subroutine coarsen(u, h)
    real(8), allocatable, intent(inout) :: u(:), h(:)
    u = 0.5d0*(u(1::2) + u(2::2)*u(1::2))
    h = h(1::2) + h(2::2)
  end subroutine
end subroutine
"""
SPARSE = """\
module lil
  implicit none
  type row
    integer, allocatable :: col(:)
    real(8), allocatable :: val(:)
  end type
  type matrix
    type(row), allocatable :: r(:)
  end type
contains
  subroutine insert(a, i, j, v)
    type(matrix), intent(inout) :: a
    integer, intent(in) :: i, j
    real(8), intent(in) :: v
    integer :: k
    if (.not. allocated(a%r(i)%col)) then
      a%r(i)%col = [j]; a%r(i)%val = [v]
      return
    end if
    do k = 1, size(a%r(i)%col)
      if (a%r(i)%col(k) == j) then
        a%r(i)%val(k) = a%r(i)%val(k) + v*a%r(i)%val(k)
        return
      end if
    end do
    a%r(i)%col = [a%r(i)%col, j]
    a%r(i)%val = [a%r(i)%val, v]
  end subroutine
  function mul(a, x) result(y)
    type(matrix), intent(in) :: a
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    integer :: i
    allocate(y(size(a%r)))
    do i = 1, size(a%r)
      y(i) = 0
      if (allocated(a%r(i)%col)) y(i) = sum(a%r(i)%val*x(a%r(i)%col))
    end do
  end function
end module
subroutine sparse(d, b, y, n)
  use lil
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: d(n), b(n)
  real(8), intent(out) :: y
  type(matrix) :: a
  real(8), allocatable :: x(:), r(:)
  integer :: i, t
  allocate(a%r(n))
  x = b
  do t = 1, 3
    do i = 1, n
      call insert(a, i, i, d(i)*x(i))
      if (i > t) call insert(a, i, i - t, -0.2d0*x(i)*d(i-t))
    end do
    r = b - mul(a, x)
    x = x + 0.1d0*r
    if (t == 2) then
      deallocate(a%r(1)%col, a%r(1)%val)
    end if
  end do
  y = dot_product(x, mul(a, x)) + sum(r**2)
end subroutine
"""


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "head", "n"), [
    (PARTICLES, "swarm(x0)>(y)", 4), (REFINED, "amr(u0)>(cost)", 6), (SPARSE, "sparse(d, b)>(y)", 5),
], ids=["particles", "refined", "sparse"])
def test_realistic(text: str, head: str, n: int, tmp_path: Path) -> None:
    judge(text, head, tmp_path, Inputs({"n": n}))
