! head: p(x)>(y)
! given: n=4; x=[0.81, 0.99, 0.72, 1.08]
! ways: plain, plain eager, recompute, split, split recompute
! spare: a; the loop's calls bring it back, if the loop runs
recursive subroutine descend(n, a, b)
!> split, split recompute: tape t
  integer, intent(in) :: n
  real(8), intent(inout) :: a, b
  real(8) :: t
  t = cos(a)*b
  if (n > 0) then
    a = a*t
    !> plain, plain eager, split: tape a
    !> recompute, split recompute: again t = cos(a)*b; tape a
    call descend(n - 1, b, t)
    !> all: Snp b, t
    b = sin(b) + t*a
    !> split, split recompute: tape b
  end if
  a = sin(t)
  !> split, split recompute: tape a
end subroutine descend
subroutine small(a, t)
  real(8), intent(in) :: a
  real(8), intent(out) :: t
  t = a*a
  !> split, split recompute: tape t
end subroutine small
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b, t, u
  integer :: i
  a = x(1)
  b = x(2)
  y = a*b
  do i = 1, n
  !> recompute: again behind b = x(2), a = x(1)
    call small(x(i), t)
    !> plain, plain eager: Snp t; Req_D u
    !> recompute: Req_D u
    y = sin(y) + t*t*a
    !> all: tape y
    call descend(2, a, b)
    !> plain, plain eager, recompute: Snp a, b; Req_D t, u
    call small(b, u)
    !> plain, plain eager, recompute: Snp u; Req_D t
    y = cos(y)*u
    !> all: tape y
    t = y*b
    !> plain, plain eager, split, split recompute: tape t
    !> recompute: again call small(x(i), t)
    u = t*u
    !> plain, plain eager, split, split recompute: tape u
    !> recompute: again call small(b, u)
    y = y + u*u
    !> plain, plain eager, split, split recompute: tape y
    !> recompute: again t = y*b; tape y
  end do
  call small(y, a)
  !> plain, plain eager: Snp a; Req_D b
  !> recompute: Req_D b
  b = a*a*y
  !> all: tape b
  y = a*b
end subroutine p
