! Assigning an element or a section does not kill the array, assigning the whole array does.
subroutine arrays(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(n), t
  a = x
  b = x
  c = x
  !$AD CHECKPOINT-START
  a(1) = 2.0d0*x(1)
  b(2:n) = 0.5d0*x(2:n)
  c = 3.0d0*x
  t = sum(a*b*c)
  !$AD CHECKPOINT-END
  y = t*t
end subroutine arrays
