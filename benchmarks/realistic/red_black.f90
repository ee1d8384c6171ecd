! Red-black relaxation: every other element is updated from those between.
module colours
  implicit none
  integer, parameter :: n = 12
contains
  subroutine half_sweep(u, f, nu, parity)
    real(8), intent(inout) :: u(n, n)
    real(8), intent(in) :: f(n, n), nu
    integer, intent(in) :: parity
    integer :: i, j
    real(8) :: around
    do j = 2, n - 1
      do i = 2 + mod(j + parity, 2), n - 1, 2
        around = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)
        u(i, j) = (nu*around + f(i, j))/(1.0d0 + 4.0d0*nu + 0.1d0*u(i, j)**2)
      end do
    end do
  end subroutine half_sweep

  subroutine sweep_line(u, f, nu)
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: f(n), nu
    integer :: i
    do i = 2, n - 1, 2
      u(i) = u(i) + 0.2d0*(u(i - 1) + u(i + 1) - 2.0d0*u(i))*u(i)
    end do
    u(3:n - 1:2) = u(3:n - 1:2) + 0.2d0*nu*(u(2:n - 2:2)**2 + u(4:n:2)**2)*f(3:n - 1:2)
  end subroutine sweep_line
end module colours

subroutine relax(f, nu, cost)
  use colours
  implicit none
  real(8), intent(in) :: f(n, n), nu
  real(8), intent(out) :: cost
  real(8) :: u(n, n), change
  integer :: i, j, it
  do j = 1, n
    do i = 1, n
      u(i, j) = 0.1d0*f(i, j)
    end do
  end do
  do it = 1, 4
    call half_sweep(u, f, nu, 0)
    call half_sweep(u, f, nu, 1)
    call sweep_line(u(:, 1), f(:, 1), nu)
    call sweep_line(u(:, n), f(:, n), nu)
  end do
  cost = 0.0d0
  do j = 1, n
    do i = 1, n
      change = u(i, j) - f(i, j)
      cost = cost + change**2
    end do
  end do
end subroutine relax
