! One adjoint of scale serves both calls. Before the second c does not vary, so what its adjoint adds to c's
! must not reach the first: behind a call's adjoint, what does not vary before the call has none.
module factor
  implicit none
  real(8) :: c
end module factor

subroutine scale(v)
  use factor
  implicit none
  real(8), intent(inout) :: v
  v = c*v
  c = 2.0d0
end subroutine scale

subroutine twice(x, y)
  use factor
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  c = x
  y = x
  call scale(y)
  call scale(y)
  y = y*y
end subroutine twice
