! A lake of one column: heat and two tracers, implicit mixing, wind, light that the plankton absorbs.
module lake_state
  implicit none
  integer, parameter :: nz = 10, nt = 5
  real(8) :: temp(nz), phyto(nz), nutr(nz)
  real(8) :: kz(0:nz), light(0:nz)
  real(8) :: wrk(nz, 4)
  real(8), parameter :: dt = 0.05d0, dz = 0.5d0
end module lake_state

subroutine absorb(swr)
  use lake_state
  implicit none
  real(8), intent(in) :: swr
  integer :: k
  light(0) = swr
  do k = 1, nz
    light(k) = light(k - 1)*exp(-dz*(0.2d0 + 0.05d0*phyto(k)))
  end do
end subroutine absorb

subroutine mixing(wind)
  use lake_state
  implicit none
  real(8), intent(in) :: wind
  real(8) :: n2
  integer :: k
  kz(0) = 0.0d0
  kz(nz) = 0.0d0
  do k = 1, nz - 1
    n2 = 0.1d0*(temp(k) - temp(k + 1))/dz
    if (n2 > 0.0d0) then
      kz(k) = 0.02d0 + wind**2*exp(-0.5d0*k*dz)/(1.0d0 + 10.0d0*n2)
    else
      kz(k) = 0.5d0 + wind**2
    end if
  end do
end subroutine mixing

subroutine diffuse(x, flux)
  use lake_state
  implicit none
  real(8), intent(inout) :: x(nz)
  real(8), intent(in) :: flux
  integer :: k
  do k = 1, nz
    wrk(k, 1) = -dt*kz(k - 1)/dz**2
    wrk(k, 3) = -dt*kz(k)/dz**2
    wrk(k, 2) = 1.0d0 - wrk(k, 1) - wrk(k, 3)
    wrk(k, 4) = x(k)
  end do
  wrk(1, 4) = wrk(1, 4) + dt*flux/dz
  call thomas(wrk(1, 1), wrk(1, 2), wrk(1, 3), wrk(1, 4), x)
end subroutine diffuse

subroutine thomas(a, b, c, d, x)
  use lake_state, only: nz
  implicit none
  real(8), intent(in) :: a(nz), c(nz)
  real(8), intent(inout) :: b(nz), d(nz)
  real(8), intent(out) :: x(nz)
  real(8) :: m
  integer :: k
  do k = 2, nz
    m = a(k)/b(k - 1)
    b(k) = b(k) - m*c(k - 1)
    d(k) = d(k) - m*d(k - 1)
  end do
  x(nz) = d(nz)/b(nz)
  do k = nz - 1, 1, -1
    x(k) = (d(k) - c(k)*x(k + 1))/b(k)
  end do
end subroutine thomas

subroutine grow(mu, t, p, s, par)
  implicit none
  real(8), intent(in) :: mu, t, par
  real(8), intent(inout) :: p, s
  real(8) :: up
  up = mu*exp(0.06d0*t)*par/(par + 1.0d0)*s/(s + 0.5d0)*p
  p = p + 0.05d0*(up - 0.1d0*p*p)
  s = s - 0.05d0*up
end subroutine grow

subroutine lake(t0, wind, swr, mu, cost)
  use lake_state
  implicit none
  real(8), intent(in) :: t0(nz), wind(nt), swr(nt), mu
  real(8), intent(out) :: cost
  integer :: it, k
  temp = t0
  phyto = 0.4d0
  do k = 1, nz
    nutr(k) = 1.0d0 + 0.1d0*k
  end do
  cost = 0.0d0
  do it = 1, nt
    call absorb(swr(it))
    do k = 1, nz
      temp(k) = temp(k) + dt*(light(k - 1) - light(k))/dz
      call grow(mu, temp(k), phyto(k), nutr(k), light(k))
    end do
    call mixing(wind(it))
    call diffuse(temp, -0.1d0*(temp(1) - 1.0d0))
    call diffuse(phyto, 0.0d0)
    call diffuse(nutr, 0.0d0)
    cost = cost + phyto(1)**2 + 0.1d0*temp(nz)*nutr(nz)
  end do
end subroutine lake
