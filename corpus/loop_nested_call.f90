! The loop stands in a callee, which is called twice, and its step is a call.
subroutine twice(x, y, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  call march(x, n, nt)
  x = 0.5d0*x
  call march(x, n, nt + 1)
  y = sum(x)
contains
  subroutine march(u, m, steps)
    integer, intent(in) :: m, steps
    real(8), intent(inout) :: u(m)
    integer :: k
    do k = 1, steps
      call advance(u, m)
    end do
  end subroutine march
  subroutine advance(u, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: u(m)
    integer :: i
    do i = 2, m - 1
      u(i) = u(i) - 0.1d0*u(i)*(u(i+1) - u(i-1))
    end do
  end subroutine advance
end subroutine twice
