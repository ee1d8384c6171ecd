! Frozen ground: enthalpy in layers, old and new columns change places, snow on top.
module ground
  implicit none
  integer, parameter :: nz = 8
  type column
    real(8) :: cond(nz), heat(nz)
    real(8), dimension(nz) :: water
    real(8) :: snow
  end type column
contains
  subroutine properties(col, t)
    type(column), intent(inout) :: col
    real(8), intent(in) :: t(nz)
    real(8) :: frozen
    integer :: k
    do k = 1, nz
      frozen = 1.0d0/(1.0d0 + exp(4.0d0*t(k)))
      col%cond(k) = (0.6d0 + 1.6d0*frozen)*col%water(k) + 0.3d0
      col%heat(k) = 2.0d0 + (4.2d0 - 2.1d0*frozen)*col%water(k) + 30.0d0*col%water(k)*frozen*(1.0d0 - frozen)
    end do
  end subroutine properties

  subroutine heat_step(col, told, tnew, ts, dt)
    type(column), intent(in) :: col
    real(8), intent(in) :: told(nz), ts, dt
    real(8), intent(out) :: tnew(nz)
    real(8) :: flux(0:nz)
    integer :: k
    flux(0) = (ts - told(1))/(0.5d0/col%cond(1) + col%snow/0.2d0)
    do k = 1, nz - 1
      flux(k) = 2.0d0*(told(k) - told(k + 1))/(1.0d0/col%cond(k) + 1.0d0/col%cond(k + 1))
    end do
    flux(nz) = -0.05d0
    do k = 1, nz
      tnew(k) = told(k) + dt*(flux(k - 1) - flux(k))/col%heat(k)
    end do
  end subroutine heat_step

  subroutine infiltrate(w, t, rain)
    real(8), intent(inout) :: w(:)
    real(8), intent(in) :: t(:), rain
    real(8) :: flow, perm
    integer :: k
    flow = rain
    do k = 1, size(w)
      perm = w(k)**2/(1.0d0 + exp(-3.0d0*t(k)))
      w(k) = w(k) + 0.1d0*(flow - perm)
      flow = perm
    end do
  end subroutine infiltrate
end module ground

subroutine permafrost(w0, tair, precip, cost)
  use ground
  implicit none
  real(8), intent(in) :: w0(nz), tair(6), precip(6)
  real(8), intent(out) :: cost
  real(8) :: t(nz, 2)
  integer :: old, new
  type(column) :: col
  real(8) :: ts, rain
  integer :: day, k
  col%water = 0.3d0*w0
  col%snow = 0.2d0
  do k = 1, nz
    t(k, 1) = -2.0d0 + 0.3d0*k
  end do
  old = 1
  new = 2
  cost = 0.0d0
  do day = 1, 6
    ts = 6.0d0*(tair(day) - 1.0d0)
    if (ts < 0.0d0) then
      col%snow = col%snow + 0.1d0*precip(day)
      rain = 0.0d0
    else
      rain = precip(day) + col%snow*0.3d0
      col%snow = 0.7d0*col%snow
    end if
    call properties(col, t(:, old))
    call heat_step(col, t(:, old), t(:, new), ts, 0.2d0)
    call infiltrate(col%water, t(:, new), rain)
    old = new
    new = 3 - old
    cost = cost + t(nz, old)**2 + 0.1d0*col%water(2)
  end do
end subroutine permafrost
