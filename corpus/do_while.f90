! DO WHILE: its condition is read before and after every round.
subroutine whileloop(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a
  integer :: k
  a = x
  k = 0
  !$AD CHECKPOINT-START
  do while (k < 3)
    a = a*x
    k = k + 1
  end do
  !$AD CHECKPOINT-END
  y = a*a
end subroutine whileloop
