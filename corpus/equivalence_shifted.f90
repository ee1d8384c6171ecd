! Two names of one storage with other bounds: b(i) is a(i - 1), which the iteration before has written. No iteration
! has its elements for itself, and writing a(0) and b(1) to b(5) does not write a whole.
subroutine shifted(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(0:5), b(6), c(0:5), d(6)
  integer :: i, k
  equivalence (a, b), (c, d)
  a = x
  c = x
  y = x
  do k = 1, 2
    !$AD CHECKPOINT-START
    do i = 1, 5
      a(i) = 0.5d0*y*i
      y = sin(y*b(i)) + 0.5d0
    end do
    c(0) = y
    do i = 1, 5
      d(i) = y*y
    end do
    y = sin(y*c(5)) + c(2)
    !$AD CHECKPOINT-END
    a(0) = cos(y)
    c(5) = cos(y)
  end do
  y = y*a(2)
end subroutine shifted
