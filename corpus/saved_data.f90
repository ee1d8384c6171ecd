! A SAVEd variable with a DATA value carries values from one call to the next; its caller cannot name it.
subroutine accum(x, r)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: r
  real(8), save :: total
  data total /0.0d0/
  total = total + x
  r = total*total
end subroutine accum

subroutine twice(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  call accum(x, a)
  call accum(x, b)
  y = a*b
end subroutine twice
