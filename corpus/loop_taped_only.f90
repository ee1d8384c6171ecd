! A loop without derivative whose overwrites are taped is run backwards too, to restore them: its trips must be known
! there, by keeping m or by recording them.
subroutine restoring(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k
  real(8), intent(out) :: y
  real(8) :: a, w
  integer :: i, m
  w = 2.0d0
  a = x
  m = k
  !$AD CHECKPOINT-START
  a = a*w
  do i = 1, m
    w = w*w
  end do
  m = 3
  a = a*w*m
  !$AD CHECKPOINT-END
  y = a*a
end subroutine restoring
