! head: p(x)>(y)
! given: n=5; x=[0.27, 0.33, 0.24, 0.36, 0.21]
! ways: plain, plain eager, values, taped
subroutine bend(u, n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), s
  s = s + u(1)*u(n)
  u = sin(u)*s
end subroutine bend
subroutine mend(u, s)
  real(8), intent(inout) :: u, s
  s = s*u
  !> all: tape s
  u = u*s
end subroutine mend
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n, n), b(n, n), u(n)
  integer :: k
  u = x
  y = x(1)
  do k = 1, n
    a(:, k) = x
    b(:, k) = x*k
  end do
  do k = 1, n
    call bend(a(:, k), n, y)
    !> plain, values, taped: Snp y, a(:, k); Req_D a
    !> plain eager: Snp y, a
    call mend(b(1, k), y)
    !> all: Snp y, b(1, k)
    call mend(b(2, k), y)
    !> all: Snp y, b(2, k)
    call bend(u(2:n), n - 1, y)
    !> all: Snp y, u(2:n)
  end do
  do k = 2, n
    call bend(b(1:n, k), n, y)
    !> all: Snp y, b(:, k)
    call mend(u(k), y)
    !> all: Snp y, u(k)
    b(:, k - 1) = b(:, k)*u(k)
    !> all: tape b
  end do
  u = u*y
  !> all: tape u
  a = a*0.5d0
  call mend(u(3), y)
  !> all: Snp y, u(3)
  y = y + sum(a*a) + sum(b*b) + sum(u*u)
end subroutine p
