! Stiff chemistry: implicit Euler by Newton's method with a 3 by 3 elimination.
module kin
  implicit none
  integer, parameter :: ns = 3
contains
  subroutine rates(k, c, f, jac)
    real(8), intent(in) :: k(3), c(ns)
    real(8), intent(out) :: f(ns), jac(ns, ns)
    real(8) :: r1, r2, r3
    r1 = k(1)*c(1)
    r2 = k(2)*c(2)*c(3)
    r3 = k(3)*c(2)*c(2)
    f(1) = -r1 + r2
    f(2) = r1 - r2 - r3
    f(3) = r3
    jac = 0d0
    jac(1, 1) = -k(1)
    jac(1, 2) = k(2)*c(3)
    jac(1, 3) = k(2)*c(2)
    jac(2, 1) = k(1)
    jac(2, 2) = -k(2)*c(3) - 2d0*k(3)*c(2)
    jac(2, 3) = -k(2)*c(2)
    jac(3, 2) = 2d0*k(3)*c(2)
  end subroutine
  subroutine solve3(a, b, x)
    real(8), intent(inout) :: a(ns, ns), b(ns)
    real(8), intent(out) :: x(ns)
    integer :: i, j, k
    real(8) :: l
    do k = 1, ns - 1
      do i = k + 1, ns
        l = a(i, k)/a(k, k)
        do j = k + 1, ns
          a(i, j) = a(i, j) - l*a(k, j)
        end do
        b(i) = b(i) - l*b(k)
      end do
    end do
    do i = ns, 1, -1
      x(i) = b(i)
      do j = i + 1, ns
        x(i) = x(i) - a(i, j)*x(j)
      end do
      x(i) = x(i)/a(i, i)
    end do
  end subroutine
end module
subroutine stiff(nt, k, temp, cost)
  use kin
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: k(3), temp(nt)
  real(8), intent(out) :: cost
  real(8) :: c(ns), cn(ns), f(ns), jac(ns, ns), dx(ns), kt(3), h, res
  integer :: it, newt, i
  c = (/1d0, 0d0, 0d0/)
  h = 0.1d0
  cost = 0d0
  do it = 1, nt
    do i = 1, 3
      kt(i) = k(i)*exp(0.05d0*(temp(it) - 20d0))
    end do
    cn = c
    do newt = 1, 6
      call rates(kt, cn, f, jac)
      f = cn - c - h*f
      jac = -h*jac
      do i = 1, ns
        jac(i, i) = jac(i, i) + 1d0
      end do
      res = sqrt(sum(f*f))
      call solve3(jac, f, dx)
      cn = cn - dx
      if (res < 1d-8) exit
    end do
    c = cn
    cost = cost + (c(3) - 0.01d0*it)**2
  end do
end subroutine
