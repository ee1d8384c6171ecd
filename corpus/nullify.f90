! NULLIFY in a part changes what the second run finds: the association is saved.
subroutine cutting(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), pointer :: p
  real(8), target :: a
  real(8) :: t
  a = x
  p => a
  !$AD CHECKPOINT-START
  t = p*x
  nullify (p)
  !$AD CHECKPOINT-END
  y = t*t
end subroutine cutting
