! Discontinuous Galerkin for a wave equation in a heterogeneous medium: nodal elements, numerical traces shared by
! neighbours, low-storage Runge-Kutta (one residual array), a source and receivers that record the trace.
module dg
  implicit none
  integer, parameter :: np = 3, ne = 4, nr = 2
  real(8) :: dm(np, np) = reshape([-3d0, -1d0, 1d0, 4d0, 0d0, -4d0, -1d0, 1d0, 3d0], [np, np])
  real(8) :: p(np, ne), v(np, ne), rp(np, ne), rv(np, ne)
  real(8) :: rka(3) = [0d0, -5d0/9d0, -153d0/128d0], rkb(3) = [1d0/3d0, 15d0/16d0, 8d0/15d0]
contains
  subroutine trace(e, z, ps, vs)
    integer, intent(in) :: e
    real(8), intent(in) :: z(ne)
    real(8), intent(out) :: ps, vs
    real(8) :: pm, vm, pp, vp, zm, zp
    pm = p(np, e)
    vm = v(np, e)
    zm = z(e)
    if (e < ne) then
      pp = p(1, e+1)
      vp = v(1, e+1)
      zp = z(e+1)
    else
      pp = -pm
      vp = vm
      zp = zm
    end if
    ps = (zp*pm + zm*pp + zm*zp*(vm - vp))/(zm + zp)
    vs = (zm*vm + zp*vp + (pm - pp))/(zm + zp)
  end subroutine trace

  subroutine residual(c, z, a, dt, t)
    real(8), intent(in) :: c(ne), z(ne), a, dt, t
    real(8) :: ps(0:ne), vs(0:ne), dp(np), dv(np)
    integer :: e, k
    ps(0) = p(1, 1) + z(1)*(0d0 - v(1, 1))
    vs(0) = 0d0
    do e = 1, ne
      call trace(e, z, ps(e), vs(e))
    end do
    do e = 1, ne
      do k = 1, np
        dp(k) = -c(e)*z(e)*sum(dm(k, :)*v(:, e))
        dv(k) = -c(e)/z(e)*sum(dm(k, :)*p(:, e))
      end do
      dp(1) = dp(1) + 6d0*c(e)*z(e)*(vs(e-1) - v(1, e))
      dp(np) = dp(np) - 6d0*c(e)*z(e)*(vs(e) - v(np, e))
      dv(1) = dv(1) + 6d0*c(e)/z(e)*(ps(e-1) - p(1, e))
      dv(np) = dv(np) - 6d0*c(e)/z(e)*(ps(e) - p(np, e))
      if (e == 2) dp(2) = dp(2) + sin(3d0*t)
      rp(:, e) = a*rp(:, e) + dt*dp
      rv(:, e) = a*rv(:, e) + dt*dv
    end do
  end subroutine residual
end module dg

subroutine wave(c, z, dt, cost)
  use dg
  implicit none
  real(8), intent(in) :: c(4), z(4), dt
  real(8), intent(out) :: cost
  real(8) :: rec(nr, 5)
  integer :: it, s
  p = 0d0
  v = 0d0
  rp = 0d0
  rv = 0d0
  do it = 1, 5
    do s = 1, 3
      call residual(c, z, rka(s), 0.05d0*dt, it*dt)
      p = p + rkb(s)*rp
      v = v + rkb(s)*rv
    end do
    rec(1, it) = p(2, 1)
    rec(2, it) = v(3, 4)
  end do
  cost = sum((rec - 0.01d0)**2)
end subroutine wave
