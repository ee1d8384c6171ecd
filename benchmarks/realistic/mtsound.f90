! Magnetotelluric sounding: complex impedances of a layered earth by recursion from below for several periods, apparent
! resistivity and phase, static shift; a Gauss-Newton step on the logarithms with a damped Cholesky solve, smoothing.
module mt_par
  implicit none
  integer, parameter :: nl = 4, np = 5
  real(8), parameter :: mu0 = 1.2566d0
contains
  subroutine impedance(period, rho, thick, z)
    real(8), intent(in) :: period, rho(nl), thick(nl-1)
    complex(8), intent(out) :: z
    complex(8) :: k, w, e, r
    real(8) :: om, a
    integer :: l
    om = 6.2832d0/period
    a = sqrt(0.5d0*om*mu0*rho(nl))
    z = dcmplx(a, a)
    do l = nl - 1, 1, -1
      a = sqrt(0.5d0*om*mu0/rho(l))
      k = dcmplx(a, a)
      w = k*rho(l)
      e = exp(-2d0*k*thick(l))
      r = (w - z)/(w + z)
      z = w*(1d0 - r*e)/(1d0 + r*e)
    end do
  end subroutine impedance
  subroutine response(lr, thick, shift, d)
    real(8), intent(in) :: lr(nl), thick(nl-1), shift
    real(8), intent(out) :: d(2*np)
    complex(8) :: z
    real(8) :: rho(nl), t
    integer :: i
    rho = exp(lr)
    do i = 1, np
      t = 0.3d0*2d0**i
      call impedance(t, rho, thick, z)
      d(2*i-1) = log(t/(6.2832d0*mu0)*(dble(z)**2 + aimag(z)**2)) + shift
      d(2*i) = atan2(aimag(z), dble(z))
    end do
  end subroutine response
  subroutine cholesky_solve(a, b)
    real(8), intent(inout) :: a(nl, nl), b(nl)
    integer :: i, j, k
    do j = 1, nl
      do k = 1, j - 1
        a(j, j) = a(j, j) - a(j, k)**2
      end do
      a(j, j) = sqrt(a(j, j))
      do i = j + 1, nl
        do k = 1, j - 1
          a(i, j) = a(i, j) - a(i, k)*a(j, k)
        end do
        a(i, j) = a(i, j)/a(j, j)
      end do
    end do
    do i = 1, nl
      do k = 1, i - 1
        b(i) = b(i) - a(i, k)*b(k)
      end do
      b(i) = b(i)/a(i, i)
    end do
    do i = nl, 1, -1
      do k = i + 1, nl
        b(i) = b(i) - a(k, i)*b(k)
      end do
      b(i) = b(i)/a(i, i)
    end do
  end subroutine cholesky_solve
end module mt_par
subroutine mtsound(nit, start, obs, thick, shift, beta, misfit)
  use mt_par
  implicit none
  integer, intent(in) :: nit
  real(8), intent(in) :: start(nl), obs(2*np), thick(nl-1), shift, beta
  real(8), intent(out) :: misfit
  real(8) :: lr(nl), d(2*np), dp(2*np), jac(2*np, nl), a(nl, nl), b(nl), lp(nl), res(2*np), old
  integer :: it, j, k
  lr = 0.5d0*start
  old = 1d10
  do it = 1, min(nit, 3)
    call response(lr, thick, shift, d)
    res = obs - d
    misfit = sum(res*res)
    if (misfit > 0.999d0*old) exit
    old = misfit
    do j = 1, nl
      lp = lr
      lp(j) = lp(j) + 1d-2
      call response(lp, thick, shift, dp)
      jac(:, j) = (dp - d)/1d-2
    end do
    do j = 1, nl
      do k = 1, nl
        a(j, k) = sum(jac(:, j)*jac(:, k))
      end do
      a(j, j) = a(j, j) + beta
      b(j) = sum(jac(:, j)*res)
      if (j > 1) b(j) = b(j) - 0.1d0*beta*(lr(j) - lr(j-1))
    end do
    call cholesky_solve(a, b)
    lr = lr + max(-0.5d0, min(0.5d0, b))
  end do
  misfit = misfit + 0.01d0*sum(lr*lr)
end subroutine mtsound
