! WRITE has no outputs: a marked part's first run leaves it out, so it is written once.
subroutine writing(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  !$AD CHECKPOINT-START
  b = a*a
  write (*, *) a
  !$AD CHECKPOINT-END
  y = b*b
end subroutine writing
