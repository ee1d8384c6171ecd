! Infinite DO left by EXIT before its only write of a: a is read after it.
subroutine forever(x, k0, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k0
  real(8), intent(out) :: y
  real(8) :: a, t
  integer :: k
  a = x
  k = k0
  !$AD CHECKPOINT-START
  do
    if (k > 0) exit
    a = 2.0d0*x
    k = k + 1
  end do
  t = a*a
  !$AD CHECKPOINT-END
  y = t*t
end subroutine forever
