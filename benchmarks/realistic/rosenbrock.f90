! Chemistry of cells by a two-stage Rosenbrock method.
subroutine chem(rate, y0, obj, nc, nt)
  implicit none
  integer, intent(in) :: nc, nt
  real(8), intent(in) :: rate(3), y0(3, nc)
  real(8), intent(out) :: obj
  real(8) :: y(3, nc), jac(3, 3), k1(3), k2(3), f(3), tmp(3)
  integer :: t, c
  real(8) :: gam, h
  gam = 1.7071d0
  h = 0.05d0
  y = y0
  do t = 1, nt
    do c = 1, nc
      call fun(y(:, c), rate, f)
      call jacobian(y(1, c), rate, jac)
      jac = -gam*h*jac
      jac(1,1) = jac(1,1) + 1d0
      jac(2,2) = jac(2,2) + 1d0
      jac(3,3) = jac(3,3) + 1d0
      call factor(jac)
      k1 = f
      call backsolve(jac, k1)
      tmp = y(:, c) + h*k1
      call fun(tmp, rate, f)
      k2 = f - 2d0*k1
      call backsolve(jac, k2)
      y(:, c) = y(:, c) + 1.5d0*h*k1 + 0.5d0*h*k2
      y(3, c) = max(y(3, c), 0d0)
    end do
  end do
  obj = sum(y(1, :)*y(2, :)) + sum(y(3, :)**2)
end subroutine chem
subroutine fun(y, r, f)
  implicit none
  real(8), intent(in) :: y(3), r(3)
  real(8), intent(out) :: f(3)
  real(8) :: a, b
  a = r(1)*y(1)
  b = r(2)*y(2)*y(3)
  f(1) = -a + b
  f(2) = a - b - r(3)*y(2)**2
  f(3) = r(3)*y(2)**2
end subroutine fun
subroutine jacobian(y, r, j)
  implicit none
  real(8), intent(in) :: y(3), r(3)
  real(8), intent(out) :: j(3, 3)
  j(1,1) = -r(1)
  j(2,1) = r(1)
  j(3,1) = 0d0
  j(1,2) = r(2)*y(3)
  j(2,2) = -r(2)*y(3) - 2d0*r(3)*y(2)
  j(3,2) = 2d0*r(3)*y(2)
  j(1,3) = r(2)*y(2)
  j(2,3) = -r(2)*y(2)
  j(3,3) = 0d0
end subroutine jacobian
subroutine factor(a)
  implicit none
  real(8), intent(inout) :: a(3, 3)
  integer :: i, j, k
  do k = 1, 2
    do i = k+1, 3
      a(i, k) = a(i, k)/a(k, k)
      do j = k+1, 3
        a(i, j) = a(i, j) - a(i, k)*a(k, j)
      end do
    end do
  end do
end subroutine factor
subroutine backsolve(a, b)
  implicit none
  real(8), intent(in) :: a(3, 3)
  real(8), intent(inout) :: b(3)
  integer :: i, j
  do i = 2, 3
    do j = 1, i-1
      b(i) = b(i) - a(i, j)*b(j)
    end do
  end do
  do i = 3, 1, -1
    do j = i+1, 3
      b(i) = b(i) - a(i, j)*b(j)
    end do
    b(i) = b(i)/a(i, i)
  end do
end subroutine backsolve
