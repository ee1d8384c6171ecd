! Pressure in a network of pores: a sparse matrix in compressed rows, SOR sweeps, conductances that follow the flow.
module csr
  implicit none
  type csr_matrix
    integer :: n, nnz
    integer :: ptr(7), col(18)
    real(8) :: val(18)
  end type csr_matrix
contains
  subroutine pattern(a, n)
    type(csr_matrix), intent(inout) :: a
    integer, intent(in) :: n
    integer :: i, k
    k = 0
    a%n = n
    a%ptr(1) = 1
    do i = 1, n
      if (i > 1) then
        k = k + 1
        a%col(k) = i - 1
      end if
      k = k + 1
      a%col(k) = i
      if (i < n) then
        k = k + 1
        a%col(k) = i + 1
      end if
      a%ptr(i+1) = k + 1
    end do
    a%nnz = k
  end subroutine pattern
  subroutine fill(a, g, leak)
    type(csr_matrix), intent(inout) :: a
    real(8), intent(in) :: g(a%n), leak
    integer :: i, k, j
    real(8) :: d, c
    do i = 1, a%n
      d = leak
      do k = a%ptr(i), a%ptr(i+1) - 1
        j = a%col(k)
        if (j /= i) then
          c = 2d0*g(i)*g(j)/(g(i) + g(j))
          a%val(k) = -c
          d = d + c
        end if
      end do
      do k = a%ptr(i), a%ptr(i+1) - 1
        if (a%col(k) == i) a%val(k) = d
      end do
    end do
  end subroutine fill
  subroutine sor(a, b, x, sweeps)
    type(csr_matrix), intent(in) :: a
    real(8), intent(in) :: b(a%n)
    real(8), intent(inout) :: x(a%n)
    integer, intent(in) :: sweeps
    integer :: i, k, s
    real(8) :: r, d
    do s = 1, sweeps
      do i = 1, a%n
        r = b(i)
        d = 1d0
        do k = a%ptr(i), a%ptr(i+1) - 1
          if (a%col(k) == i) then
            d = a%val(k)
          else
            r = r - a%val(k)*x(a%col(k))
          end if
        end do
        x(i) = x(i) + 1.2d0*(r/d - x(i))
      end do
    end do
  end subroutine sor
  function residual(a, b, x) result(r)
    type(csr_matrix), intent(in) :: a
    real(8), intent(in) :: b(a%n), x(a%n)
    real(8) :: r(a%n)
    integer :: i, k
    do i = 1, a%n
      r(i) = b(i)
      do k = a%ptr(i), a%ptr(i+1) - 1
        r(i) = r(i) - a%val(k)*x(a%col(k))
      end do
    end do
  end function residual
  real(8) function largest(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    largest = x(1)
    do i = 2, n
      if (x(i) > largest) largest = x(i)
    end do
  end function largest
end module csr
subroutine pores(radius, inflow, cost, n, nt)
  use csr
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: radius(n), inflow(n)
  real(8), intent(out) :: cost
  type(csr_matrix) :: a
  real(8) :: p(n), g(n), r(n)
  integer :: it
  call pattern(a, n)
  p = 1d0
  cost = 0d0
  do it = 1, nt
    g = radius**4/(1d0 + 0.1d0*p)
    call fill(a, g, 0.5d0)
    call sor(a, inflow, p, 3)
    r = residual(a, inflow, p)
    cost = cost + sum(r**2) + 0.1d0*largest(p, n)
  end do
end subroutine pores
