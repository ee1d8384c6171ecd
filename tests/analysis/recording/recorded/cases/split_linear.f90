! head: p(x)>(y)
! given: n=3; x=[0.9, 0.7, 0.4]
! ways: split, split recompute
module shared
  implicit none
  real(8) :: g, h
contains
  subroutine low(a)
  !> all: tape t
    real(8), intent(inout) :: a
    real(8) :: t
    t = g*a
    h = t*t
    a = a + h
    !> all: tape a
  end subroutine low
  subroutine mid(a, b)
    real(8), intent(inout) :: a, b
    call low(a)
!$AD CHECKPOINT-START
!> all: Snp a; Req_D g
    a = sin(a)
    b = b + a
!$AD CHECKPOINT-END
    b = 2.0d0*b
  end subroutine mid
end module shared
subroutine p(x, n, y)
  use shared
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b
  g = x(1)
  a = x(2)
  b = x(3)
  call mid(a, b)
  g = 2.0d0*a
  !> all: tape g
  b = 3.0d0*b
  a = a + g
  y = a + b*x(1)
  h = y
  call low(y)
end subroutine p
