! No derivative passes through clear, but it overwrites t, whose adjoint is not zero where both ways meet: the
! reversed branch must come by it, so p, on which it hangs and which the part overwrites, is saved.
subroutine clear(t)
  implicit none
  real(8), intent(out) :: t
  t = 1.0d0
end subroutine clear

subroutine choosing(x, p, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(inout) :: p
  real(8), intent(out) :: y
  real(8) :: t
  t = 2.0d0*x
  !$AD CHECKPOINT-START
  if (p < 3) call clear(t)
  p = p - 4
  !$AD CHECKPOINT-END
  y = t*p
end subroutine choosing
