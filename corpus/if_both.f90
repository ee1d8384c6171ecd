! Written on both sides of a branch: killed, so nothing is saved.
subroutine both(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k
  real(8), intent(out) :: y
  real(8) :: a, t
  a = x
  !$AD CHECKPOINT-START
  if (k > 0) then
    a = 2.0d0*x
  else
    a = x*x
  end if
  t = a*a
  !$AD CHECKPOINT-END
  y = t*t
end subroutine both
