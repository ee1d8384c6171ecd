! Ocean tracers on a masked C grid: flux-corrected transport after Zalesak, implicit vertical mixing, surface forcing.
module ocean
  implicit none
  integer, parameter :: nx = 5, ny = 4, nz = 3
  real(8), parameter :: small = 1d-12
  real(8) :: mask(0:nx+1, 0:ny+1, nz)
contains
  subroutine init_mask()
    integer :: i, j, k
    do k = 1, nz
      do j = 0, ny + 1
        do i = 0, nx + 1
          mask(i, j, k) = 1d0
          if (i == 0 .or. i == nx + 1 .or. j == 0 .or. j == ny + 1) mask(i, j, k) = 0d0
          if (i >= 4 .and. k == nz) mask(i, j, k) = 0d0
        end do
      end do
    end do
    mask(3, 2, :) = 0d0
  end subroutine init_mask
  subroutine fct(tr, u, v, dt)
    real(8), intent(inout) :: tr(0:nx+1, 0:ny+1, nz)
    real(8), intent(in) :: u(0:nx, ny, nz), v(nx, 0:ny, nz), dt
    real(8) :: fx(0:nx, ny), fy(nx, 0:ny), ax(0:nx, ny), ay(nx, 0:ny)
    real(8) :: td(0:nx+1, 0:ny+1), rp(0:nx+1, 0:ny+1), rm(0:nx+1, 0:ny+1)
    real(8) :: tmax, tmin, pp, pm, c
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        do i = 0, nx
          fx(i, j) = max(u(i, j, k), 0d0)*tr(i, j, k) + min(u(i, j, k), 0d0)*tr(i+1, j, k)
          ax(i, j) = 0.5d0*u(i, j, k)*(tr(i, j, k) + tr(i+1, j, k)) - fx(i, j)
        end do
      end do
      do j = 0, ny
        do i = 1, nx
          fy(i, j) = max(v(i, j, k), 0d0)*tr(i, j, k) + min(v(i, j, k), 0d0)*tr(i, j+1, k)
          ay(i, j) = 0.5d0*v(i, j, k)*(tr(i, j, k) + tr(i, j+1, k)) - fy(i, j)
        end do
      end do
      td = tr(:, :, k)
      do j = 1, ny
        do i = 1, nx
          td(i, j) = tr(i, j, k) - dt*mask(i, j, k)*(fx(i, j) - fx(i-1, j) + fy(i, j) - fy(i, j-1))
        end do
      end do
      rp = 0d0
      rm = 0d0
      do j = 1, ny
        do i = 1, nx
          if (mask(i, j, k) < 0.5d0) cycle
          tmax = max(td(i, j), tr(i, j, k))
          tmin = min(td(i, j), tr(i, j, k))
          if (mask(i-1, j, k) > 0d0) tmax = max(tmax, td(i-1, j), tr(i-1, j, k))
          if (mask(i-1, j, k) > 0d0) tmin = min(tmin, td(i-1, j), tr(i-1, j, k))
          if (mask(i+1, j, k) > 0d0) tmax = max(tmax, td(i+1, j), tr(i+1, j, k))
          if (mask(i+1, j, k) > 0d0) tmin = min(tmin, td(i+1, j), tr(i+1, j, k))
          pp = max(ax(i-1, j), 0d0) - min(ax(i, j), 0d0) + max(ay(i, j-1), 0d0) - min(ay(i, j), 0d0)
          pm = max(ax(i, j), 0d0) - min(ax(i-1, j), 0d0) + max(ay(i, j), 0d0) - min(ay(i, j-1), 0d0)
          rp(i, j) = min(1d0, (tmax - td(i, j))/(dt*pp + small))
          rm(i, j) = min(1d0, (td(i, j) - tmin)/(dt*pm + small))
        end do
      end do
      do j = 1, ny
        do i = 1, nx - 1
          if (ax(i, j) >= 0d0) then
            c = min(rp(i+1, j), rm(i, j))
          else
            c = min(rp(i, j), rm(i+1, j))
          end if
          ax(i, j) = c*ax(i, j)
        end do
        ax(0, j) = 0d0
        ax(nx, j) = 0d0
      end do
      do j = 1, ny - 1
        do i = 1, nx
          if (ay(i, j) >= 0d0) then
            c = min(rp(i, j+1), rm(i, j))
          else
            c = min(rp(i, j), rm(i, j+1))
          end if
          ay(i, j) = c*ay(i, j)
        end do
      end do
      ay(:, 0) = 0d0
      ay(:, ny) = 0d0
      do j = 1, ny
        do i = 1, nx
          tr(i, j, k) = td(i, j) - dt*mask(i, j, k)*(ax(i, j) - ax(i-1, j) + ay(i, j) - ay(i, j-1))
        end do
      end do
    end do
  end subroutine fct
  subroutine vmix(tr, kv, flux, dt)
    real(8), intent(inout) :: tr(0:nx+1, 0:ny+1, nz)
    real(8), intent(in) :: kv, flux(nx, ny), dt
    real(8) :: a(nz), b(nz), c(nz), d(nz), ri, k1
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        if (mask(i, j, 1) == 0d0) cycle
        a(1) = 0d0
        do k = 1, nz - 1
          ri = tr(i, j, k+1) - tr(i, j, k)
          k1 = kv
          if (ri > 0d0) k1 = kv*(1d0 + 5d0*ri)
          c(k) = -dt*k1*mask(i, j, k+1)
          a(k+1) = c(k)
        end do
        c(nz) = 0d0
        do k = 1, nz
          b(k) = 1d0 - a(k) - c(k)
          d(k) = tr(i, j, k)
        end do
        d(1) = d(1) + dt*flux(i, j)
        do k = 2, nz
          b(k) = b(k) - a(k)*c(k-1)/b(k-1)
          d(k) = d(k) - a(k)*d(k-1)/b(k-1)
        end do
        tr(i, j, nz) = d(nz)/b(nz)
        do k = nz - 1, 1, -1
          tr(i, j, k) = (d(k) - c(k)*tr(i, j, k+1))/b(k)
        end do
      end do
    end do
  end subroutine vmix
end module ocean
subroutine zalesak(nt, t0, psi, flux, kv, cost)
  use ocean
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: t0(nx, ny, nz), psi(0:nx, 0:ny), flux(nx, ny), kv
  real(8), intent(out) :: cost
  real(8) :: tr(0:nx+1, 0:ny+1, nz), u(0:nx, ny, nz), v(nx, 0:ny, nz)
  integer :: it, i, j, k
  call init_mask()
  tr = 1d0
  tr(1:nx, 1:ny, :) = t0
  do k = 1, nz
    do j = 1, ny
      do i = 0, nx
        u(i, j, k) = (psi(i, j) - psi(i, j-1))*mask(i, j, k)*mask(i+1, j, k)
      end do
    end do
    do j = 0, ny
      do i = 1, nx
        v(i, j, k) = -(psi(i, j) - psi(i-1, j))*mask(i, j, k)*mask(i, j+1, k)
      end do
    end do
  end do
  do it = 1, nt
    call fct(tr, u, v, 0.1d0)
    call vmix(tr, kv, flux, 0.1d0)
  end do
  cost = sum(tr(1:nx, 1:ny, :)**2*mask(1:nx, 1:ny, :))
end subroutine zalesak
