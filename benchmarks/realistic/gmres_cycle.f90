! Restarted GMRES with Arnoldi by modified Gram-Schmidt, Givens rotations on the Hessenberg matrix, back substitution;
! the operator is a convection-diffusion stencil whose coefficients are the parameters.
module krylov
  implicit none
  integer, parameter :: n = 9, m = 4
contains
  subroutine apply(nu, c, x, y)
    real(8), intent(in) :: nu, c(n), x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = (2d0*nu + 0.3d0)*x(i)
      if (i > 1) y(i) = y(i) - (nu + 0.5d0*c(i))*x(i-1)
      if (i < n) y(i) = y(i) - (nu - 0.5d0*c(i))*x(i+1)
    end do
  end subroutine apply

  subroutine turn(a, b, cs, sn)
    real(8), intent(inout) :: a, b
    real(8), intent(in) :: cs, sn
    real(8) :: t
    t = cs*a + sn*b
    b = -sn*a + cs*b
    a = t
  end subroutine turn

  subroutine cycle_once(nu, c, b, x)
    real(8), intent(in) :: nu, c(n), b(n)
    real(8), intent(inout) :: x(n)
    real(8) :: v(n, m+1), h(m+1, m), g(m+1), cs(m), sn(m), y(m), r
    integer :: i, j
    call apply(nu, c, x, v(:, 1))
    v(:, 1) = b - v(:, 1)
    r = sqrt(sum(v(:, 1)**2))
    v(:, 1) = v(:, 1)/r
    g = 0d0
    g(1) = r
    do j = 1, m
      call apply(nu, c, v(:, j), v(:, j+1))
      do i = 1, j
        h(i, j) = sum(v(:, i)*v(:, j+1))
        v(:, j+1) = v(:, j+1) - h(i, j)*v(:, i)
      end do
      h(j+1, j) = sqrt(sum(v(:, j+1)**2))
      v(:, j+1) = v(:, j+1)/h(j+1, j)
      do i = 1, j - 1
        call turn(h(i, j), h(i+1, j), cs(i), sn(i))
      end do
      r = sqrt(h(j, j)**2 + h(j+1, j)**2)
      cs(j) = h(j, j)/r
      sn(j) = h(j+1, j)/r
      call turn(h(j, j), h(j+1, j), cs(j), sn(j))
      call turn(g(j), g(j+1), cs(j), sn(j))
    end do
    do i = m, 1, -1
      y(i) = g(i)
      do j = i + 1, m
        y(i) = y(i) - h(i, j)*y(j)
      end do
      y(i) = y(i)/h(i, i)
    end do
    do i = 1, m
      x = x + y(i)*v(:, i)
    end do
  end subroutine cycle_once
end module krylov

subroutine steady(nu, c, b, cost)
  use krylov
  implicit none
  real(8), intent(in) :: nu, c(9), b(9)
  real(8), intent(out) :: cost
  real(8) :: x(n)
  integer :: it
  x = 0d0
  do it = 1, 3
    call cycle_once(nu, c, b, x)
  end do
  cost = sum(x*x) + x(4)
end subroutine steady
