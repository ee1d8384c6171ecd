! A call that gets an element or a section overwrites nothing else of the array: only that is saved, once an iteration.
module operators
contains
  subroutine store(p, h, q)
    real(8), intent(in) :: p
    real(8), intent(inout) :: h
    real(8), intent(out) :: q
    h = h*h + p
    q = h*h*p
    h = h - 0.1d0*q
  end subroutine store
  subroutine column(u, w)
    real(8), intent(inout) :: u(:)
    real(8), intent(in) :: w(:)
    integer :: i
    do i = 2, size(u) - 1
      u(i) = u(i)*u(i) + w(i)*u(i-1)
    end do
  end subroutine column
end module operators

subroutine sectioned(x, n, nt, y)
  use operators
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: h(n), q, u(n, 2), s
  integer :: k, it
  h = 0.5d0
  u(:, 1) = x
  u(:, 2) = 0.3d0
  s = 0.0d0
  do it = 1, nt
    do k = 1, n
      call store(x(k), h(k), q)
      s = s + q*h(k)
    end do
    call column(u(:, 1), u(:, 2))
    call column(u(2:n-1, 2), x(2:n-1))
  end do
  y = s*s + sum(u*u) + sum(h)
end subroutine sectioned
