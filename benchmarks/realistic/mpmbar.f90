! An elastic-plastic bar that hits a wall, by the material point method: mass and momentum to a grid, forces, grid
! update, back to the points; state of the points in separate arrays passed to each routine.
subroutine p2g(np, ng, dx, x, v, m, vol, sig, gm, gv, gf)
  implicit none
  integer, intent(in) :: np, ng
  real(8), intent(in) :: dx, x(np), v(np), m(np), vol(np), sig(np)
  real(8), intent(out) :: gm(ng), gv(ng), gf(ng)
  integer :: p, i
  real(8) :: w1, w2
  gm = 0d0
  gv = 0d0
  gf = 0d0
  do p = 1, np
    i = floor(x(p)/dx) + 1
    w2 = x(p)/dx - (i - 1)
    w1 = 1d0 - w2
    gm(i) = gm(i) + w1*m(p)
    gm(i+1) = gm(i+1) + w2*m(p)
    gv(i) = gv(i) + w1*m(p)*v(p)
    gv(i+1) = gv(i+1) + w2*m(p)*v(p)
    gf(i) = gf(i) + vol(p)*sig(p)/dx
    gf(i+1) = gf(i+1) - vol(p)*sig(p)/dx
  end do
end subroutine p2g
subroutine grid_update(ng, dt, grav, gm, gv, gf, ga)
  implicit none
  integer, intent(in) :: ng
  real(8), intent(in) :: dt, grav, gm(ng)
  real(8), intent(inout) :: gv(ng), gf(ng)
  real(8), intent(out) :: ga(ng)
  integer :: i
  do i = 1, ng
    if (gm(i) > 1d-10) then
      ga(i) = gf(i)/gm(i) - grav
      gv(i) = gv(i)/gm(i) + dt*ga(i)
    else
      ga(i) = 0d0
      gv(i) = 0d0
    end if
  end do
  if (gv(1) < 0d0) then
    ga(1) = -gv(1)/dt
    gv(1) = 0d0
  end if
end subroutine grid_update
subroutine g2p(np, ng, dt, dx, ymod, yield, hard, x, v, vol, sig, ep, gv, ga)
  implicit none
  integer, intent(in) :: np, ng
  real(8), intent(in) :: dt, dx, ymod, yield, hard, gv(ng), ga(ng)
  real(8), intent(inout) :: x(np), v(np), vol(np), sig(np), ep(np)
  integer :: p, i
  real(8) :: w1, w2, de, trial, fy, dg
  do p = 1, np
    i = floor(x(p)/dx) + 1
    w2 = x(p)/dx - (i - 1)
    w1 = 1d0 - w2
    de = dt*(gv(i+1) - gv(i))/dx
    x(p) = x(p) + dt*(w1*gv(i) + w2*gv(i+1))
    v(p) = v(p) + dt*(w1*ga(i) + w2*ga(i+1))
    vol(p) = vol(p)*(1d0 + de)
    trial = sig(p) + ymod*de
    fy = abs(trial) - (yield + hard*ep(p))
    if (fy > 0d0) then
      dg = fy/(ymod + hard)
      ep(p) = ep(p) + dg
      sig(p) = trial - ymod*dg*sign(1d0, trial)
    else
      sig(p) = trial
    end if
  end do
end subroutine g2p
subroutine mpmbar(np, nt, v0, ymod, yield, hard, rho, crush)
  implicit none
  integer, intent(in) :: np, nt
  real(8), intent(in) :: v0, ymod, yield, hard, rho(np)
  real(8), intent(out) :: crush
  integer, parameter :: ng = 8
  real(8) :: x(np), v(np), m(np), vol(np), sig(np), ep(np)
  real(8) :: gm(ng), gv(ng), gf(ng), ga(ng), dx, dt
  integer :: it, p
  dx = 0.5d0
  dt = 0.05d0
  do p = 1, np
    x(p) = 0.3d0 + 0.25d0*(p - 1)
    v(p) = -1d0 - v0
    vol(p) = 0.25d0
    m(p) = (1d0 + rho(p))*0.25d0
    sig(p) = 0d0
    ep(p) = 0d0
  end do
  crush = 0d0
  do it = 1, nt
    call p2g(np, ng, dx, x, v, m, vol, sig, gm, gv, gf)
    call grid_update(ng, dt, 0.1d0, gm, gv, gf, ga)
    call g2p(np, ng, dt, dx, 1d0 + ymod, 0.02d0*yield, 0.1d0*hard, x, v, vol, sig, ep, gv, ga)
    crush = crush + sum(ep) + 0.01d0*sig(1)**2
  end do
end subroutine mpmbar
