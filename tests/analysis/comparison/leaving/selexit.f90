! EXIT in a branch of a branch.
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t
  t = 1
  do i = 1, n
    t = t*x(i)
    if (t > 5) then
      t = t*t - 22
      if (t > 7) then
        t = sin(t)
        exit
      end if
      t = t*x(1)
    else
      t = cos(t)
    end if
    t = t*t + x(i)
  end do
  y = t*t
end subroutine model
