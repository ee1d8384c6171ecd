! GOTOs around GOTOs: of the turn in which the inner loop is left, residual has run, and slope has not.
subroutine residual(t, e)
  real(8) :: t, e
  e = t*t - 2
end subroutine residual
subroutine slope(t, g)
  real(8) :: t, g
  g = 2*t
end subroutine slope
subroutine model(x, n, y)
  integer :: n, it, mode
  real(8) :: x(n), y, t, e, g
  mode = 0
  t = x(1)
20 it = 0
30 it = it + 1
  call residual(t, e)
  if (e < 0.3d0) goto 50
  if (it > 4) goto 50
  call slope(t, g)
  t = t - x(2)*e/g
  goto 30
50 if (mode < 2) then
    mode = mode + 1
    t = t*x(3)
    goto 20
  end if
  y = t*t
end subroutine model
