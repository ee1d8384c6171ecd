! A procedure without source: all it can reach may be read and written.
subroutine asking(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  external :: oracle
  a = x
  b = a*a
  !$AD CHECKPOINT-START
  call oracle(a)
  b = b*a
  !$AD CHECKPOINT-END
  y = b*b
end subroutine asking
