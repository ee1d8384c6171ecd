! Nothing after the part needs its values: it is not run first, and nothing is saved.
subroutine tail(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a
  a = x
  !$AD CHECKPOINT-START
  a = a*x
  a = a*a
  !$AD CHECKPOINT-END
  y = a
end subroutine tail
