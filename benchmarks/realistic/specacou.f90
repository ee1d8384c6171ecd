! Acoustic waves in one dimension by spectral elements: gather to elements through a connectivity table, stiffness with the
! derivative matrix, scatter back, absorbing ends, Newmark steps, receivers and a misfit.
module sem
  implicit none
  integer, parameter :: ngll = 4
  real(8) :: dmat(ngll, ngll), wgll(ngll)
  integer :: ibool(ngll, 50)
contains
  subroutine setup(nel)
    integer, intent(in) :: nel
    real(8) :: x(ngll), p
    integer :: i, j, e
    x = (/ -1d0, -0.4472135954999579d0, 0.4472135954999579d0, 1d0 /)
    wgll = (/ 1d0/6d0, 5d0/6d0, 5d0/6d0, 1d0/6d0 /)
    do i = 1, ngll
      do j = 1, ngll
        dmat(i, j) = lagrange_slope(x, j, i)
      end do
    end do
    do e = 1, nel
      do i = 1, ngll
        ibool(i, e) = (e - 1)*(ngll - 1) + i
      end do
    end do
  end subroutine setup
  real(8) function lagrange_slope(x, j, i)
    real(8), intent(in) :: x(ngll)
    integer, intent(in) :: j, i
    real(8) :: term
    integer :: l, m
    lagrange_slope = 0d0
    do l = 1, ngll
      if (l == j) cycle
      term = 1d0/(x(j) - x(l))
      do m = 1, ngll
        if (m /= j .and. m /= l) term = term*(x(i) - x(m))/(x(j) - x(m))
      end do
      lagrange_slope = lagrange_slope + term
    end do
  end function lagrange_slope
  subroutine mass(nel, np, rho, h, m)
    integer, intent(in) :: nel, np
    real(8), intent(in) :: rho(nel), h
    real(8), intent(out) :: m(np)
    integer :: e, i
    m = 0d0
    do e = 1, nel
      do i = 1, ngll
        m(ibool(i, e)) = m(ibool(i, e)) + rho(e)*wgll(i)*0.5d0*h
      end do
    end do
  end subroutine mass
  subroutine forces(nel, np, mu, h, u, f)
    integer, intent(in) :: nel, np
    real(8), intent(in) :: mu(ngll, nel), h, u(np)
    real(8), intent(out) :: f(np)
    real(8) :: ul(ngll), sl(ngll), t
    integer :: e, i, j
    f = 0d0
    do e = 1, nel
      do i = 1, ngll
        ul(i) = u(ibool(i, e))
      end do
      do i = 1, ngll
        t = 0d0
        do j = 1, ngll
          t = t + dmat(i, j)*ul(j)
        end do
        t = t*2d0/h
        sl(i) = wgll(i)*mu(i, e)*t*(1d0 + 0.3d0*t*t)
      end do
      do i = 1, ngll
        t = 0d0
        do j = 1, ngll
          t = t + dmat(j, i)*sl(j)
        end do
        f(ibool(i, e)) = f(ibool(i, e)) - t
      end do
    end do
  end subroutine forces
end module sem
subroutine specacou(nel, nt, rho, mu, stf, h, obs, misfit)
  use sem
  implicit none
  integer, intent(in) :: nel, nt
  real(8), intent(in) :: rho(nel), mu(ngll, nel), stf(nt), h, obs(nt)
  real(8), intent(out) :: misfit
  real(8) :: m(3*nel+1), u(3*nel+1), v(3*nel+1), a(3*nel+1), f(3*nel+1), dt
  integer :: it, np
  np = 3*nel + 1
  call setup(nel)
  call mass(nel, np, rho, h, m)
  dt = 0.05d0
  u = 0d0
  v = 0d0
  a = 0d0
  misfit = 0d0
  do it = 1, nt
    u = u + dt*v + 0.5d0*dt*dt*a
    v = v + 0.5d0*dt*a
    call forces(nel, np, mu, h, u, f)
    f(np/2) = f(np/2) + stf(it)
    f(1) = f(1) - sqrt(rho(1)*mu(1, 1))*v(1)
    f(np) = f(np) - sqrt(rho(nel)*mu(ngll, nel))*v(np)
    a = f/m
    v = v + 0.5d0*dt*a
    misfit = misfit + 0.5d0*(u(2) - obs(it))**2 + 0.5d0*(u(np-1) - obs(it))**2
  end do
end subroutine specacou
