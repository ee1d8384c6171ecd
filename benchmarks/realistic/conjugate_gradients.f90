! Conjugate gradients for a matrix that depends on the parameters; x, r, p and A p are columns of one array.
module operators
  implicit none
  integer, parameter :: n = 14
contains
  subroutine apply(k, x, y)
    real(8), intent(in) :: k(0:n), x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y(1) = (k(0) + k(1))*x(1) - k(1)*x(2)
    do i = 2, n - 1
      y(i) = (k(i - 1) + k(i))*x(i) - k(i - 1)*x(i - 1) - k(i)*x(i + 1)
    end do
    y(n) = (k(n - 1) + k(n))*x(n) - k(n - 1)*x(n - 1)
  end subroutine apply

  function dot(a, b) result(s)
    real(8), intent(in) :: a(n), b(n)
    real(8) :: s
    integer :: i
    s = 0.0d0
    do i = 1, n
      s = s + a(i)*b(i)
    end do
  end function dot

  subroutine axpy(alpha, x, y)
    real(8), intent(in) :: alpha, x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = y(i) + alpha*x(i)
    end do
  end subroutine axpy

  subroutine cg(k, b, w, iterations)
    real(8), intent(in) :: k(0:n), b(n)
    real(8), intent(inout) :: w(n, 4)
    integer, intent(in) :: iterations
    real(8) :: rr, rr_new, alpha, beta
    integer :: i, it
    do i = 1, n
      w(i, 1) = 0.0d0
      w(i, 2) = b(i)
      w(i, 3) = b(i)
    end do
    rr = dot(w(:, 2), w(:, 2))
    do it = 1, iterations
      call apply(k, w(:, 3), w(:, 4))
      alpha = rr/dot(w(:, 3), w(:, 4))
      call axpy(alpha, w(:, 3), w(:, 1))
      call axpy(-alpha, w(:, 4), w(:, 2))
      rr_new = dot(w(:, 2), w(:, 2))
      beta = rr_new/rr
      rr = rr_new
      do i = 1, n
        w(i, 3) = w(i, 2) + beta*w(i, 3)
      end do
    end do
  end subroutine cg
end module operators

subroutine invert(k, b, cost)
  use operators
  implicit none
  real(8), intent(in) :: k(0:n), b(n)
  real(8), intent(out) :: cost
  real(8) :: w(n, 4), source(n)
  integer :: i, outer
  do i = 1, n
    source(i) = b(i)
  end do
  do outer = 1, 2
    call cg(k, source, w, 5)
    do i = 1, n
      source(i) = b(i) + 0.1d0*w(i, 1)**2
    end do
  end do
  cost = dot(w(:, 1), source)
end subroutine invert
