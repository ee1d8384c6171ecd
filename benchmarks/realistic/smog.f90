! Photochemistry by functions: rate constants, production and loss of each species, a two-stage Rosenbrock-free solver.
module rates
  implicit none
  real(8), parameter :: rgas = 1.987d-3, tref = 2.98d0
  integer, parameter :: no = 1, no2 = 2, o3 = 3, voc = 4, ho2 = 5, nspec = 5
contains
  pure function arrhenius(a, ea, t) result(k)
    real(8), intent(in) :: a, ea, t
    real(8) :: k
    k = a*exp(-ea*(1d0/t - 1d0/tref))
  end function arrhenius
  pure function photolysis(j0, mu) result(j)
    real(8), intent(in) :: j0, mu
    real(8) :: j
    if (mu <= 0d0) then
      j = 0d0
    else
      j = j0*mu*exp(-0.3d0/mu)
    end if
  end function photolysis
  pure function troe(k0, kinf, m) result(k)
    real(8), intent(in) :: k0, kinf, m
    real(8) :: k, r
    r = k0*m/kinf
    k = k0*m/(1d0 + r)*0.6d0**(1d0/(1d0 + log10(1d0 + r)**2))
  end function troe
  function production(c, k) result(p)
    real(8), intent(in) :: c(nspec), k(5)
    real(8) :: p(nspec)
    p(no) = k(1)*c(no2)
    p(no2) = k(2)*c(no)*c(o3) + k(3)*c(no)*c(ho2)
    p(o3) = k(1)*c(no2)
    p(voc) = 0.02d0
    p(ho2) = k(4)*c(voc)
  end function production
  function loss(c, k) result(l)
    real(8), intent(in) :: c(nspec), k(5)
    real(8) :: l(nspec)
    l(no) = k(2)*c(o3) + k(3)*c(ho2)
    l(no2) = k(1) + 0.01d0
    l(o3) = k(2)*c(no) + 0.05d0
    l(voc) = k(4)
    l(ho2) = k(3)*c(no) + k(5)*c(ho2)
  end function loss
end module rates
subroutine smog(c0, emis, temp, ozone, n)
  use rates
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: c0(nspec), emis, temp(n)
  real(8), intent(out) :: ozone
  real(8) :: c(nspec), k(5), mu
  integer :: hour
  c = c0
  ozone = 0d0
  do hour = 1, n
    mu = sin(0.5d0*hour)
    call constants(temp(hour), mu, k)
    call integrate(c, k, emis)
    ozone = max(ozone, c(o3))
  end do
  ozone = ozone + 0.1d0*c(no2)
end subroutine smog
subroutine constants(temp, mu, k)
  use rates
  implicit none
  real(8), intent(in) :: temp, mu
  real(8), intent(out) :: k(5)
  real(8) :: t
  t = 2.5d0 + 0.5d0*temp
  k(1) = photolysis(0.8d0, mu)
  k(2) = arrhenius(0.4d0, 1.5d0, t)
  k(3) = arrhenius(0.9d0, -0.5d0, t)
  k(4) = photolysis(0.1d0, mu) + 0.05d0
  k(5) = troe(0.5d0, 1.2d0, 7.3d0/t)
end subroutine constants
subroutine integrate(c, k, emis)
  use rates
  implicit none
  real(8), intent(inout) :: c(nspec)
  real(8), intent(in) :: k(5), emis
  real(8) :: p(nspec), l(nspec), cp(nspec), h
  integer :: sub
  h = 0.25d0
  do sub = 1, 4
    p = production(c, k)
    p(no) = p(no) + emis*0.1d0
    l = loss(c, k)
    cp = (c + h*p)/(1d0 + h*l)
    p = 0.5d0*(p + production(cp, k))
    l = 0.5d0*(l + loss(cp, k))
    c = (c*(1d0 - 0.5d0*h*l) + h*p)/(1d0 + 0.5d0*h*l)
    where (c < 1d-8) c = 1d-8
  end do
end subroutine integrate
