! The first run is what adjoint liveness keeps: w serves only the part's own second run, so it is in no out(C).
subroutine trimmed(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, w
  w = x
  a = x*w
  !$AD CHECKPOINT-START
  a = a*x
  w = 2.0d0*x
  w = w*w
  y = w*x
  !$AD CHECKPOINT-END
  y = y + a*a
end subroutine trimmed
