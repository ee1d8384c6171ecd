! EXIT in the middle of a turn.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  do i = 1, n
    t = t*x(i)
    if (t > 5) exit
    t = t*t + x(i)
  end do
  y = t*t
end subroutine model
