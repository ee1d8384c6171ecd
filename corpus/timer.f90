! A timer read in a part gives another time in the second run.
subroutine timing(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, t
  a = x
  !$AD CHECKPOINT-START
  call cpu_time(t)
  a = a*t
  !$AD CHECKPOINT-END
  y = a*a
end subroutine timing
