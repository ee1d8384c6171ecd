! WHERE: its assignments do not kill, its mask and what it reads under the mask are reads.
subroutine masked(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), m(n)
  a = x
  b = x
  m = 2.0d0
  !$AD CHECKPOINT-START
  where (m > 1.0d0)
    a = 2.0d0*x
    b = a*x
  elsewhere
    b = -x
  end where
  m = 0.5d0
  !$AD CHECKPOINT-END
  y = sum(a*b*m)
end subroutine masked
