! Pointer assignment in a part: the target is read through the pointer; what the pointer is associated with is saved.
subroutine pointing(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), pointer :: p
  real(8), target :: a, b
  real(8) :: t
  a = x
  b = 2.0d0*x
  p => a
  !$AD CHECKPOINT-START
  t = p*b
  p => b
  t = t*p
  a = 3.0d0*x
  !$AD CHECKPOINT-END
  y = t*t*a
  nullify (p)
end subroutine pointing
