! Two of them, one with statements of its own.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  do i = 1, n
    t = t*x(i)
    if (t > 5) exit
    t = t*t + x(i)
    if (t < 0.1d0) then
      t = t*x(1)
      exit
    end if
    t = sin(t)
  end do
  y = t*t
end subroutine model
