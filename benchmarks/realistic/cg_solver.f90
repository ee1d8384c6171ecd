! Preconditioned conjugate gradients for a varying coefficient: a Poisson problem per step, work vectors in a module.
module vectors
  implicit none
  integer, parameter :: nmax = 6
  real(8) :: r(nmax, nmax), p(nmax, nmax), ap(nmax, nmax), z(nmax, nmax), diag(nmax, nmax)
end module
subroutine cg_solver(n, nt, coef, src, energy)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: coef(n, n), src(n, n)
  real(8), intent(out) :: energy
  real(8) :: u(n, n), c(n, n), b(n, n)
  integer :: it, i, j
  u = 0d0
  c = 1d0 + 0.2d0*coef
  energy = 0d0
  do it = 1, nt
    do j = 1, n
      do i = 1, n
        b(i, j) = src(i, j) + 2d0*u(i, j)
      end do
    end do
    call pcg(n, c, b, u)
    do j = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + 0.05d0*u(i, j)**2
        energy = energy + b(i, j)*u(i, j)
      end do
    end do
  end do
end subroutine
subroutine apply(n, c, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: c(n, n), x(n, n)
  real(8), intent(out) :: y(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      y(i, j) = 2d0*x(i, j)
      if (i > 1) y(i, j) = y(i, j) + 0.5d0*(c(i, j) + c(i-1, j))*(x(i, j) - x(i-1, j))
      if (i < n) y(i, j) = y(i, j) + 0.5d0*(c(i, j) + c(i+1, j))*(x(i, j) - x(i+1, j))
      if (j > 1) y(i, j) = y(i, j) + 0.5d0*(c(i, j) + c(i, j-1))*(x(i, j) - x(i, j-1))
      if (j < n) y(i, j) = y(i, j) + 0.5d0*(c(i, j) + c(i, j+1))*(x(i, j) - x(i, j+1))
    end do
  end do
end subroutine
subroutine pcg(n, c, b, u)
  use vectors
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: c(n, n), b(n, n)
  real(8), intent(inout) :: u(n, n)
  real(8) :: rz, rznew, alpha, beta, pap
  integer :: k, i, j
  call apply(n, c, u, ap(1:n, 1:n))
  rz = 0d0
  do j = 1, n
    do i = 1, n
      r(i, j) = b(i, j) - ap(i, j)
      diag(i, j) = 2d0 + 4d0*c(i, j)
      z(i, j) = r(i, j)/diag(i, j)
      p(i, j) = z(i, j)
      rz = rz + r(i, j)*z(i, j)
    end do
  end do
  do k = 1, 4
    call apply(n, c, p(1:n, 1:n), ap(1:n, 1:n))
    pap = 1d-12
    do j = 1, n
      do i = 1, n
        pap = pap + p(i, j)*ap(i, j)
      end do
    end do
    alpha = rz/pap
    rznew = 1d-12
    do j = 1, n
      do i = 1, n
        u(i, j) = u(i, j) + alpha*p(i, j)
        r(i, j) = r(i, j) - alpha*ap(i, j)
        z(i, j) = r(i, j)/diag(i, j)
        rznew = rznew + r(i, j)*z(i, j)
      end do
    end do
    beta = rznew/rz
    rz = rznew
    do j = 1, n
      do i = 1, n
        p(i, j) = z(i, j) + beta*p(i, j)
      end do
    end do
  end do
end subroutine
