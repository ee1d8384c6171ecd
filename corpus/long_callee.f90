! All the time is in one call, and the head has no loop.
subroutine head(x, y)
  real(8) :: x(3), y, z(3)
  z = 2*x
  call work(z, 40)
  y = z(1)*z(2) + z(3)
end subroutine head

subroutine work(z, n)
  integer :: n, k
  real(8) :: z(3), a
  do k = 1, n
    a = z(1)
    z(1) = cos(z(2))
    z(2) = sin(z(3))*a
    z(3) = a*z(1)
  end do
end subroutine work
