! GMRES-like Hessenberg by Givens, rows in a matrix, rotations in arrays.
subroutine hess(n, h0, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: h0(n + 1, n)
  real(8), intent(out) :: y
  real(8) :: h(n + 1, n), cs(n), sn(n), g(n + 1)
  integer :: j, i
  h = h0
  g = 0d0
  g(1) = 1d0
  do j = 1, n
    do i = 1, j - 1
      call apply(h(i, j), h(i + 1, j), cs(i), sn(i))
    end do
    call build(h(j, j), h(j + 1, j), cs(j), sn(j))
    call apply(h(j, j), h(j + 1, j), cs(j), sn(j))
    call apply(g(j), g(j + 1), cs(j), sn(j))
  end do
  y = g(n + 1)**2
  do j = 1, n
    y = y + h(j, j)**2
  end do
end subroutine
subroutine build(a, b, c, s)
  implicit none
  real(8), intent(in) :: a, b
  real(8), intent(out) :: c, s
  real(8) :: r
  r = sqrt(a*a + b*b)
  c = a/r
  s = b/r
end subroutine
subroutine apply(a, b, c, s)
  implicit none
  real(8), intent(inout) :: a, b
  real(8), intent(in) :: c, s
  real(8) :: t
  t = c*a + s*b
  b = -s*a + c*b
  a = t
end subroutine
