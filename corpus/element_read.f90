! a(1) = 0, then a(2) is read: the array is read although its first write comes first.
subroutine element(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(2), t
  a(1) = x
  a(2) = x
  !$AD CHECKPOINT-START
  a(1) = 0.0d0
  t = a(2)*x
  !$AD CHECKPOINT-END
  y = t*t + a(1)
end subroutine element
