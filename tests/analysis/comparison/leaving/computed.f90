! GOTO by number, and an arithmetic IF.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  do i = 1, n
    goto (10, 20) 1 + mod(i, 3)
    t = t*t*x(i)
    goto 30
10  t = sin(t)*x(i)
    goto 30
20  if (x(i) - 1) 30, 22, 24
22  t = 2*t
24  t = t*t + x(i)
30  t = t*x(1)
  end do
  y = t*t
end subroutine model
