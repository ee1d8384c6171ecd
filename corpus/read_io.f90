! READ is a write: it takes b away from the upstream statement that needs it; and a second run reads the next record.
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
