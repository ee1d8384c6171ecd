! A logical IF guards one write: it does not kill, and its condition is a read (k is overwritten in the part).
subroutine guarded(x, k0, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k0
  real(8), intent(out) :: y
  real(8) :: a, t
  integer :: k
  a = x
  k = k0
  !$AD CHECKPOINT-START
  if (k > 0) a = x*x
  k = 3
  t = a*a*k
  !$AD CHECKPOINT-END
  y = t*t
end subroutine guarded
