! Two procedures see a COMMON block differently: v in one is a(2) in the other.
subroutine inner(z)
  implicit none
  real(8), intent(in) :: z
  real(8) :: u, v, w
  common /blk/ u, v, w
  v = v*v*z
  w = u
end subroutine inner

subroutine outer(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(2), c
  common /blk/ a, c
  a(1) = x
  a(2) = x
  c = x
  call inner(x)
  y = a(1)*a(2)*c
end subroutine outer
