! A part that reads the variable of the loop around it: the loop's reversal gives it back to the derivatives.
subroutine indexed(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a
  integer :: k
  a = 1.0d0
  do k = 1, n
    !$AD CHECKPOINT-START
    a = a*x(k)*k
    !$AD CHECKPOINT-END
  end do
  do k = 1, n
    a = a*x(k)
  end do
  y = a
end subroutine indexed
