! y = x*y reads the x that the loop's last statement wrote a round earlier.
subroutine power(x0, n, y)
  implicit none
  real(8), intent(in) :: x0
  integer, intent(in) :: n
  real(8), intent(out) :: y
  real(8) :: x
  integer :: i
  x = x0
  y = x0
  !$AD CHECKPOINT-START
  do i = 1, n
    y = x*y
    x = x + 1.0d0
  end do
  !$AD CHECKPOINT-END
  y = y*y
end subroutine power
