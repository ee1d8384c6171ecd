! head: p(x)>(y)
! given: n=4; x=[0.45, 0.55, 0.4, 0.5]
! ways: plain
module shared
  integer :: lim
  real(8) :: g(6), h(6), o(6), q(6)
  type cell
    real(8) :: t(6)
  end type cell
contains
  subroutine inner(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), s
    s = s + u(1)*u(n)
    u(2:n - 1) = u(2:n - 1)*sin(u(2:n - 1))*cos(s)
  end subroutine inner
  subroutine from0(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n), s
    s = s + u(0)*u(n)
    u(1:-(1 - n)) = u(1:n - 1)*sin(u(1:n - 1))*cos(s)
  end subroutine from0
  subroutine grid(u, n, m, s)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: u(n, m), s
    s = s + u(1, 1)*u(n, m)
    u(2:n, m) = u(2:n, m)*sin(u(2:n, m))*cos(s)
  end subroutine grid
  subroutine shaped(u, s)
    real(8), intent(inout) :: u(:), s
    s = s + u(1)
    u(2:3) = u(2:3)*sin(u(2:3))*cos(s)
  end subroutine shaped
  subroutine open(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(*), s
    s = s + u(1)
    u(2:n) = u(2:n)*sin(u(2:n))*cos(s)
  end subroutine open
  subroutine ours(s)
    real(8), intent(inout) :: s
    s = s + g(1)*h(1)
    g(2:lim) = g(2:lim)*sin(g(2:lim))*cos(s)
    h(2:3) = h(2:3)*sin(h(2:3))*cos(s)
  end subroutine ours
  subroutine of_cell(c, s)
    type(cell), intent(inout) :: c
    real(8), intent(inout) :: s
    s = s + c%t(1)
    c%t(2:3) = c%t(2:3)*sin(c%t(2:3))*cos(s)
  end subroutine of_cell
  subroutine first(u, m, s)
    real(8), intent(inout) :: u, s
    integer, intent(inout) :: m
    s = s + u
    u = u*sin(u)*cos(s)
    m = m + 1
  end subroutine first
  subroutine pair(u, v, s)
    real(8), intent(inout) :: u(4), s
    real(8), intent(in) :: v(4)
    s = s + u(1)
    u(2:3) = v(2:3)*sin(u(2:3))*cos(s)
  end subroutine pair
  ! Which elements these write is not told by what they leave as it was.
  subroutine stray(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), s
    integer :: i
    i = n - 1
    s = s + u(i)
    u(i) = u(i)*sin(u(i))*cos(s)
    i = 1
  end subroutine stray
  subroutine stray0(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n), s
    integer :: i
    i = n - 1
    s = s + u(i)
    u(i) = u(i)*sin(u(i))*cos(s)
    i = 1
  end subroutine stray0
  subroutine loose(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), s
    integer :: i
    i = n/n
    s = s + u(i)
    u(i) = u(i)*sin(u(i))*cos(s)
    i = 2
  end subroutine loose
  subroutine all_of(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), s
    s = s + u(1)
    u = u*sin(u)*cos(s)
  end subroutine all_of
  subroutine partly(u, n, s)
    integer, intent(in) :: n
    real(8), intent(out) :: u(n)
    real(8), intent(inout) :: s
    u(2:3) = s
    !> all: tape u
    s = s*u(2)
  end subroutine partly
  recursive subroutine again(u, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), s
    s = s + u(n)
    !> all: tape s
    u(n) = u(n)*sin(u(n))*cos(s)
    !> all: tape u
    if (n > 2) call again(u, n - 1, s)
    !> all: Req_C s
  end subroutine again
  subroutine begin(x)
    real(8), intent(in) :: x
    h = x
    o = x
    q = x
  end subroutine begin
  subroutine finish(s)
    real(8), intent(inout) :: s
    s = s + sum(q*q)
  end subroutine finish
  ! q is named by no statement of p: it has no name there.
  subroutine hidden(s)
    real(8), intent(inout) :: s
    s = s + o(1)
    o(2:3) = o(2:3)*sin(o(2:3))*cos(s)
    q(2:3) = q(2:3)*sin(q(2:3))*cos(s)
  end subroutine hidden
end module shared
subroutine p(x, n, y)
  use shared
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(5), b(4, 4), d(6), e(n, n), v(4, 3), w(6), r(5), t(5)
  type(cell) :: c(4), z
  integer :: k, m
  lim = 4
  call begin(x(2))
  !> all: nothing
  g = x(1)
  a = x(2)
  b = x(3)
  d = x(4)
  e = x(1)
  v = x(2)
  w = x(3)
  r = x(1)
  t = x(2)
  z%t = x(1)
  c = z
  m = 1
  y = 1 + h(2)
  do k = 2, 3
    call inner(a, 5, y)
    !> all: Snp y, a(2:4)
    call inner(a, lim, y)
    !> all: Snp y, a(2:lim-1)
    call inner(b(1, k), 4, y)
    !> all: Snp y, b(2:3, k)
    call inner(b(2, k), 4, y)
    !> all: Snp y, b(3:4, k)
    call inner(b(:, k), n, y)
    !> all: Snp y, b(2:n-1, k)
    call inner(b(k, :), 4, y)
    !> all: Snp y, b(k, 2:3)
    call inner(b(2:4, k), 3, y)
    !> all: Snp y, b(3, k)
    call inner(d(2:5), k + 1, y)
    !> all: Snp y, d(3:k+1)
    call inner(d(1:5:2), 3, y)
    !> all: Snp y, d(1:5:2)
    call from0(d(2:6), 4, y)
    !> all: Snp y, d(3:5)
    call from0(d, 5, y)
    !> all: Snp y, d(2:5)
    call from0(d(k), n - k, y)
    !> all: Snp y, d(k+1:n-1)
    call grid(b, 4, k, y)
    !> all: Snp y, b(2:4, k)
    call grid(b, 2, 4, y)
    !> all: Snp y, b
    call grid(e, n, 3, y)
    !> all: Snp y, e(2:n, 3)
    call grid(e(1, 2), n, 2, y)
    !> all: Snp y, e(:, 2:)
    call shaped(e(:, k), y)
    !> all: Snp y, e(2:3, k)
    call shaped(w(k:), y)
    !> all: Snp y, w(k+1:k+2)
    call open(w, k + 1, y)
    !> all: Snp y, w(2:k+1)
    call open(e(1, k), n, y)
    !> all: Snp y, e(2:n, k)
    call open(v(2, k), 3, y)
    !> all: Snp y, v(3:4, k)
    call of_cell(c(k), y)
    !> all: Snp y, c(k)%t(2:3)
    call of_cell(z, y)
    !> all: Snp y, z%t(2:3)
    call inner(c(k)%t, 6, y)
    !> all: Snp y, c(k)%t(2:5)
    call inner(z%t(2:), k + 1, y)
    !> all: Snp y, z%t(3:k+1)
    call first(w(m), m, y)
    !> all: Snp y, w(m), m
    call stray(a, 3, y)
    !> all: Snp y, a(1:3)
    call stray(d(k), 2, y)
    !> all: Snp y, d(k:k+1)
    call stray0(d, 3, y)
    !> all: Snp y, d(1:4)
    call all_of(w(k), 3, y)
    !> all: Snp y, w(k:k+2)
    y = y + r(2)*r(3)
    call partly(r, 4, y)
    !> all: Snp y, r; Req_C r
    call again(t, 3, y)
    !> all: Snp y, t(1:3)
    call pair(b(:, 1), b(:, k), y)
    !> all: Snp y, b(2:3, 1)
    call pair(c(1)%t(k), x, y)
    !> all: Snp y, c(1)%t(k+1:k+2)
    call all_of(c(1)%t, 6, y)
    !> all: Snp y, c(1)%t
    ! A dummy argument may be declared larger than what is left.
    call loose(w(4), 5, y)
    !> all: Snp y, w(4:6)
    call all_of(v(m, k), 1, y)
    !> all: Snp y, v(m, k)
    call ours(y)
    !> all: Snp y, g(2:lim), h(2:3); Req_D lim
    call hidden(y)
    !> all: Snp y, o(2:3), q; Req_D lim
    lim = lim + 1
    !> all: tape lim
  end do
  call finish(y)
  !> all: nothing
  y = y + sum(a) + sum(b) + sum(d) + sum(e) + sum(v) + sum(w) + r(2) + sum(t) + sum(z%t) + sum(c(2)%t) + sum(g) + sum(h) + sum(o)
end subroutine p
