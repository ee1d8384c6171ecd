! Waves and mud in an estuary: fixed-point dispersion relation, bed layers in a module, erosion thresholds.
module bed_module
  implicit none
  integer, parameter :: most = 8
  real(8) :: bed(2, most), conc(most), depth(most)
  real(8) :: tau_c, settle
contains
  subroutine bed_setup(n, h, par)
    integer, intent(in) :: n
    real(8), intent(in) :: h(n), par(2)
    bed(1, :) = 0.1d0
    bed(2, :) = 0.5d0
    conc = 0.05d0
    depth = 1d0
    depth(1:n) = 1d0 + h
    tau_c = 0.1d0*par(1)
    settle = 0.2d0*par(2)
  end subroutine bed_setup
end module bed_module
subroutine mudbed(h, wind, par, turb, n, nt)
  use bed_module
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: h(n), wind(nt), par(2)
  real(8), intent(out) :: turb
  real(8) :: tau(n), k
  integer :: it, i
  call bed_setup(n, h, par)
  turb = 0d0
  do it = 1, nt
    do i = 1, n
      call dispersion(depth(i), 1.2d0, k)
      call stress(wind(it), depth(i), k, tau(i))
    end do
    call erosion(tau, 0.1d0, n)
    call mixing(0.05d0, n)
    turb = turb + sum(conc(1:n))/n
  end do
end subroutine mudbed
subroutine dispersion(d, omega, k)
  implicit none
  real(8), intent(in) :: d, omega
  real(8), intent(out) :: k
  real(8) :: k0, f, df
  integer :: it
  k0 = omega**2
  k = k0/sqrt(tanh(k0*d))
  do it = 1, 5
    f = k*tanh(k*d) - k0
    df = tanh(k*d) + k*d/cosh(k*d)**2
    k = k - f/df
    if (abs(f) < 1d-10) exit
  end do
end subroutine dispersion
subroutine stress(wind, d, k, tau)
  implicit none
  real(8), intent(in) :: wind, d, k
  real(8), intent(out) :: tau
  real(8) :: height, ub, fw
  height = 0.2d0*wind**2*tanh(0.5d0*d/wind)
  ub = height/sinh(k*d)
  fw = 0.1d0*ub**(-0.25d0)
  tau = 0.5d0*fw*ub**2
end subroutine stress
subroutine erosion(tau, dt, n)
  use bed_module
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: tau(n), dt
  real(8) :: e, d, room
  integer :: i, l
  do i = 1, n
    e = 0d0
    if (tau(i) > tau_c) e = 0.3d0*(tau(i)/tau_c - 1d0)*dt
    d = settle*conc(i)*max(0d0, 1d0 - tau(i)/(2d0*tau_c))*dt
    do l = 1, 2
      room = min(e, bed(l, i))
      bed(l, i) = bed(l, i) - room
      conc(i) = conc(i) + room/depth(i)
      e = 0.5d0*(e - room)
      if (e <= 0d0) exit
    end do
    bed(1, i) = bed(1, i) + d
    conc(i) = conc(i) - d/depth(i)
    depth(i) = depth(i) + 0.01d0*(e - d)*depth(i)
  end do
end subroutine erosion
subroutine mixing(kap, n)
  use bed_module
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: kap
  real(8) :: left, here
  integer :: i
  left = conc(1)
  do i = 2, n - 1
    here = conc(i)
    conc(i) = here + kap*depth(i)*(left - 2d0*here + conc(i+1))
    left = here
  end do
end subroutine mixing
