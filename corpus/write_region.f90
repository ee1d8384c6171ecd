! WRITE has no outputs: adjoint liveness leaves it out of what runs first, but an adjoint that keeps it writes twice.
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
