! head: p(x)>(y)
! given: n=4; x=[0.63, 0.77, 0.56, 0.84]
! ways: plain, split, split values, split recompute, recompute
subroutine inner(a, b, n)
!> split, split values, split recompute: tape t
  integer, intent(in) :: n
  real(8), intent(inout) :: a, b(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = a*b(i)
    !> all: tape t
    a = a + t*t
    !> all: tape a
    b(i) = sin(t)
    !> all: tape b
  end do
  b(1) = b(1)*a
  !> split, split values, split recompute: tape b
end subroutine inner
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b(n), c
  a = x(1)
  b = x
  c = a*a
  call inner(a, b, n)
  !> plain: Snp a, b
  !> recompute: again a = x(1); nothing; Snp again b = x, a = x(1)
  y = a*c*b(2)
  b = b*y
  !> all: tape b
  call inner(c, b, n)
  !> plain, recompute: Snp b, c; Req_D a
  a = c*y
  !> all: tape a
  y = y*a*sum(b*b)
end subroutine p
