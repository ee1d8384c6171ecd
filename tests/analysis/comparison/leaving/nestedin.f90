! A loop with EXIT in a loop with EXIT.
subroutine model(x, n, y)
  integer :: n, i, j
  real(8) :: x(n), y, t
  t = 1
  do i = 1, n
    do j = 1, 3
      t = t*x(i)
      if (t > 5) exit
      t = t*t + x(j)
    end do
    t = sin(t)
    if (t < 0.1) exit
    t = t*2*x(i)
  end do
  y = t*t
end subroutine model
