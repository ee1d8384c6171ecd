! A loop that ends with a jump back, which is counted.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  i = 0
10 i = i + 1
  t = t*x(i) + sin(t)
  if (t > 3) t = sqrt(t)
  if (i < n) goto 10
  y = t*t
end subroutine model
