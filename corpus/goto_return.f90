! A callee with GOTO and RETURN: neither jumped-over write kills.
subroutine step(a, x, k)
  implicit none
  real(8), intent(inout) :: a
  real(8), intent(in) :: x
  integer, intent(in) :: k
  if (k > 0) goto 10
  a = 2.0d0*x
10 if (k > 1) return
  a = a*a
end subroutine step

subroutine driver(x, k, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: k
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  b = a*a
  call step(a, x, k)
  y = a*a + b
end subroutine driver
