! A marked part inside a called procedure: its D ends where the procedure ends.
subroutine inner(a, b)
  implicit none
  real(8), intent(inout) :: a, b
  real(8) :: t
  t = a*a
  !$AD CHECKPOINT-START
  a = a*t
  b = a + b
  !$AD CHECKPOINT-END
  b = b*b
end subroutine inner

subroutine outer(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  b = x
  call inner(a, b)
  y = a*b
end subroutine outer
