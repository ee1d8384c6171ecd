! Tracers in an ocean's section: upwind by branches, a mask, mixing by stability, convection where it is unstable.
module eos
  implicit none
contains
  real(8) function density(t, s)
    real(8), intent(in) :: t, s
    density = 1000.0d0*(1.0d0 - 2.0d-4*(t - 10.0d0) + 8.0d-4*(s - 35.0d0) + 5.0d-6*(t - 10.0d0)**2)
  end function density

  subroutine convect(t, s, n, count)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n), s(n)
    integer, intent(inout) :: count
    real(8) :: up, down, mean
    integer :: k
    do k = 1, n - 1
      up = density(t(k), s(k))
      down = density(t(k+1), s(k+1))
      if (up > down) then
        mean = 0.5d0*(t(k) + t(k+1))
        t(k) = mean + 0.1d0*(t(k) - mean)*(t(k) - mean)
        t(k+1) = mean
        mean = 0.5d0*(s(k) + s(k+1))
        s(k) = mean
        s(k+1) = mean
        count = count + 1
      end if
    end do
  end subroutine convect

  subroutine mixing(t, s, n, kv)
    integer, intent(in) :: n
    real(8), intent(in) :: t(n), s(n)
    real(8), intent(out) :: kv(n)
    real(8) :: ri, drho
    integer :: k
    kv(1) = 0.0d0
    do k = 2, n
      drho = density(t(k), s(k)) - density(t(k-1), s(k-1))
      ri = 10.0d0*drho
      if (ri > 0.0d0) then
        kv(k) = 0.01d0 + 0.1d0/(1.0d0 + 5.0d0*ri)**2
      else
        kv(k) = 0.2d0
      end if
    end do
  end subroutine mixing
end module eos

subroutine ocean(t0, wind, heat, cost, nx, nz, nt)
  use eos
  implicit none
  integer, intent(in) :: nx, nz, nt
  real(8), intent(in) :: t0(nx, nz), wind(nx), heat
  real(8), intent(out) :: cost
  real(8) :: t(nx, nz), s(nx, nz), u(nx, nz), tn(nx, nz), kv(nz), col(nz), sal(nz), f(nz+1)
  logical :: wet(nx, nz)
  integer :: i, k, step, count
  real(8) :: up, flux
  count = 0
  do k = 1, nz
    do i = 1, nx
      t(i, k) = 10.0d0 + t0(i, k) - 0.5d0*k
      s(i, k) = 35.0d0 + 0.05d0*k
      wet(i, k) = .not. (i == 2 .and. k == nz)
    end do
  end do
  do step = 1, nt
    do k = 1, nz
      do i = 1, nx
        u(i, k) = 0.3d0*wind(i)*exp(-0.5d0*k)*(1.0d0 + 0.01d0*t(i, 1))
      end do
    end do
    where (.not. wet) u = 0.0d0
    do k = 1, nz
      do i = 1, nx
        if (u(i, k) > 0.0d0 .and. i > 1) then
          up = t(i-1, k)
        else
          up = t(i, k)
        end if
        flux = u(i, k)*(t(i, k) - up)
        if (.not. wet(i, k)) flux = 0.0d0
        tn(i, k) = t(i, k) - 0.1d0*flux
      end do
    end do
    t = tn
    do i = 1, nx
      col = t(i, :)
      sal = s(i, :)
      call mixing(col, sal, nz, kv)
      f(1) = heat*0.1d0
      do k = 2, nz
        f(k) = kv(k)*(col(k-1) - col(k))
      end do
      f(nz+1) = 0.0d0
      do k = 1, nz
        col(k) = col(k) + 0.1d0*(f(k) - f(k+1))
      end do
      call convect(col, sal, nz, count)
      t(i, :) = col
      s(i, :) = sal
    end do
  end do
  cost = 0.0d0
  do i = 1, nx
    cost = cost + t(i, 1)**2 + t(i, nz)*s(i, 1)
  end do
end subroutine ocean
