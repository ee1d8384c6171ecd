! Lowest modes of a spring chain by Lanczos with full reorthogonalisation: the basis is kept, the matrix is applied from a
! compressed-row form, the tridiagonal matrix's lowest eigenvalue by bisection on Sturm counts and a Newton polish.
module csr
  implicit none
  integer, parameter :: nmax = 30
  integer :: ptr(nmax+1), col(5*nmax)
contains
  subroutine pattern(n)
    integer, intent(in) :: n
    integer :: i, k
    k = 1
    do i = 1, n
      ptr(i) = k
      if (i > 1) then
        col(k) = i - 1
        k = k + 1
      end if
      col(k) = i
      k = k + 1
      if (i < n) then
        col(k) = i + 1
        k = k + 1
      end if
      if (i + 2 <= n) then
        col(k) = i + 2
        k = k + 1
      end if
      if (i > 2) then
        col(k) = i - 2
        k = k + 1
      end if
    end do
    ptr(n+1) = k
  end subroutine pattern
  subroutine fill(n, k1, k2, val)
    integer, intent(in) :: n
    real(8), intent(in) :: k1(n), k2
    real(8), intent(out) :: val(5*nmax)
    integer :: i, k, j
    do i = 1, n
      do k = ptr(i), ptr(i+1) - 1
        j = col(k)
        if (j == i) then
          val(k) = k1(i) + 2d0*k2 + 1d0
        else if (abs(j - i) == 1) then
          val(k) = -k1(min(i, j))
        else
          val(k) = -k2
        end if
      end do
    end do
  end subroutine fill
  subroutine spmv(n, val, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: val(5*nmax), x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    do i = 1, n
      y(i) = 0d0
      do k = ptr(i), ptr(i+1) - 1
        y(i) = y(i) + val(k)*x(col(k))
      end do
    end do
  end subroutine spmv
end module csr
subroutine lanczos(n, m, k1, k2, v0, lambda)
  use csr
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: k1(n), k2, v0(n)
  real(8), intent(out) :: lambda
  real(8) :: val(5*nmax), v(n, m+1), w(n), alpha(m), beta(m+1), h
  integer :: j, i, pass
  call pattern(n)
  call fill(n, k1, k2, val)
  beta(1) = sqrt(sum(v0*v0))
  v(:, 1) = v0/beta(1)
  do j = 1, m - 1
    call spmv(n, val, v(:, j), w)
    alpha(j) = sum(w*v(:, j))
    do pass = 1, 2
      do i = 1, j
        h = sum(w*v(:, i))
        w = w - h*v(:, i)
      end do
    end do
    beta(j+1) = sqrt(sum(w*w) + 1d-12)
    v(:, j+1) = w/beta(j+1)
  end do
  call spmv(n, val, v(:, m), w)
  alpha(m) = sum(w*v(:, m))
  call lowest(m, alpha, beta, lambda)
end subroutine lanczos
subroutine lowest(m, a, b, lam)
  implicit none
  integer, intent(in) :: m
  real(8), intent(in) :: a(m), b(m+1)
  real(8), intent(out) :: lam
  real(8) :: lo, hi, mid, q, p0, p1, p2, d0, d1, d2
  integer :: it, i, count
  lo = a(1) - b(2)
  hi = a(1) + b(2)
  do i = 2, m
    lo = min(lo, a(i) - b(i) - b(min(i + 1, m)))
    hi = max(hi, a(i) + b(i))
  end do
  do it = 1, 25
    mid = 0.5d0*(lo + hi)
    count = 0
    q = a(1) - mid
    if (q < 0d0) count = 1
    do i = 2, m
      if (abs(q) < 1d-14) q = 1d-14
      q = a(i) - mid - b(i)**2/q
      if (q < 0d0) count = count + 1
    end do
    if (count >= 1) then
      hi = mid
    else
      lo = mid
    end if
  end do
  lam = 0.5d0*(lo + hi)
  do it = 1, 2
    p0 = 1d0
    d0 = 0d0
    p1 = a(1) - lam
    d1 = -1d0
    do i = 2, m
      p2 = (a(i) - lam)*p1 - b(i)**2*p0
      d2 = (a(i) - lam)*d1 - p1 - b(i)**2*d0
      p0 = p1
      d0 = d1
      p1 = p2
      d1 = d2
    end do
    lam = lam - p1/d1
  end do
end subroutine lowest
