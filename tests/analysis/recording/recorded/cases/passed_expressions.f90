! head: p(x)>(y)
! given: n=4; x=[0.63, 0.77, 0.56, 0.84]
! ways: plain, plain eager, recompute, split, split recompute
subroutine bear(v, i, y)
  real(8), intent(in) :: v
  integer, intent(in) :: i
  real(8), intent(inout) :: y(*)
  y(i) = y(i)*v + sin(v)
  !> all: tape y
  y(i + 1) = y(i)*v
  !> split, split recompute: tape y
end subroutine bear
function weight(v, w) result(r)
  real(8), intent(in) :: v
  real(8), intent(inout) :: w
  real(8) :: r
  r = v*v*w
  !> split, split recompute: tape r
  w = w*v
  !> split, split recompute: tape w
end function weight
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), external :: weight
  real(8) :: a, b, u(n)
  integer :: i, at(n)
  a = x(1)
  b = x(2)
  u = x
  at = [(n - i + 1, i = 1, n)]
  y = a*b
  do i = 2, n
  !> recompute: again behind b = x(2), a = x(1)
    call bear(a*b, at(i), u)
    !> plain, plain eager, recompute: Snp u(at(i):at(i)+1); Req_D y, at, weight
    at(i - 1) = i - 1
    !> all: tape at
    a = a*u(i)
    !> all: tape a
    y = y + weight(u(at(i - 1)), b)*u(i)
    !> plain, plain eager, recompute: Snp b, weight; Req_D y; tape y
    !> split, split recompute: tape y
    u(at(i) + 1) = a*y
    !> all: tape u
  end do
  call bear(2.0d0*a, 1, u)
  !> plain, plain eager, recompute: Snp u(1:2); Req_D a
  a = y*b
  !> all: tape a
  b = weight(a, y)
  !> plain, plain eager, recompute: Snp y; Req_D b; tape b
  !> split, split recompute: tape b
  y = y*a + b*sum(u*u)
end subroutine p
