! A PARAMETER is a constant: a product with it is linear and it is in no set.
subroutine constants(x, y)
  implicit none
  real(8), parameter :: g = 9.81d0
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  !$AD CHECKPOINT-START
  a = g*a
  b = a*a
  !$AD CHECKPOINT-END
  y = b*b
end subroutine constants
