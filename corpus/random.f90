! A random number drawn in the part: the second run draws another one.
subroutine noisy(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, r
  a = x
  !$AD CHECKPOINT-START
  call random_number(r)
  a = a*r
  !$AD CHECKPOINT-END
  y = a*a
end subroutine noisy
