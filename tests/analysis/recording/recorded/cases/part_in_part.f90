! head: p(x)>(y)
! given: n=4; x=[0.81, 0.99, 0.72, 1.08]
! ways: plain, plain eager, recompute, values, values recompute, recompute eager
! spare: a, b; the loop's parts bring them back, if the loop runs
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b, c, d, e(n)
  integer :: i
  a = x(1)
  b = x(2)*a
  c = a*b
  e = x*c
  y = c*b
  do i = 1, n
  !> recompute, values recompute, recompute eager: again behind a = x(1), b = x(2)*a, c = a*b
!$AD CHECKPOINT-START
!> plain, values: Snp y, a, b, c, e(i), d; Req_C d
!> plain eager, recompute, values recompute, recompute eager: Sbk d; Snp y, a, b, c, e(i)
    d = a*e(i)
    !> plain, values: tape d
    c = d*c
    !> all: tape c
!$AD CHECKPOINT-START
!> plain, plain eager, values: Snp y, d; Req_D a
!> recompute, values recompute, recompute eager: again d = a*e(i); Snp y; Req_D a; Snp again d = a*e(i)
    y = y + b*d*d
    d = sin(y)
    !> all: tape d
    b = b*d
!$AD CHECKPOINT-END
    a = a + c*d
    !> all: tape a
    e(i) = d*a
!$AD CHECKPOINT-END
    y = y*e(i)*d
    !> all: tape y
  end do
  b = y*c
  !> plain, plain eager, values: tape b
  a = b*b
  !> plain, plain eager, values: tape a
  y = y*a + sum(e*e)
end subroutine p
