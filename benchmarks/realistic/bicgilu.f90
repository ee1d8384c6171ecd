! BiCGStab with ILU(0) on a compressed sparse row matrix, inside a pseudo-transient loop for a nonlinear diffusion problem.
module sparse
  implicit none
  integer, parameter :: nmax = 10
  type csr
    integer :: n, nnz
    integer :: ptr(nmax+1), col(3*nmax), diag(nmax)
    real(8) :: val(3*nmax)
  end type csr
contains
  subroutine pattern(m, a)
    integer, intent(in) :: m
    type(csr), intent(inout) :: a
    integer :: i, k
    a%n = m
    k = 1
    do i = 1, m
      a%ptr(i) = k
      if (i > 1) then
        a%col(k) = i - 1
        k = k + 1
      end if
      a%diag(i) = k
      a%col(k) = i
      k = k + 1
      if (i < m) then
        a%col(k) = i + 1
        k = k + 1
      end if
    end do
    a%ptr(m+1) = k
    a%nnz = k - 1
  end subroutine pattern
  subroutine matvec(a, x, y)
    type(csr), intent(in) :: a
    real(8), intent(in) :: x(a%n)
    real(8), intent(out) :: y(a%n)
    integer :: i, k
    do i = 1, a%n
      y(i) = 0d0
      do k = a%ptr(i), a%ptr(i+1) - 1
        y(i) = y(i) + a%val(k)*x(a%col(k))
      end do
    end do
  end subroutine matvec
  subroutine ilu_apply(a, lu, r, z)
    type(csr), intent(in) :: a
    real(8), intent(in) :: lu(a%nnz), r(a%n)
    real(8), intent(out) :: z(a%n)
    integer :: i, k
    real(8) :: s
    do i = 1, a%n
      s = r(i)
      do k = a%ptr(i), a%diag(i) - 1
        s = s - lu(k)*z(a%col(k))
      end do
      z(i) = s
    end do
    do i = a%n, 1, -1
      s = z(i)
      do k = a%diag(i) + 1, a%ptr(i+1) - 1
        s = s - lu(k)*z(a%col(k))
      end do
      z(i) = s/lu(a%diag(i))
    end do
  end subroutine ilu_apply
  real(8) function inner(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    integer :: i
    inner = 0d0
    do i = 1, n
      inner = inner + x(i)*y(i)
    end do
  end function inner
  subroutine bicgstab(a, lu, b, x, tol, itmax)
    type(csr), intent(in) :: a
    integer, intent(in) :: itmax
    real(8), intent(in) :: lu(a%nnz), b(a%n), tol
    real(8), intent(inout) :: x(a%n)
    real(8) :: r(a%n), rh(a%n), p(a%n), v(a%n), s(a%n), t(a%n), ph(a%n), sh(a%n)
    real(8) :: rho, rho0, alpha, omega, beta
    integer :: it
    call matvec(a, x, r)
    r = b - r
    rh = r
    rho = 1d0
    alpha = 1d0
    omega = 1d0
    p = 0d0
    v = 0d0
    do it = 1, itmax
      rho0 = rho
      rho = inner(a%n, rh, r)
      beta = rho/rho0*alpha/omega
      p = r + beta*(p - omega*v)
      call ilu_apply(a, lu, p, ph)
      call matvec(a, ph, v)
      alpha = rho/inner(a%n, rh, v)
      s = r - alpha*v
      if (sqrt(inner(a%n, s, s)) < tol) then
        x = x + alpha*ph
        return
      end if
      call ilu_apply(a, lu, s, sh)
      call matvec(a, sh, t)
      omega = inner(a%n, t, s)/inner(a%n, t, t)
      x = x + alpha*ph + omega*sh
      r = s - omega*t
      if (sqrt(inner(a%n, r, r)) < tol) exit
    end do
  end subroutine bicgstab
end module sparse
subroutine transient(n, nt, kap, src, tmean)
  use sparse
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: kap(n), src(n)
  real(8), intent(out) :: tmean
  type(csr) :: a
  real(8) :: t(n), b(n), lu(3*n), ke, kw
  integer :: it, i, k
  call pattern(n, a)
  t = 1d0
  do it = 1, nt
    do i = 1, n
      kw = kap(max(i-1, 1))*(1d0 + 0.2d0*t(max(i-1, 1)))
      ke = kap(i)*(1d0 + 0.2d0*t(i))
      do k = a%ptr(i), a%ptr(i+1) - 1
        if (a%col(k) < i) a%val(k) = -kw
        if (a%col(k) == i) a%val(k) = 1d0 + kw + ke
        if (a%col(k) > i) a%val(k) = -0.9d0*ke
      end do
      b(i) = t(i) + src(i)
    end do
    do k = 1, a%nnz
      lu(k) = a%val(k)
    end do
    do i = 2, n
      k = a%ptr(i)
      lu(k) = lu(k)/lu(a%diag(i-1))
      lu(a%diag(i)) = lu(a%diag(i)) - lu(k)*lu(a%diag(i-1) + 1)
    end do
    call bicgstab(a, lu(1:a%nnz), b, t, 1d-10, 4)
  end do
  tmean = sum(t)/n
end subroutine transient
