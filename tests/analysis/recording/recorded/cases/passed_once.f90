! head: p(x)>(y)
! given: n=3; x=[0.45, 0.55, 0.4]
! ways: plain, plain eager
module cells
  type cell
    real(8) :: r, t(2)
  end type cell
end module cells
subroutine mend(u, s)
  real(8), intent(inout) :: u, s
  s = s*u
  !> all: tape s
  u = u*s
end subroutine mend
subroutine bend(u, n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n), s
  s = s + u(1)*u(n)
  u = sin(u)*s
end subroutine bend
subroutine wipe(u, m, s)
  integer, intent(in) :: m
  real(8), intent(inout) :: u(*), s
  integer :: j
  do j = 1, m
    s = s + u(j)*u(j)
    !> all: tape s
    u(j) = s*u(j)
  end do
end subroutine wipe
! Which element it writes is not told by what it leaves as it was.
subroutine stray(u, m, s)
  integer, intent(in) :: m
  real(8), intent(inout) :: u(*), s
  integer :: j
  j = m
  s = s + u(j)*u(1)
  u(j) = s*u(j)
  j = 0
end subroutine stray
subroutine fresh(one, s)
!> plain: tape one%r, one%t
  use cells
  type(cell), intent(out) :: one
  real(8), intent(inout) :: s
  one%r = s
  !> plain: tape one%r
  one%t = s*s
  !> plain: tape one%t
  s = s*one%t(1)*one%r
end subroutine fresh
subroutine p(x, n, y)
  use cells
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(6), e(4), f(6), a(3, 3), b(3, 3), v(4)
  equivalence (e, f)
  type(cell) :: c(3), d
  integer :: k
  w(1:3) = x(1)
  w(4:6) = x(2)
  e = x(2)
  a = x(3)
  b = x(3)
  v = x(1)
  d%r = x(1)
  d%t = x(2)
  c = d
  y = x(1)
  ! An element stands for what follows it, where what is written of that is not told.
  do k = 2, 3
    call mend(w(k), y)
    !> all: Snp y, w(k)
    call stray(e(k), 1, y)
    !> all: Snp y, e(k:)
    call stray(v(k), 1, y)
    !> all: Snp y, v(k:)
    y = y*c(k)%t(1)*c(k)%r
    !> all: tape y
    call fresh(c(k), y)
    !> plain: Snp y, c(k)%r, c(k)%t; Req_C c%r, c%t
    !> plain eager: Sbk c(k)%r, c(k)%t; Snp y
    call bend(v(2:4), n, y)
    !> all: Snp y, v(2:n+1)
    call stray(b(1, k), n, y)
    !> all: Snp y, b(:, k:)
  end do
  ! The first part certainly passes a to one call, and once; the second passes b only sometimes.
  do k = 1, 3
!$AD CHECKPOINT-START
!> all: Snp y, a(:, k:), v(4), v(1:2)
    call wipe(a(1, k), n, y)
    !> all: Snp y, a(:, k:)
    v(4) = y*v(4)
    !> all: tape v
    call wipe(v(1), 2, y)
    !> plain: Snp y, v(1:2); Req_C y
    !> plain eager: Sbk y; Snp y, v(1:2)
    y = sin(y)
!$AD CHECKPOINT-END
!$AD CHECKPOINT-START
!> all: Snp y, b
    if (y > 0) call wipe(b(1, k), n, y)
    !> all: Snp y, b(:, k:)
    y = sin(y)
!$AD CHECKPOINT-END
  end do
  y = y + sum(w*w) + sum(e*e) + sum(a*a) + sum(b*b) + sum(v*v) + c(2)%r*c(2)%t(1)*sum(c(3)%t)
end subroutine p
