! A water column with two turbulence quantities, a tridiagonal solver for each variable.
subroutine column(tke0, nu0, cost, nz, nt)
  implicit none
  integer, intent(in) :: nz, nt
  real(8), intent(in) :: tke0(nz), nu0(nz)
  real(8), intent(out) :: cost
  real(8) :: x(nz, 3), a(nz), b(nz), c(nz), rhs(nz), num(nz), shear(nz)
  integer :: t, k, q
  x(:, 1) = tke0
  x(:, 2) = 0.1d0*tke0**1.5d0
  x(:, 3) = (/ (0.1d0*k, k = 1, nz) /)
  num = nu0
  cost = 0d0
  do t = 1, nt
    do k = 2, nz
      shear(k) = (x(k, 3) - x(k-1, 3))**2
    end do
    shear(1) = shear(2)
    do k = 1, nz
      num(k) = 0.09d0*x(k, 1)**2/(x(k, 2) + 0.01d0) + 0.001d0
    end do
    do q = 1, 3
      call build(num, a, b, c, nz)
      select case (q)
      case (1)
        rhs = x(:, 1) + 0.1d0*(num*shear - x(:, 2))
      case (2)
        rhs = x(:, 2) + 0.1d0*x(:, 2)/x(:, 1)*(1.44d0*num*shear - 1.92d0*x(:, 2))
      case default
        rhs = x(:, 3)
        rhs(1) = rhs(1) + 0.05d0
      end select
      call tridag(a, b, c, rhs, x(1, q), nz)
    end do
    cost = cost + x(nz, 3)**2 + x(1, 1)
  end do
end subroutine column
subroutine build(num, a, b, c, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: num(n)
  real(8), intent(out) :: a(n), b(n), c(n)
  integer :: k
  a(1) = 0d0
  c(n) = 0d0
  do k = 2, n
    a(k) = -0.5d0*(num(k) + num(k-1))
    c(k-1) = a(k)
  end do
  do k = 1, n
    b(k) = 1d0 - a(k) - c(k)
  end do
end subroutine build
subroutine tridag(a, b, c, r, u, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n), c(n), r(n)
  real(8), intent(out) :: u(n)
  real(8) :: gam(n), bet
  integer :: j
  bet = b(1)
  u(1) = r(1)/bet
  do j = 2, n
    gam(j) = c(j-1)/bet
    bet = b(j) - a(j)*gam(j)
    u(j) = (r(j) - a(j)*u(j-1))/bet
  end do
  do j = n-1, 1, -1
    u(j) = u(j) - gam(j+1)*u(j+1)
  end do
end subroutine tridag
