! Every class of the checkpoint table: Snp0 (a, b), Opt1 (b), Opt2 (c), Opt3 (d, f), none (e, x, y).
subroutine classes(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b, c, d, e, f
  a = x
  b = 2.0d0*x
  c = 3.0d0*x
  d = 4.0d0*x
  f = 5.0d0*x
  y = b*c*f
  !$AD CHECKPOINT-START
  a = a*d
  b = b + x
  c = x + 1.0d0
  e = a*b*c
  !$AD CHECKPOINT-END
  d = x + 2.0d0*e
  f = x - e
  y = y + d*f
end subroutine classes
