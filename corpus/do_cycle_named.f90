! CYCLE with the name of the outer loop skips the write of a.
subroutine skipping(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: a, b, t
  integer :: i, j
  a = x(1)
  b = x(2)
  !$AD CHECKPOINT-START
  outer: do i = 1, 3
    inner: do j = 1, 3
      if (x(j) > 1.0d0) cycle outer
      b = b + x(j)
    end do inner
    a = 2.0d0*b
  end do outer
  t = a*a
  !$AD CHECKPOINT-END
  y = t*t
end subroutine skipping
