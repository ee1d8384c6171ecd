! EXIT out of two loops at once: on the way back the outer one is written with labels, and entered in its middle.
subroutine model(x, n, y)
  integer :: n, i, k
  real(8) :: x(n), y, t
  t = 1
  outer: do i = 1, n
    do k = 1, n
      t = t*x(k) + sin(t)
      if (t > 5) exit outer
    end do
    t = t*t*x(i)
  end do outer
  y = t*t
end subroutine model
