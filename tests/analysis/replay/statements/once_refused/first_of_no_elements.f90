module m7
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(2, n)
  a = 0.5d0
  a(1, :) = x
  call columns(a, n, y)
  y = y*sum(a)
end subroutine p
subroutine columns(a, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(2, *), y
  integer :: k
  y = 1.0d0
  do k = 1, n
    call scale(n - k, 2, a(1, k + 1), a(2, k), y)
  end do
end subroutine columns
subroutine scale(n, l, v, w, s)
  integer, intent(in) :: n, l
  real(8), intent(inout) :: v(l, *), w(l, *), s
  integer :: i
  do i = 1, n
    v(1, i) = v(1, i)*w(1, 1)
  end do
  s = s*w(1, 1) + sin(s)
end subroutine scale
end module m7
