! head: p(x)>(y)
! given: n=5; x=[0.45, 0.55, 0.4, 0.6, 0.35]
! ways: plain, values, values recompute, recompute
! spare: b, c; of elements that no derivative reads, in arrays of which others are read
subroutine grow(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 2, n
    a(i) = a(i)*a(i - 1)
    !> all: tape a
  end do
  a(1) = a(1)*a(n)
end subroutine grow
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), c(n), s
  integer :: i
  a = x
  b = 2.0d0*x
  s = x(1)
  y = s*s
  do i = 2, n
    b(i) = b(i)*a(i - 1)
    !> all: tape b
    c(i) = a(i)*s
    a(i) = a(i) + sin(b(i))
    !> all: tape a
  end do
!$AD CHECKPOINT-START
!> plain, values: Snp y, a(2:n), b(1); Req_D c
!> values recompute, recompute: Snp a(2:n), b(1); Req_D c; Snp again y = s*s
  do i = 2, n
    a(i) = a(i)*b(i)
    !> all: tape a
    y = y + a(i)*c(i)
  end do
  b(1) = y*s
!$AD CHECKPOINT-END
  call grow(a, n)
  !> all: Snp a; Req_D c
  y = y + a(n)*b(n)*b(1)
  c(1) = y
  !> all: tape c
  call grow(c, n)
  !> all: Snp c
  b(2:n) = c(2:n)*b(1)
  !> all: tape b
  y = y*c(n)*b(2)
end subroutine p
