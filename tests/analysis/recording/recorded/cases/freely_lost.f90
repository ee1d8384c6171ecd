! head: p(x)>(y)
! given: n=4; x=[0.4, 0.5, 0.3, 0.6]
! ways: plain, plain eager, values
! spare: g, y; g(1, k) is in the snapshot of the call before it; what the first call makes of e nobody reads
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
  real(8) :: e(n), f(n), g(n, n), h(n)
  integer :: k
  e = x
  f = x
  h = x
  do k = 1, n
    g(:, k) = x*k
  end do
  y = x(1)
  call bend(e(2:n), n - 1, y)
  !> all: Snp y, e
  call bend(f(2:n), n - 1, y)
  !> all: Snp y, f(2:n)
  do k = 1, n
    call bend(g(:, k), n, y)
    !> plain, values: Snp y, g(1, k), g(2:n, k); Req_C y
    !> plain eager: Sbk y; Snp y, g(1, k), g(2:n, k)
    call bend(h(2:n), n - 1, y)
    !> all: Snp y, h(2:n)
    f(1) = f(1)*y
    !> all: tape f
  end do
  e = x*y
  h = h*y
  !> all: tape h
  g = g*y
  !> all: tape g
  y = y + sum(e*f) + sum(g*g) + sum(h*h)
  !> all: tape y
  do k = 1, n
    call bend(g(:, k), n, y)
    !> all: Snp y, g(1, k), g(2:n, k); Req_D g
    g(1, k) = y
    !> all: tape g
  end do
  y = y*sum(g)
end subroutine p
