! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, plain eager, intact, values
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: u(n), v(n), w(n, n)
  integer :: i
  u = x
  v = x*x
  w = 0.5d0
  y = 0.0d0
  do i = 1, n
!$AD CHECKPOINT-START
!> all: Snp y, u(2:n-1), v(i), w(:, i)
    y = y + u(1)*sin(u(n))
    u(2:n-1) = sin(u(2:n-1))*u(1)
    v(i) = v(i)*v(i)*y
    !> all: tape v
    w(:, i) = sin(w(:, i)*v)
!$AD CHECKPOINT-END
    v = v*u
    !> all: tape v
  end do
  y = y*sum(u*u) + sum(v*v) + sum(w*w)
end subroutine p
