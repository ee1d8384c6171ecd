! head: p(x)>(y)
! given: n=4; x=[0.45, 0.55, 0.4, 0.5]
! ways: plain, plain eager
subroutine bend(u, n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), s
  s = s + u(1)*u(n)
  u = sin(u)*s
end subroutine bend
subroutine twice(u, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  u = 2*u
end subroutine twice
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: u(n), v(n), w(n), z(n), b(n, n), c(n, n)
  integer :: k, m
  u = x
  v = x
  w = x
  z = x
  b = x(2)
  c = x(3)
  y = x(1)*sum(u*u)*sum(v*v)*sum(w*w)*sum(z*z)*sum(b)
  m = 2
  do k = 1, 3
    ! What D overwrites of u is the piece; of v, w and z it is more.
    call bend(u(2:n), n - 1, y)
    !> all: Snp y, u(2:n)
    call twice(u(2:n), n - 1)
    !> all: nothing
    call bend(v(2:n), n - 1, y)
    !> all: Snp y, v
    call twice(v(1:n - 1), n - 1)
    !> all: nothing
    call bend(w(m:n), n - m + 1, y)
    !> all: Snp y, w
    call twice(w(m:n), n - m + 1)
    !> plain: Req_D m
    !> plain eager: Snp m
    m = m + 1
    !> plain: tape m
    ! Of b it is other columns, which is cheaper to tape than b to save, and of c all.
    call bend(b(:, k), n, y)
    !> plain: Snp y, b(:, k); Req_D b
    !> plain eager: Snp y, b
    call twice(b(:, n), n)
    !> plain: Snp b(:, n)
    !> plain eager: nothing
    call bend(c(:, k), n, y)
    !> all: Snp y, c
    c = 0.5d0*c
    call bend(z(2:n), n - 1, y)
    !> all: Snp y, z
    z = 0.5d0*z
  end do
  y = y + sum(u*u) + sum(v*v) + sum(w*w) + sum(z*z) + sum(b*b) + sum(c*c)
end subroutine p
