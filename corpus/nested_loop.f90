! A part in a loop in a part: the inner D ends with the outer part, the outer D is what follows it.
subroutine nest(x, n, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: n
  real(8), intent(out) :: y
  real(8) :: a, b, c
  integer :: k
  a = x
  b = x
  c = x
  !$AD CHECKPOINT-START
  do k = 1, n
    !$AD CHECKPOINT-START
    a = a*b
    !$AD CHECKPOINT-END
    b = b + c
  end do
  !$AD CHECKPOINT-END
  c = a + 1.0d0
  y = c*c
end subroutine nest
