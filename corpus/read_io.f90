! READ is a write: b is taken from upstream code that needs it. A second run reads the next record; a null value
! in a list-directed record leaves b as it was, so b is not killed.
subroutine reading(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  b = 2.0d0
  a = x*b
  !$AD CHECKPOINT-START
  read (*, *) b
  a = a*b
  !$AD CHECKPOINT-END
  y = a*a
end subroutine reading
