module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = first(x(1), x(2))*second(x(3))
  y = y + second(y)*first(y, x(4))
end subroutine p
function first(a, b) result(r)
  real(8), intent(in) :: a, b
  real(8) :: r, r2, kept
  save :: kept
  kept = 0.5d0
  r = a*b
  call twice(a)
  return
entry second(a) result(r2)
  r2 = sin(a)*kept
  call twice(a)
contains
  subroutine twice(z)
    real(8), intent(in) :: z
    r2 = r2*z
    kept = 0.9d0*kept + 0.1d0*z
    if (z > 0.3d0) call again
  end subroutine twice
  subroutine again
    r2 = r2*0.7d0
  end subroutine again
end function first
end module m7
