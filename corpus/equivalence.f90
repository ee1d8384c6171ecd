! EQUIVALENCE: writing p writes q, which upstream code needs, and reading q reads what was written to p.
subroutine overlaid(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: q, p, a, b
  equivalence (q, p)
  q = x
  a = q*q
  !$AD CHECKPOINT-START
  p = 2.0d0*x
  b = q*q
  !$AD CHECKPOINT-END
  y = a*b
end subroutine overlaid
