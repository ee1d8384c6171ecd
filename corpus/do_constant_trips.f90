! A loop with constant bounds runs at least once, so the scalar it writes is killed.
subroutine thrice(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: a, t
  integer :: i
  a = x(1)
  !$AD CHECKPOINT-START
  do i = 1, 3
    a = 2.0d0*x(i)
  end do
  t = a*a
  !$AD CHECKPOINT-END
  y = t*t
end subroutine thrice
