! Assigning a whole structure reads and writes all its components.
subroutine whole(x, y)
  implicit none
  type pair
    real(8) :: a, b
  end type pair
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(pair) :: p, q
  p%a = x
  p%b = x
  q%a = x
  q%b = 2.0d0*x
  !$AD CHECKPOINT-START
  p%b = p%b*x
  q = p
  p%a = q%a*q%b
  !$AD CHECKPOINT-END
  y = p%a*q%b
end subroutine whole
