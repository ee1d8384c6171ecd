! step is called in split mode, then as a checkpoint: two adjoint codes. The part in step: in the split code D goes on
! in the caller, which overwrites b's successor c and reads step's results; t is gone when step's forward sweep ends.
subroutine step(a, b)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(inout) :: b
  real(8) :: t
  t = a*b
  !$AD CHECKPOINT-START
  b = sin(t)*b
  !$AD CHECKPOINT-END
  t = t*t
  b = b*t
end subroutine step

subroutine march(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: c
  c = x
  y = x
  !$AD NOCHECKPOINT
  call step(c, y)
  c = c*y
  call step(c, y)
  y = y*y
end subroutine march
