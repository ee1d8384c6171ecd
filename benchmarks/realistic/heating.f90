! Radiative transfer and heating in layers: array functions, spectral bands with tables in a module, a bisected table.
module gas_tables
  implicit none
  integer, parameter :: nband = 3, ntab = 4
  real(8), parameter :: ptab(ntab) = (/ 0.1d0, 0.4d0, 0.8d0, 1.2d0 /)
  real(8), parameter :: ktab(ntab, nband) = reshape((/ 0.2d0, 0.3d0, 0.5d0, 0.6d0, 1.0d0, 1.2d0, 1.5d0, 1.9d0, &
    3.0d0, 3.5d0, 4.2d0, 5.0d0 /), (/ ntab, nband /))
  real(8), parameter :: wband(nband) = (/ 0.5d0, 0.3d0, 0.2d0 /)
contains
  subroutine locate(p, k, f)
    real(8), intent(in) :: p
    integer, intent(out) :: k
    real(8), intent(out) :: f
    do k = 1, ntab - 2
      if (p < ptab(k+1)) exit
    end do
    f = (p - ptab(k))/(ptab(k+1) - ptab(k))
  end subroutine locate
  function absorption(p, t, ib) result(a)
    real(8), intent(in) :: p, t
    integer, intent(in) :: ib
    real(8) :: a, f
    integer :: k
    call locate(p, k, f)
    a = ktab(k, ib)*(1d0 - f) + ktab(k+1, ib)*f
    a = a*sqrt(t/2.5d0)
  end function absorption
end module gas_tables
subroutine heating(t0, gas, albedo, cost, n, nt)
  use gas_tables
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: t0(n), gas(n), albedo
  real(8), intent(out) :: cost
  real(8) :: t(n), heat(n), p(n)
  integer :: it, k
  t = 2d0 + 0.2d0*t0
  do k = 1, n
    p(k) = 0.15d0 + 0.9d0*(k - 0.5d0)/n
  end do
  do it = 1, nt
    heat = 0d0
    call longwave(t, p, gas, heat, n)
    call shortwave(t, p, gas, albedo, heat, n)
    t = t + 0.05d0*heat
    call convect(t, n)
  end do
  cost = sum((t - 2d0)**2)
end subroutine heating
subroutine longwave(t, p, gas, heat, n)
  use gas_tables
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(n), p(n), gas(n)
  real(8), intent(inout) :: heat(n)
  real(8) :: up(0:n), down(0:n), tau(n), b(n)
  integer :: k, ib
  do ib = 1, nband
    do k = 1, n
      tau(k) = exp(-0.2d0*gas(k)*absorption(p(k), t(k), ib))
      b(k) = wband(ib)*0.05d0*t(k)**4
    end do
    down(0) = 0d0
    do k = 1, n
      down(k) = down(k-1)*tau(k) + b(k)*(1d0 - tau(k))
    end do
    up(n) = 0.8d0*b(n) + 0.2d0*down(n)
    do k = n, 1, -1
      up(k-1) = up(k)*tau(k) + b(k)*(1d0 - tau(k))
    end do
    do k = 1, n
      heat(k) = heat(k) + up(k) - up(k-1) + down(k-1) - down(k)
    end do
  end do
end subroutine longwave
subroutine shortwave(t, p, gas, albedo, heat, n)
  use gas_tables
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(n), p(n), gas(n), albedo
  real(8), intent(inout) :: heat(n)
  real(8) :: beam, refl, abso
  integer :: k
  beam = 0.5d0
  do k = 1, n
    abso = 1d0 - exp(-0.1d0*gas(k)*absorption(p(k), t(k), 2))
    heat(k) = heat(k) + beam*abso
    beam = beam*(1d0 - abso)
  end do
  refl = albedo*0.3d0*beam
  do k = n, 1, -1
    abso = 1d0 - exp(-0.05d0*gas(k))
    heat(k) = heat(k) + refl*abso
    refl = refl*(1d0 - abso)
  end do
end subroutine shortwave
subroutine convect(t, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: t(n)
  integer :: k, pass
  real(8) :: mean
  logical :: stable
  do pass = 1, 5
    stable = .true.
    do k = 1, n - 1
      if (t(k+1) - t(k) > 0.1d0) then
        mean = 0.5d0*(t(k) + t(k+1))
        t(k) = mean - 0.05d0
        t(k+1) = mean + 0.05d0*mean/(1d0 + mean)
        stable = .false.
      end if
    end do
    if (stable) exit
  end do
end subroutine convect
