! Pointers that no statement brings together lead to different memory: a write through p leaves what q leads to alone.
subroutine blended(n, x, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  real(8), target :: a(n), b(n), c(n)
  real(8), pointer :: p(:), q(:)
  a = x
  b = 2.0d0*x
  c = 3.0d0*x
  p => a
  q => b
  !$AD CHECKPOINT-START
  p = p*q
  !$AD CHECKPOINT-END
  q = q*p
  c = c*a*b
  cost = sum(p*q*c)
end subroutine blended
