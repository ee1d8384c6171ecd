! A scalar overlaid on one element of an array: reading the array reads it, and it is saved under either name.
subroutine partly(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(3), p, b
  equivalence (a(2), p)
  a = x
  !$AD CHECKPOINT-START
  p = p*x
  b = a(1)*a(2)*a(3)
  !$AD CHECKPOINT-END
  y = b*b
end subroutine partly
