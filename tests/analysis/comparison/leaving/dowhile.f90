! DO WHILE with EXIT.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  i = 1
  do while (t < 10)
    t = t*x(i)
    i = i + 1
    if (i > n) exit
    t = t*t
  end do
  y = t*t
end subroutine model
