! FORALL reads what it writes.
subroutine shift(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n)
  integer :: i
  a = x
  !$AD CHECKPOINT-START
  forall (i = 2:n) a(i) = a(i - 1)*x(i)
  !$AD CHECKPOINT-END
  y = sum(a*a)
end subroutine shift
