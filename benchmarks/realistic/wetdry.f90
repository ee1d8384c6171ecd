! A flood plain in two dimensions: local Lax-Friedrichs fluxes with hydrostatic reconstruction, cells that fall dry and
! are flooded again, Manning's friction implicit in the velocity, an inflow hydrograph; gauges are compared.
module flood_grid
  implicit none
  integer, parameter :: nx = 6, ny = 5, ng = 3
  real(8), parameter :: g = 9.81d0, dry = 1d-3
  real(8) :: z(0:nx+1, 0:ny+1), h(0:nx+1, 0:ny+1), qx(0:nx+1, 0:ny+1), qy(0:nx+1, 0:ny+1)
  real(8) :: fh(nx+1, ny+1), fn(nx+1, ny+1), ft(nx+1, ny+1)
  real(8) :: dh(nx, ny), dqx(nx, ny), dqy(nx, ny)
  real(8) :: dx = 2d0, dt
  integer :: gi(ng) = (/2, 4, 5/), gj(ng) = (/2, 3, 4/)
contains
  subroutine ghosts()
    integer :: i, j
    do j = 1, ny
      h(0, j) = h(1, j)
      h(nx+1, j) = h(nx, j)
      qx(0, j) = -qx(1, j)
      qx(nx+1, j) = qx(nx, j)
      qy(0, j) = qy(1, j)
      qy(nx+1, j) = qy(nx, j)
    end do
    do i = 0, nx + 1
      h(i, 0) = h(i, 1)
      h(i, ny+1) = h(i, ny)
      qx(i, 0) = qx(i, 1)
      qx(i, ny+1) = qx(i, ny)
      qy(i, 0) = -qy(i, 1)
      qy(i, ny+1) = -qy(i, ny)
    end do
  end subroutine ghosts

  subroutine face(hl, hr, ul, ur, vl, vr, zl, zr, f0, f1, f2, bl, br)
    real(8), intent(in) :: hl, hr, ul, ur, vl, vr, zl, zr
    real(8), intent(out) :: f0, f1, f2, bl, br
    real(8) :: zs, h1, h2, a
    zs = max(zl, zr)
    h1 = max(0d0, hl + zl - zs)
    h2 = max(0d0, hr + zr - zs)
    if (h1 <= dry .and. h2 <= dry) then
      f0 = 0d0
      f1 = 0d0
      f2 = 0d0
    else
      a = max(abs(ul) + sqrt(g*h1), abs(ur) + sqrt(g*h2))
      f0 = 0.5d0*(h1*ul + h2*ur) - 0.5d0*a*(h2 - h1)
      f1 = 0.5d0*(h1*ul*ul + h2*ur*ur + 0.5d0*g*(h1*h1 + h2*h2)) - 0.5d0*a*(h2*ur - h1*ul)
      f2 = 0.5d0*(h1*ul*vl + h2*ur*vr) - 0.5d0*a*(h2*vr - h1*vl)
    end if
    bl = 0.5d0*g*(hl*hl - h1*h1)
    br = 0.5d0*g*(hr*hr - h2*h2)
  end subroutine face

  function speed(q, depth) result(u)
    real(8), intent(in) :: q, depth
    real(8) :: u
    if (depth > dry) then
      u = q/depth
    else
      u = 0d0
    end if
  end function speed

  subroutine tendencies()
    integer :: i, j
    real(8) :: f0, f1, f2, bl, br
    dh = 0d0
    dqx = 0d0
    dqy = 0d0
    do j = 1, ny
      do i = 1, nx + 1
        call face(h(i-1, j), h(i, j), speed(qx(i-1, j), h(i-1, j)), speed(qx(i, j), h(i, j)), &
                  speed(qy(i-1, j), h(i-1, j)), speed(qy(i, j), h(i, j)), z(i-1, j), z(i, j), f0, f1, f2, bl, br)
        if (i > 1) then
          dh(i-1, j) = dh(i-1, j) - f0/dx
          dqx(i-1, j) = dqx(i-1, j) - (f1 + bl)/dx
          dqy(i-1, j) = dqy(i-1, j) - f2/dx
        end if
        if (i <= nx) then
          dh(i, j) = dh(i, j) + f0/dx
          dqx(i, j) = dqx(i, j) + (f1 + br)/dx
          dqy(i, j) = dqy(i, j) + f2/dx
        end if
      end do
    end do
    do j = 1, ny + 1
      do i = 1, nx
        call face(h(i, j-1), h(i, j), speed(qy(i, j-1), h(i, j-1)), speed(qy(i, j), h(i, j)), &
                  speed(qx(i, j-1), h(i, j-1)), speed(qx(i, j), h(i, j)), z(i, j-1), z(i, j), f0, f1, f2, bl, br)
        if (j > 1) then
          dh(i, j-1) = dh(i, j-1) - f0/dx
          dqy(i, j-1) = dqy(i, j-1) - (f1 + bl)/dx
          dqx(i, j-1) = dqx(i, j-1) - f2/dx
        end if
        if (j <= ny) then
          dh(i, j) = dh(i, j) + f0/dx
          dqy(i, j) = dqy(i, j) + (f1 + br)/dx
          dqx(i, j) = dqx(i, j) + f2/dx
        end if
      end do
    end do
  end subroutine tendencies

  subroutine advance(manning)
    real(8), intent(in) :: manning(nx, ny)
    integer :: i, j
    real(8) :: u, v, fric
    do j = 1, ny
      do i = 1, nx
        h(i, j) = h(i, j) + dt*dh(i, j)
        if (h(i, j) <= dry) then
          h(i, j) = max(h(i, j), 0d0)
          qx(i, j) = 0d0
          qy(i, j) = 0d0
        else
          qx(i, j) = qx(i, j) + dt*dqx(i, j)
          qy(i, j) = qy(i, j) + dt*dqy(i, j)
          u = qx(i, j)/h(i, j)
          v = qy(i, j)/h(i, j)
          fric = 1d0 + dt*g*manning(i, j)**2*1d-3*sqrt(u*u + v*v + 1d-8)/h(i, j)**(4d0/3d0)
          qx(i, j) = qx(i, j)/fric
          qy(i, j) = qy(i, j)/fric
        end if
      end do
    end do
  end subroutine advance
end module flood_grid

subroutine flood(nt, bed, manning, inflow, gauge, misfit)
  use flood_grid
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: bed(nx, ny), manning(nx, ny), inflow(nt), gauge(ng, nt)
  real(8), intent(out) :: misfit
  integer :: it, k, i, j
  z = 3d0
  do j = 1, ny
    do i = 1, nx
      z(i, j) = bed(i, j) + 0.1d0*i
    end do
  end do
  h = 0d0
  qx = 0d0
  qy = 0d0
  do j = 1, ny
    do i = 1, nx
      h(i, j) = max(0d0, 1.2d0 - z(i, j))
    end do
  end do
  dt = 0.05d0
  misfit = 0d0
  do it = 1, nt
    h(1, 3) = h(1, 3) + dt*inflow(it)
    call ghosts()
    call tendencies()
    call advance(manning)
    do k = 1, ng
      misfit = misfit + (h(gi(k), gj(k)) + z(gi(k), gj(k)) - gauge(k, it))**2
    end do
  end do
end subroutine flood
