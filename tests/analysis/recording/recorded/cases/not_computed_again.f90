! head: p(x)>(y)
! given: n=5; x=[0.4, 0.5, 0.3, 0.6, 0.7]
! ways: plain, recompute
! spare: k; SELECT CASE gives every one of the later iterations the same
module parts
  implicit none
  type pair
    real(8) :: v(2), w
  end type pair
end module parts
subroutine p(x, n, y)
  use parts
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), target :: a(n)
  real(8), pointer :: q(:)
  type(pair) :: s
  real(8) :: t, u, v, w, g(3)
  integer :: i, im, ip, k
  a = x
  q => a
  s%v = x(1:2)
  s%w = x(3)
  y = x(1)
  do i = 1, n
  !> all: again v = s%w*x(i); again behind w = maxval(g)
    im = i - 1
    !> all: tape im
    if (sum(x) < 10.0d0*im) im = n
    ip = i + 1
    !> all: tape ip
    if (ip > n) ip = 1
    select case (i)
    case (1)
      k = 2
      !> all: tape k
    case (2)
      k = 3
      !> all: tape k
    case default
      k = 1
      !> all: tape k
    end select
    t = q(1)*x(i)
    !> all: tape t
    u = sum(s%v)*x(i)
    !> all: tape u
    v = s%w*x(i)
    g(1) = x(i)
    !> all: tape g
    g(2) = x(ip)
    !> all: tape g
    g(3) = x(i)*x(ip)
    !> all: tape g
    w = maxval(g)
    y = y + t*t*x(max(im, 1)) + u*u*x(ip) + v*v*x(k) + g(1)*g(2)*g(3) + w*w
  end do
  q(1) = y
  !> all: tape a, q
  y = y*a(1)
end subroutine p
