! head: p(x)>(y)
! given: n=3
! ways: plain, recompute
! An operand of what is computed when a snapshot is back: the part changes it, or what follows does, or both, or none.
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: t, a, b, c, d
  a = x(1)*x(2)
  b = x(2)*x(3)
  c = x(3)*x(1)
  d = 1
  t = 2*a
  !$AD CHECKPOINT-START
  !> plain: Snp d, t
  !> recompute: nothing; Snp again a = x(1)*x(2), t = 2*a, d = 1
  d = d*sin(t)
  a = 0.5d0*x(2)
  t = d + a
  !$AD CHECKPOINT-END
  d = d*t*a
  !> all: tape d
  t = 2*b
  !> all: tape t
  !$AD CHECKPOINT-START
  !> plain: Snp d, t
  !> recompute: Snp d; Snp again b = x(2)*x(3), t = 2*b
  d = d*sin(t)
  t = d
  !$AD CHECKPOINT-END
  d = d*t
  !> all: tape d
  b = cos(d)
  d = d*b
  !> all: tape d
  t = 2*c
  !> all: tape t
  !$AD CHECKPOINT-START
  !> plain: Snp d, t
  !> recompute: Snp d; Snp again t = 2*c
  d = d*sin(t)
  t = d
  !$AD CHECKPOINT-END
  y = d*t*c
end subroutine p
