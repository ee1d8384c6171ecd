! A stock assessment by age: fleets as an array of types, selectivity by SELECT CASE, catch by Baranov's equation, recruitment
! after Beverton and Holt, penalised likelihood of catches and of a survey.
module stock
  implicit none
  integer, parameter :: na = 6, nf = 2, ny = 8
  type fleet
    integer :: kind
    real(8) :: a50, slope, sel(na), q
  end type fleet
  type population
    real(8) :: n(na, ny+1), f(na, ny), z(na, ny), ssb(ny), w(na), mat(na)
  end type population
contains
  subroutine selectivity(g)
    type(fleet), intent(inout) :: g
    real(8) :: top, age
    integer :: a
    select case (g%kind)
    case (1)
      do a = 1, na
        g%sel(a) = 1d0/(1d0 + exp(-g%slope*(a - g%a50)))
      end do
    case (2)
      top = 0d0
      do a = 1, na
        age = a
        g%sel(a) = age**g%slope*exp(-age/g%a50)
        top = max(top, g%sel(a))
      end do
      g%sel = g%sel/top
    end select
  end subroutine selectivity
  subroutine mortality(p, fl, eff, m, y)
    type(population), intent(inout) :: p
    type(fleet), intent(in) :: fl(nf)
    real(8), intent(in) :: eff(nf), m
    integer, intent(in) :: y
    integer :: a, k
    p%f(:, y) = 0d0
    do k = 1, nf
      p%f(:, y) = p%f(:, y) + fl(k)%q*eff(k)*fl(k)%sel
    end do
    do a = 1, na
      p%z(a, y) = p%f(a, y) + m*(1d0 + 0.5d0/a)
    end do
  end subroutine mortality
  subroutine nextyear(p, r0, steep, y)
    type(population), intent(inout) :: p
    real(8), intent(in) :: r0, steep
    integer, intent(in) :: y
    integer :: a
    p%ssb(y) = 0d0
    do a = 1, na
      p%ssb(y) = p%ssb(y) + p%mat(a)*p%w(a)*p%n(a, y)*exp(-0.3d0*p%z(a, y))
    end do
    do a = 1, na - 1
      p%n(a+1, y+1) = p%n(a, y)*exp(-p%z(a, y))
    end do
    p%n(na, y+1) = p%n(na, y+1) + p%n(na, y)*exp(-p%z(na, y))
    p%n(1, y+1) = r0*p%ssb(y)/(0.2d0 + steep*p%ssb(y))
  end subroutine nextyear
end module stock
subroutine fishery(r0, steep, m, a50, slope, q, dev, obs, survey, nll)
  use stock
  implicit none
  real(8), intent(in) :: r0, steep, m, a50(nf), slope(nf), q(nf), dev(ny), obs(nf, ny), survey(ny)
  real(8), intent(out) :: nll
  type(population) :: p
  type(fleet) :: fl(nf)
  real(8) :: c, b, eff(nf), pred
  integer :: y, a, k
  do a = 1, na
    p%w(a) = (1d0 - exp(-0.3d0*a))**3
    p%mat(a) = 1d0/(1d0 + exp(2.5d0 - a))
    p%n(a, 1) = r0*exp(-m*(a - 1))
  end do
  do k = 1, nf
    fl(k)%kind = k
    fl(k)%a50 = 3d0*a50(k)
    fl(k)%slope = 2d0*slope(k)
    fl(k)%q = 0.3d0*q(k)
    call selectivity(fl(k))
  end do
  nll = 0d0
  do y = 1, ny
    eff(1) = 0.5d0 + 0.1d0*y
    eff(2) = 1d0 + 0.3d0*sin(1d0*y)
    !$AD CHECKPOINT-START
    call mortality(p, fl, eff, 0.2d0*m, y)
    call nextyear(p, r0, steep, y)
    p%n(1, y+1) = p%n(1, y+1)*exp(0.2d0*dev(y))
    !$AD CHECKPOINT-END
    do k = 1, nf
      c = 0d0
      do a = 1, na
        c = c + p%w(a)*fl(k)%q*eff(k)*fl(k)%sel(a)/p%z(a, y)*p%n(a, y)*(1d0 - exp(-p%z(a, y)))
      end do
      nll = nll + (log(c) - log(0.5d0*obs(k, y)))**2
    end do
    b = sum(p%w*p%n(:, y))
    pred = 0.4d0*b
    if (survey(y) > 0d0) nll = nll + 0.5d0*(log(pred) - log(survey(y)))**2
    nll = nll + 0.1d0*dev(y)**2
  end do
end subroutine fishery
