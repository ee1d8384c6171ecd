! What the derivative of a passed expression reads is required like any other statement's, though the callee's adjoint
! runs in between: the callee changes `scale`, and x's adjoint takes it as it was before the call.
module units
  implicit none
  real(8) :: scale
contains
  subroutine convert(from, to)
    real(8), intent(in) :: from
    real(8), intent(out) :: to
    to = from*from
    scale = 7.0d0 + from
    to = to*scale*from
  end subroutine convert
end module units

subroutine measured(x, y)
  use units
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  scale = x*x
  call convert(scale*x, y)
  y = y*scale
end subroutine measured
