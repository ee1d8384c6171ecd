! A diode by Gummel's iteration: potential by damped Newton on Poisson's equation, electrons and holes by Scharfetter-Gummel
! fluxes with a Bernoulli function in branches, recombination, a bias ramp; iterations that leave when they have settled.
module device
  implicit none
  integer, parameter :: n = 8
  real(8) :: h, dop(n)
contains
  function bern(x) result(b)
    real(8), intent(in) :: x
    real(8) :: b
    if (abs(x) < 1d-2) then
      b = 1d0 - 0.5d0*x + x*x/12d0
    else if (x > 30d0) then
      b = x*exp(-x)
    else
      b = x/(exp(x) - 1d0)
    end if
  end function bern
  subroutine thomas(a, b, c, r, x)
    real(8), intent(in) :: a(n), b(n), c(n), r(n)
    real(8), intent(out) :: x(n)
    real(8) :: g(n), d
    integer :: i
    d = b(1)
    x(1) = r(1)/d
    do i = 2, n
      g(i) = c(i-1)/d
      d = b(i) - a(i)*g(i)
      x(i) = (r(i) - a(i)*x(i-1))/d
    end do
    do i = n - 1, 1, -1
      x(i) = x(i) - g(i+1)*x(i+1)
    end do
  end subroutine thomas
  subroutine poisson(psi, en, hp, change)
    real(8), intent(inout) :: psi(n)
    real(8), intent(in) :: en(n), hp(n)
    real(8), intent(out) :: change
    real(8) :: a(n), b(n), c(n), r(n), d(n)
    integer :: i
    a(1) = 0d0
    b(1) = 1d0
    c(1) = 0d0
    r(1) = 0d0
    do i = 2, n - 1
      a(i) = 1d0
      c(i) = 1d0
      b(i) = -2d0 - h*h*(en(i) + hp(i))
      r(i) = -(psi(i-1) - 2d0*psi(i) + psi(i+1) - h*h*(en(i) - hp(i) - dop(i)))
    end do
    a(n) = 0d0
    b(n) = 1d0
    c(n) = 0d0
    r(n) = 0d0
    call thomas(a, b, c, r, d)
    change = 0d0
    do i = 1, n
      if (d(i) > 1d0) then
        d(i) = 1d0 + 0.1d0*log(d(i))
      else if (d(i) < -1d0) then
        d(i) = -1d0 - 0.1d0*log(-d(i))
      end if
      psi(i) = psi(i) + d(i)
      change = max(change, abs(d(i)))
    end do
  end subroutine poisson
  subroutine continuity(sgn, psi, other, mu, tau, car)
    real(8), intent(in) :: sgn, psi(n), other(n), mu, tau
    real(8), intent(inout) :: car(n)
    real(8) :: a(n), b(n), c(n), r(n), up, dn, s(n)
    integer :: i
    a = 0d0
    b = 1d0
    c = 0d0
    r = car
    do i = 2, n - 1
      up = sgn*(psi(i+1) - psi(i))
      dn = sgn*(psi(i) - psi(i-1))
      a(i) = mu*bern(-dn)
      c(i) = mu*bern(up)
      b(i) = -mu*(bern(-up) + bern(dn)) - h*h*other(i)/(tau*(car(i) + other(i) + 0.2d0))
      r(i) = -h*h*0.01d0/(tau*(car(i) + other(i) + 0.2d0))
    end do
    call thomas(a, b, c, r, s)
    do i = 1, n
      car(i) = max(s(i), 1d-6)
    end do
  end subroutine continuity
end module device
subroutine gummel(nb, doping, bias, mun, mup, tau, cur)
  use device
  implicit none
  integer, intent(in) :: nb
  real(8), intent(in) :: doping(n), bias, mun, mup, tau
  real(8), intent(out) :: cur
  real(8) :: psi(n), en(n), hp(n), err
  integer :: i, ib, it, k
  h = 0.5d0
  do i = 1, n
    dop(i) = doping(i)
    if (i > n/2) dop(i) = -doping(i)
    en(i) = 0.5d0*(dop(i) + sqrt(dop(i)**2 + 0.04d0))
    hp(i) = 0.01d0/en(i)
    psi(i) = log(en(i)/0.1d0)
  end do
  cur = 0d0
  do ib = 1, nb
    psi(n) = psi(n) + 0.2d0*bias
    do it = 1, 6
      do k = 1, 4
        call poisson(psi, en, hp, err)
        if (err < 1d-2) exit
      end do
      !$AD CHECKPOINT-START
      call continuity(1d0, psi, hp, mun, tau, en)
      call continuity(-1d0, psi, en, mup, tau, hp)
      !$AD CHECKPOINT-END
      if (k == 1) exit
    end do
    cur = cur + mun*(bern(psi(2) - psi(1))*en(2) - bern(psi(1) - psi(2))*en(1))
  end do
end subroutine gummel
