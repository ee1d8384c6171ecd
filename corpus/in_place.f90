! A covering loop that reads the array it writes does not hide what it reads.
subroutine inplace(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n)
  integer :: i
  a = x
  b = x
  !$AD CHECKPOINT-START
  do i = 1, n
    a(i) = a(i)*b(i)
  end do
  b = 0.0d0
  !$AD CHECKPOINT-END
  y = sum(a*a)
end subroutine inplace
