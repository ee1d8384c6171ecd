! A star's structure by shooting: opacity and energy tables in temperature and density (bilinear in logarithms), outward
! integration by Runge and Kutta, secant steps on the central pressure.
module tables
  implicit none
  integer, parameter :: nt = 5, nr = 4
  real(8) :: lt(nt), lr(nr), opac(nt, nr)
contains
  subroutine fill(zmet)
    real(8), intent(in) :: zmet
    integer :: i, j
    do i = 1, nt
      lt(i) = -2d0 + 0.8d0*i
    end do
    do j = 1, nr
      lr(j) = -3d0 + 1.2d0*j
    end do
    do j = 1, nr
      do i = 1, nt
        opac(i, j) = log(0.2d0 + 0.5d0*zmet*exp(0.4d0*lr(j) - 0.7d0*lt(i)))
      end do
    end do
  end subroutine fill
  integer function locate(n, x, v)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), v
    integer :: lo, hi, mid
    lo = 1
    hi = n
    do while (hi - lo > 1)
      mid = (lo + hi)/2
      if (v >= x(mid)) then
        lo = mid
      else
        hi = mid
      end if
    end do
    locate = lo
  end function locate
  real(8) function kappa(rho, t)
    real(8), intent(in) :: rho, t
    real(8) :: x, y, a, b
    integer :: i, j
    x = log(t)
    y = log(rho)
    i = locate(nt, lt, x)
    j = locate(nr, lr, y)
    a = (x - lt(i))/(lt(i+1) - lt(i))
    b = (y - lr(j))/(lr(j+1) - lr(j))
    kappa = exp((1d0 - a)*(1d0 - b)*opac(i, j) + a*(1d0 - b)*opac(i+1, j) &
          + (1d0 - a)*b*opac(i, j+1) + a*b*opac(i+1, j+1))
  end function kappa
end module tables
module structure
  use tables
  implicit none
contains
  real(8) function eos(p, t, mu)
    real(8), intent(in) :: p, t, mu
    real(8) :: prad
    prad = 0.01d0*t**4
    eos = max(p - prad, 0.02d0*p)*mu/t
  end function eos
  subroutine rhs(r, y, mu, dy)
    real(8), intent(in) :: r, y(4), mu
    real(8), intent(out) :: dy(4)
    real(8) :: rho, k, eps, grad, gad
    rho = eos(y(2), y(4), mu)
    k = kappa(rho, y(4))
    eps = 0.6d0*rho*y(4)**4
    dy(1) = 3d0*r*r*rho
    dy(2) = -y(1)*rho/(r*r)
    dy(3) = 3d0*r*r*rho*eps
    grad = -0.1d0*k*rho*y(3)/(r*r*y(4)**3)
    gad = 0.4d0*y(4)/y(2)*dy(2)
    if (grad < gad) grad = gad
    dy(4) = grad
  end subroutine rhs
  subroutine shoot(pc, tc, mu, nstep, y)
    real(8), intent(in) :: pc, tc, mu
    integer, intent(in) :: nstep
    real(8), intent(out) :: y(4)
    real(8) :: k1(4), k2(4), k3(4), k4(4), r, h
    integer :: i
    h = 0.6d0/nstep
    r = 0.05d0
    y(1) = r**3*eos(pc, tc, mu)
    y(2) = pc
    y(3) = 0.01d0*y(1)
    y(4) = tc
    do i = 1, nstep
      call rhs(r, y, mu, k1)
      call rhs(r + 0.5d0*h, y + 0.5d0*h*k1, mu, k2)
      call rhs(r + 0.5d0*h, y + 0.5d0*h*k2, mu, k3)
      call rhs(r + h, y + h*k3, mu, k4)
      y = y + h/6d0*(k1 + 2d0*k2 + 2d0*k3 + k4)
      y(2) = max(y(2), 0.05d0)
      y(4) = max(y(4), 0.1d0)
      r = r + h
    end do
  end subroutine shoot
end module structure
subroutine star(zmet, mu, tc, target, lum, nstep)
  use structure
  implicit none
  integer, intent(in) :: nstep
  real(8), intent(in) :: zmet, mu, tc, target
  real(8), intent(out) :: lum
  real(8) :: p0, p1, f0, f1, pn, y(4)
  integer :: it
  call fill(zmet)
  p0 = 1.2d0
  p1 = 1.4d0
  call shoot(p0, tc, mu, nstep, y)
  f0 = y(1) - 0.5d0*target
  do it = 1, 4
    call shoot(p1, tc, mu, nstep, y)
    f1 = y(1) - 0.5d0*target
    if (abs(f1) < 1d-6 .or. abs(f1 - f0) < 1d-9) exit
    pn = p1 - f1*(p1 - p0)/(f1 - f0)
    pn = min(max(pn, 0.6d0), 2.5d0)
    p0 = p1
    f0 = f1
    p1 = pn
  end do
  lum = y(3) + 0.1d0*p1
end subroutine star
