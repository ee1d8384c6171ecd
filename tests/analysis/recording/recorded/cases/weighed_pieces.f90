! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, plain eager, intact, taped
! spare: v; with all that the equations save, the inner loop's parts bring back each element that they read
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: u(n), v(n), w(n, n), z(n)
  integer :: i, k
  u = x
  v = x*x
  z = x
  do k = 1, n
    w(:, k) = x*k
  end do
  y = x(1)
  do k = 1, n
!$AD CHECKPOINT-START
!> all: Snp y, u(2:n-1)
    y = y*sin(u(1)*u(n))
    u(2:n-1) = sin(u(2:n-1))*u(1)
!$AD CHECKPOINT-END
    do i = 1, n
!$AD CHECKPOINT-START
!> all: Snp y, v(i), w
      y = y + v(i)*w(1, k)
      v(i) = v(i)*y
      w(2, k) = w(2, k)*w(1, k)*y
!$AD CHECKPOINT-END
    end do
    u = u*y
    !> all: tape u
    v(1) = v(2)*y
    !> intact: tape v
    w(k, :) = w(k, :)*u
    !> all: tape w
!$AD CHECKPOINT-START
!> all: Snp y, z(1:n-1)
    y = y*z(1)*sin(z(n))
    z(1:n-1) = z(1:n-1)*z(n)
!$AD CHECKPOINT-END
    z = z*y
    !> all: tape z
  end do
!$AD CHECKPOINT-START
!> all: Snp y, v, w
  y = y*v(1)*sin(v(n))
  !> all: tape y
  v(2) = v(2)*v(3)
  w(:, 2) = w(:, 2)*w(:, 3)*y
!$AD CHECKPOINT-END
  v = 0.5d0*v
  w(1, 1) = y
  y = y + sum(v*v) + sum(w*w) + sum(u*u) + sum(z*z)
end subroutine p
