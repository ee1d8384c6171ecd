! Light through a stack of absorbing films: characteristic matrices with complex entries, indices by a dispersion formula,
! reflectance over wavelengths, misfit to a measured spectrum.
module optics
  implicit none
  complex(8), parameter :: ci = (0d0, 1d0)
contains
  complex(8) function refraction(a, b, k, lam)
    real(8), intent(in) :: a, b, k, lam
    refraction = cmplx(1.2d0 + 0.3d0*a + 0.1d0*b/lam**2, 0.05d0*k/lam, 8)
  end function refraction
  subroutine film(eta, d, lam, m)
    complex(8), intent(in) :: eta
    real(8), intent(in) :: d, lam
    complex(8), intent(out) :: m(2, 2)
    complex(8) :: delta
    delta = 2d0*eta*d/lam
    m(1, 1) = cos(delta)
    m(1, 2) = ci*sin(delta)/eta
    m(2, 1) = ci*sin(delta)*eta
    m(2, 2) = m(1, 1)
  end subroutine film
  subroutine chain(t, m)
    complex(8), intent(inout) :: t(2, 2)
    complex(8), intent(in) :: m(2, 2)
    complex(8) :: a, b
    integer :: i
    do i = 1, 2
      a = t(i, 1)*m(1, 1) + t(i, 2)*m(2, 1)
      b = t(i, 1)*m(1, 2) + t(i, 2)*m(2, 2)
      t(i, 1) = a
      t(i, 2) = b
    end do
  end subroutine chain
  subroutine reflect(t, ns, r, phase)
    complex(8), intent(in) :: t(2, 2)
    real(8), intent(in) :: ns
    real(8), intent(out) :: r, phase
    complex(8) :: b, c, rho
    b = t(1, 1) + t(1, 2)*ns
    c = t(2, 1) + t(2, 2)*ns
    rho = (b - c)/(b + c)
    r = real(rho)**2 + aimag(rho)**2
    phase = aimag(rho*conjg(b))
  end subroutine reflect
  subroutine stack(n, d, a, b, k, ns, lam, r, phase)
    integer, intent(in) :: n
    real(8), intent(in) :: d(n), a(n), b(n), k(n), ns, lam
    real(8), intent(out) :: r, phase
    complex(8) :: t(2, 2), m(2, 2), eta
    integer :: i
    t = (0d0, 0d0)
    t(1, 1) = (1d0, 0d0)
    t(2, 2) = (1d0, 0d0)
    do i = 1, n
      eta = refraction(a(i), b(i), k(i), lam)
      call film(eta, 0.2d0*d(i), lam, m)
      call chain(t, m)
    end do
    call reflect(t, ns, r, phase)
  end subroutine stack
end module optics
subroutine thinfilm(n, nl, d, a, b, k, ns, meas, misfit)
  use optics
  implicit none
  integer, intent(in) :: n, nl
  real(8), intent(in) :: d(n), a(n), b(n), k(n), ns, meas(nl)
  real(8), intent(out) :: misfit
  real(8) :: lam, r, phase, w, dd(n)
  integer :: il, i
  misfit = 0d0
  do i = 1, n
    dd(i) = d(i)*(1d0 + 0.01d0*i)
  end do
  do il = 1, nl
    lam = 0.4d0 + 0.1d0*il
    call stack(n, dd, a, b, k, ns, lam, r, phase)
    w = 1d0
    if (r > 0.9d0) w = 0.5d0
    misfit = misfit + w*(r - 0.1d0*meas(il))**2 + 0.01d0*phase**2
    dd = dd*(1d0 + 0.02d0*r)
  end do
end subroutine thinfilm
