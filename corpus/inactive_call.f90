! A call without derivative is a plain statement of the part and not reported; its effects still count.
subroutine bump(k)
  implicit none
  integer, intent(inout) :: k
  k = k + 1
end subroutine bump

subroutine counting(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(inout) :: k
  real(8), intent(out) :: y
  real(8) :: a
  a = x
  !$AD CHECKPOINT-START
  call bump(k)
  a = a*k
  !$AD CHECKPOINT-END
  y = a*a
end subroutine counting
