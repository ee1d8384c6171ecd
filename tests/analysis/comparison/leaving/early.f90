! RETURN, before the loop and in it.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = x(1)*x(2)
  y = t
  if (t < 0) return
  t = t*t
  do i = 1, n
    t = t*x(i)
    y = t
    if (t > 5) return
    t = t*t + x(i)
  end do
  y = t*t
end subroutine model
