! head: p(x)>(y)
! given: n=4; x=[0.4, 0.5, 0.3, 0.6]
! ways: plain, plain eager, values
subroutine bend(u, n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), s
  s = s + u(1)*u(n)
  !> plain, values: tape s
  u = sin(u)*s
end subroutine bend
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(n), d(n), w(n, 2)
  integer :: k
  a = x
  b = x*x
  c = x
  d = x
  w(:, 1) = x
  w(:, 2) = x*x
  y = sum(a*a) + sum(b*b) + sum(w(:, 1)**2) + sum(c*c) + sum(d*d)
  call bend(a(2:n), n - 1, y)
  !> all: Snp y, a(2:n)
  call bend(b(2:n), n - 1, y)
  !> all: Snp y, b
  call bend(w(2:n, 1), n - 1, y)
  !> all: Snp y, w
  call bend(c(2:n), n - 1, y)
  !> all: Snp y, c(2:n)
  call bend(d(2:n), n - 1, y)
  !> all: Snp y, d(2:n)
  do k = 1, n
    a = a*y
    !> all: tape a
    b = 0.5d0*b
    w(:, 1) = w(:, 1) + w(:, 2)
    call bend(c(2:n), n - 1, y)
    !> plain, values: Snp y, c(2:n); Req_C y
    !> plain eager: Sbk y; Snp y, c(2:n)
    d(k) = d(k)*y
    !> all: tape d
  end do
  y = y + sum(a*b) + sum(w*w) + sum(c*d)
end subroutine p
