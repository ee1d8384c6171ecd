module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, t
  s = x(1)
  t = x(2)
  call one(s)
  call two(t)
  y = s*t
end subroutine p
subroutine one(s)
  real(8), intent(inout) :: s, q
  real(8) :: w
  w = 0.3d0
  call inner(s)
  s = s*s*w
  return
entry two(q)
  w = 0.5d0
  call inner(q)
  q = q*q*w
contains
  subroutine inner(z)
    real(8), intent(inout) :: z
    z = sin(z)*w
    w = z*w
  end subroutine inner
end subroutine one
end module m7
