! Sea ice on a masked grid: WHERE, MERGE and reductions over ocean points; albedo and growth by branches.
module ice_constants
  implicit none
  real(8), parameter :: tfreeze = -0.18d0, tmelt = 0d0, lat = 3d0, kice = 0.2d0, sigma = 0.05d0
end module ice_constants
subroutine seaice(hice0, sst0, solar, tair, volume, nx, ny, nt)
  use ice_constants
  implicit none
  integer, intent(in) :: nx, ny, nt
  real(8), intent(in) :: hice0(nx, ny), sst0(nx, ny), solar(nt), tair(nt)
  real(8), intent(out) :: volume
  real(8) :: hice(nx, ny), sst(nx, ny), conc(nx, ny), flux(nx, ny), alb(nx, ny)
  logical :: ocean(nx, ny)
  integer :: i, j, it
  do j = 1, ny
    do i = 1, nx
      ocean(i, j) = mod(i*j, 4) /= 3
    end do
  end do
  hice = 0d0
  sst = 0d0
  where (ocean)
    hice = hice0
    sst = 0.1d0*sst0
  end where
  conc = 0.5d0
  do it = 1, nt
    call albedo(hice, conc, alb, ocean, nx, ny)
    call surface_flux(hice, sst, alb, solar(it), tair(it), flux, ocean, nx, ny)
    call grow(hice, sst, conc, flux, ocean, nx, ny)
    call drift(hice, conc, ocean, nx, ny)
  end do
  volume = sum(hice*conc, mask=ocean)
end subroutine seaice
subroutine albedo(hice, conc, alb, ocean, nx, ny)
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(in) :: hice(nx, ny), conc(nx, ny)
  real(8), intent(out) :: alb(nx, ny)
  logical, intent(in) :: ocean(nx, ny)
  where (ocean)
    alb = 0.1d0 + conc*(0.5d0*(1d0 - exp(-hice/0.3d0)))
  elsewhere
    alb = 0.2d0
  end where
end subroutine albedo
subroutine surface_flux(hice, sst, alb, solar, tair, flux, ocean, nx, ny)
  use ice_constants
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(in) :: hice(nx, ny), sst(nx, ny), alb(nx, ny), solar, tair
  real(8), intent(out) :: flux(nx, ny)
  logical, intent(in) :: ocean(nx, ny)
  real(8) :: ts, q
  integer :: i, j, k
  do j = 1, ny
    do i = 1, nx
      if (.not. ocean(i, j)) then
        flux(i, j) = 0d0
        cycle
      end if
      ts = tair - 1d0
      do k = 1, 3
        q = (1d0 - alb(i, j))*solar*0.3d0 - sigma*(1d0 + ts)**4 + kice*(tfreeze - ts)/(hice(i, j) + 0.1d0)
        ts = ts + 0.2d0*q
      end do
      if (ts > tmelt) ts = tmelt
      flux(i, j) = (1d0 - alb(i, j))*solar*0.3d0 - sigma*(1d0 + ts)**4 + 0.1d0*(tair - 1d0 - sst(i, j))
    end do
  end do
end subroutine surface_flux
subroutine grow(hice, sst, conc, flux, ocean, nx, ny)
  use ice_constants
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(inout) :: hice(nx, ny), sst(nx, ny), conc(nx, ny)
  real(8), intent(in) :: flux(nx, ny)
  logical, intent(in) :: ocean(nx, ny)
  real(8) :: excess(nx, ny)
  where (ocean)
    sst = sst + 0.1d0*flux
    excess = min(sst - tfreeze, 0d0)
    hice = hice - excess*lat - 0.02d0*max(sst, 0d0)*hice
    sst = sst - excess
  end where
  where (hice < 0.01d0) hice = 0.01d0
  conc = hice/(hice + 0.3d0)
end subroutine grow
subroutine drift(hice, conc, ocean, nx, ny)
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(inout) :: hice(nx, ny), conc(nx, ny)
  logical, intent(in) :: ocean(nx, ny)
  real(8) :: fx(0:nx, ny)
  integer :: i, j
  fx(0, :) = 0d0
  fx(nx, :) = 0d0
  do j = 1, ny
    do i = 1, nx - 1
      fx(i, j) = 0.05d0*conc(i, j)*hice(i, j)
      if (.not. (ocean(i, j) .and. ocean(i+1, j))) fx(i, j) = 0d0
    end do
  end do
  where (ocean) hice = hice - (fx(1:nx, :) - fx(0:nx-1, :))
  conc = min(conc*1.02d0, 0.99d0)
end subroutine drift
