! A loop that begins with a test and ends with GOTO; another jump leaves it in its middle.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  i = 1
10 if (i > n) goto 20
  t = t*x(i) + sin(t)
  if (t > 50) goto 20
  t = t*x(i)
  i = i + 1
  goto 10
20 y = t*t
end subroutine model
