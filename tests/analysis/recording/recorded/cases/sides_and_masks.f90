! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, recompute, values, taped
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), m, s, t
  integer :: i, j
  a = x
  b = 0.5d0
  m = 0.1d0
  y = x(1)
  do i = 1, n
  !> plain, recompute, values: again j = merge(i, 1, mod(i, 2) == 0), t = a(j)*s
    m = max(m, a(i)*y)
    !> all: tape m
    s = sign(x(i), y - m)
    !> all: tape s
    where (a > 2.0d0*s)
      b = a*a
      !> all: tape b
    elsewhere
      b = b*s
      !> all: tape b
    end where
!$AD CHECKPOINT-START
!> plain, values, taped: Snp a, m; Req_D y, j, t
!> recompute: Snp a, m; Req_D y
    where (b > y)
      a = a + b*m
    end where
    m = min(m, y*s)
!$AD CHECKPOINT-END
    y = y + abs(m*s)*sum(a*b)
    !> all: tape y
    j = merge(i, 1, mod(i, 2) == 0)
    !> taped: tape j
    t = a(j)*s
    !> taped: tape t
    b(j) = t*t
    !> all: tape b
  end do
  do while (y > 0.2d0)
    y = y*0.5d0*t
    !> all: tape y
    t = t*0.9d0
    !> all: tape t
  end do
  y = y*m*sum(b)
end subroutine p
