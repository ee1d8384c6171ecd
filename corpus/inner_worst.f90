! The worst case early: the first iteration of the outer loop runs the inner one as often as all others together.
subroutine worst(n, x, y)
  integer :: n, k, j, m
  real(8) :: x, y, z
  y = x
  do k = 1, n
    m = 1
    if (k == 1) m = 8*n
    do j = 1, m
      z = y
      call kernel(z, y)
    end do
  end do
end subroutine worst

subroutine kernel(a, b)
  real(8) :: a, b
  b = a + 0.1d0*sin(a)
end subroutine kernel
