! Two loops of labels, one in the other.
subroutine model(x, n, y)
  integer :: n, i, k
  real(8) :: x(n), y, t
  t = 1
  i = 1
10 if (i > n) goto 40
  k = 0
20 k = k + 1
  t = t*x(i) + sin(t)
  if (t > 5) goto 30
  if (k < 3) goto 20
  t = t*t*0.1d0
30 i = i + 1
  goto 10
40 y = t*t
end subroutine model
