! A part in a loop: D includes the later iterations, so s, written after the part, is in out(D).
subroutine later(x, n, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: n
  real(8), intent(out) :: y
  real(8) :: a, s
  integer :: k
  a = x
  s = x
  do k = 1, n
    !$AD CHECKPOINT-START
    a = a*s
    !$AD CHECKPOINT-END
    s = s + a
  end do
  y = a*s
end subroutine later
