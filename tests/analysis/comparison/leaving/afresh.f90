! A loop with two ways out in another one, which counts its turns afresh: where it is left gives the count back.
subroutine model(x, n, y)
  integer :: n, it, mode
  real(8) :: x(n), y, t
  t = x(1)
  do mode = 1, 2
    it = 0
30  it = it + 1
    if (t < 1) goto 50
    if (it > 4) goto 50
    t = t - 0.25d0*t*x(it)
    goto 30
50  t = t*x(mode+1)
  end do
  y = t*t
end subroutine model
