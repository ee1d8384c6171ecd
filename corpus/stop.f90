! STOP in a part.
subroutine halting(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a
  a = x
  !$AD CHECKPOINT-START
  a = a*x
  if (a > 1.0d9) stop
  !$AD CHECKPOINT-END
  y = a*a
end subroutine halting
