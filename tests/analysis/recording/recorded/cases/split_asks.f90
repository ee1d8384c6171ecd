! head: p(x)>(y)
! given: n=4; x=[0.81, 0.99, 0.72, 1.08]
! ways: plain, split, split eager, split values, split recompute
subroutine low(a, b)
  real(8), intent(inout) :: a, b
  a = cos(a)*b
  !> split, split eager, split values, split recompute: tape a
  b = sin(b)
  !> split, split eager, split values, split recompute: tape b
end subroutine low
subroutine mid(a, c, v, n)
!> split, split eager, split values, split recompute: tape t
  integer, intent(in) :: n
  real(8), intent(inout) :: a, c, v(n)
  real(8) :: t
  integer :: i
  t = a*c
  call low(t, c)
  !> plain: Snp c, t
!$AD CHECKPOINT-START
!> plain: Snp v(2:n)
!> split, split eager, split values, split recompute: Snp a, v(2:n)
  do i = 2, n
    v(i) = cos(v(i))*v(i - 1)*t
    !> all: tape v
  end do
  a = a + t*c
!$AD CHECKPOINT-END
  call low(v(1), t)
  !> plain: Snp v(1), t
  c = c*t*v(1)
  !> split, split eager, split values, split recompute: tape c
end subroutine mid
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, b, c, v(n)
  integer :: i
  a = x(1)
  b = x(2)
  c = a*b
  v = x*b
  y = c*c
  do i = 1, 2
    call mid(a, b, v, n)
    !> plain: Snp a, b, v
    y = sin(y)*a + v(2)*v(2)
    !> all: tape y
    v(2) = y*b
    !> all: tape v
    call mid(c, a, v, n)
    !> plain: Snp a, c, v
    b = cos(b)*c
    !> all: tape b
  end do
  call low(y, c)
  !> plain: Snp y, c
  v = v*y
  !> all: tape v
  c = a*b
  y = y*c*a + sum(v*v)
end subroutine p
