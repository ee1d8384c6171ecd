! A marked part with a loop that EXIT may leave: its second run is undone in the same turn of the loop around.
subroutine model(x, n, y)
  integer :: n, i, it
  real(8) :: x(n), y, t
  t = x(1)
  do it = 1, 2
    !$AD CHECKPOINT-START
    do i = 1, n
      t = t*x(i)
      if (t > 5) exit
      t = t*t + x(i)
    end do
    !$AD CHECKPOINT-END
    t = sin(t)
  end do
  y = t*t
end subroutine model
