! Vertical mixing of a water column in modules: grid in a type, tracers in a 2-d array, a tridiagonal work space.
module grid_mod
  implicit none
  integer, parameter :: nz = 6, ntr = 2
  type grid_type
    real(8) :: dz(nz), zw(0:nz)
  end type grid_type
  type forcing_type
    real(8) :: tau, heat, fresh
  end type forcing_type
contains
  subroutine make_grid(g, depth)
    type(grid_type), intent(out) :: g
    real(8), intent(in) :: depth
    integer :: k
    g%zw(0) = 0d0
    do k = 1, nz
      g%dz(k) = depth/nz*(0.7d0 + 0.1d0*k)
      g%zw(k) = g%zw(k-1) + g%dz(k)
    end do
  end subroutine make_grid
end module grid_mod
module mixing_mod
  use grid_mod
  implicit none
  real(8) :: kv(0:nz), n2(0:nz), s2(0:nz)
contains
  subroutine stratification(g, tr, u)
    type(grid_type), intent(in) :: g
    real(8), intent(in) :: tr(nz, ntr), u(nz)
    integer :: k
    real(8) :: dzm
    do k = 1, nz - 1
      dzm = 0.5d0*(g%dz(k) + g%dz(k+1))
      n2(k) = (0.2d0*(tr(k, 1) - tr(k+1, 1)) - 0.8d0*(tr(k, 2) - tr(k+1, 2)))/dzm
      s2(k) = ((u(k) - u(k+1))/dzm)**2 + 1d-3
    end do
  end subroutine stratification
  subroutine diffusivity(tau)
    real(8), intent(in) :: tau
    real(8) :: ri
    integer :: k
    kv(0) = 0d0
    kv(nz) = 0d0
    do k = 1, nz - 1
      ri = n2(k)/s2(k)
      if (ri < 0d0) then
        kv(k) = 0.1d0
      else if (ri < 0.7d0) then
        kv(k) = 0.01d0 + 0.05d0*(1d0 - (ri/0.7d0)**2)**3*tau
      else
        kv(k) = 0.01d0/(1d0 + ri)
      end if
    end do
  end subroutine diffusivity
  subroutine implicit_mix(g, x, top, dt)
    type(grid_type), intent(in) :: g
    real(8), intent(inout) :: x(nz)
    real(8), intent(in) :: top, dt
    real(8) :: a(nz), b(nz), c(nz), gam(nz), bet
    integer :: k
    do k = 1, nz
      a(k) = 0d0
      c(k) = 0d0
      if (k > 1) a(k) = -dt*kv(k-1)/(g%dz(k)*0.5d0*(g%dz(k) + g%dz(k-1)))
      if (k < nz) c(k) = -dt*kv(k)/(g%dz(k)*0.5d0*(g%dz(k) + g%dz(k+1)))
      b(k) = 1d0 - a(k) - c(k)
    end do
    x(1) = x(1) + dt*top/g%dz(1)
    bet = b(1)
    x(1) = x(1)/bet
    do k = 2, nz
      gam(k) = c(k-1)/bet
      bet = b(k) - a(k)*gam(k)
      x(k) = (x(k) - a(k)*x(k-1))/bet
    end do
    do k = nz - 1, 1, -1
      x(k) = x(k) - gam(k+1)*x(k+1)
    end do
  end subroutine implicit_mix
end module mixing_mod
subroutine vertmix(t0, wind, heat, cost, nt)
  use mixing_mod
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: t0(nz), wind(nt), heat(nt)
  real(8), intent(out) :: cost
  type(grid_type) :: g
  type(forcing_type) :: f
  real(8) :: tr(nz, ntr), u(nz)
  integer :: it, m
  call make_grid(g, 3d0)
  tr(:, 1) = 1d0 + 0.1d0*t0
  tr(:, 2) = 0.3d0
  u = 0.05d0
  cost = 0d0
  do it = 1, nt
    f%tau = 0.1d0*wind(it)**2
    f%heat = 0.1d0*heat(it)
    f%fresh = -0.02d0*wind(it)
    call stratification(g, tr, u)
    call diffusivity(f%tau)
    call implicit_mix(g, u, f%tau, 0.5d0)
    do m = 1, ntr
      if (m == 1) then
        call implicit_mix(g, tr(:, m), f%heat, 0.5d0)
      else
        call implicit_mix(g, tr(1, m), f%fresh*tr(1, m), 0.5d0)
      end if
    end do
    cost = cost + tr(1, 1)**2*g%dz(1)
  end do
end subroutine vertmix
