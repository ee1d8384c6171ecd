! Rayleigh-Benard convection by a truncated Galerkin expansion in complex modes: convolution sums, an exponential integrator,
! reality restored each step, Nusselt number.
module modes
  implicit none
  integer, parameter :: nk = 3
  complex(8) :: psi(-nk:nk), th(-nk:nk)
contains
  subroutine convolve(a, b, c)
    complex(8), intent(in) :: a(-nk:nk), b(-nk:nk)
    complex(8), intent(out) :: c(-nk:nk)
    integer :: k, l
    do k = -nk, nk
      c(k) = (0d0, 0d0)
      do l = max(-nk, k - nk), min(nk, k + nk)
        c(k) = c(k) + (0d0, 1d0)*l*a(k-l)*b(l)
      end do
    end do
  end subroutine convolve
  subroutine real_again(a)
    complex(8), intent(inout) :: a(-nk:nk)
    integer :: k
    a(0) = cmplx(real(a(0)), 0d0, 8)
    do k = 1, nk
      a(k) = 0.5d0*(a(k) + conjg(a(-k)))
      a(-k) = conjg(a(k))
    end do
  end subroutine real_again
  subroutine integrate(dt, pr, ra)
    real(8), intent(in) :: dt, pr, ra
    complex(8) :: n1(-nk:nk), n2(-nk:nk)
    real(8) :: lin, e
    integer :: k
    call convolve(psi, psi, n1)
    call convolve(psi, th, n2)
    do k = -nk, nk
      lin = -pr*(0.3d0 + 0.2d0*k*k)
      e = exp(lin*dt)
      psi(k) = e*psi(k) + (e - 1d0)/lin*(0.1d0*n1(k) + pr*ra*(0d0, 1d0)*k*th(k)/(1d0 + k*k))
      lin = -(0.3d0 + 0.2d0*k*k)
      e = exp(lin*dt)
      th(k) = e*th(k) + (e - 1d0)/lin*(0.1d0*n2(k) - (0d0, 1d0)*k*psi(k))
    end do
    call real_again(psi)
    call real_again(th)
  end subroutine integrate
  real(8) function nusselt()
    integer :: k
    nusselt = 1d0
    do k = 1, nk
      nusselt = nusselt + 2d0*k*aimag(psi(k)*conjg(th(k))) + 0.1d0*sqrt(real(th(k))**2 + aimag(th(k))**2)
    end do
  end function nusselt
end module modes
subroutine rayleigh(nt, p0, t0, pr, ra, nu)
  use modes
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: p0(nk), t0(nk), pr, ra
  real(8), intent(out) :: nu
  integer :: it, k
  psi(0) = (0d0, 0d0)
  th(0) = (0.1d0, 0d0)
  do k = 1, nk
    psi(k) = cmplx(p0(k), 0.3d0*k, 8)
    psi(-k) = conjg(psi(k))
    th(k) = cmplx(0.2d0, t0(k), 8)
    th(-k) = conjg(th(k))
  end do
  nu = 0d0
  do it = 1, nt
    call integrate(0.1d0, pr, ra)
    nu = nu + nusselt()/nt
  end do
end subroutine rayleigh
