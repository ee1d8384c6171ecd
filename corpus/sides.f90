! MAX needs its operands to tell which one it was: a byte records that, where keeping a and l takes sixteen.
subroutine sided(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, l, b
  integer :: i
  y = 0.0d0
  do i = 1, n
    call exchange(x(i), l)
    a = 0.9d0*x(i)
    b = max(1.0d0, a + l)
    y = y + b
  end do
contains
  subroutine exchange(v, r)
    real(8), intent(in) :: v
    real(8), intent(out) :: r
    r = v*v
  end subroutine exchange
end subroutine sided
