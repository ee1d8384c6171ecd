! BLAS and LAPACK without source: what they do to their arguments is known. An interface body's intents are promises.
subroutine solved(n, x, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  real(8), external :: ddot
  interface
    pure subroutine scaled(n, s, y)
      integer, intent(in) :: n
      real(8), intent(in) :: s
      real(8), intent(inout) :: y(n)
    end subroutine scaled
  end interface
  real(8) :: a(n, n), b(n), y(n)
  integer :: pivots(n), info, i
  a = 0.0d0
  do i = 1, n
    a(i, i) = 2.0d0 + x(i)
  end do
  y = x
  call scaled(n, y(1), b)
  call dgesv(n, 1, a, n, pivots, b, n, info)
  call daxpy(n, 2.0d0, b, 1, y, 1)
  cost = ddot(n, b, 1, y, 1)
end subroutine solved
