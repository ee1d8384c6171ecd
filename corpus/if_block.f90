! Reads under a branch count; a write under one branch does not kill.
subroutine branch(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k
  real(8), intent(out) :: y
  real(8) :: a, b, t
  a = x
  b = 2.0d0*x
  !$AD CHECKPOINT-START
  if (k > 0) then
    a = b*b
  else if (k < 0) then
    b = a + x
  end if
  t = a*b
  !$AD CHECKPOINT-END
  y = t*t
end subroutine branch
