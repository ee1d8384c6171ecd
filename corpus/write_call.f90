! A checkpointed call runs its callee whole, twice: what it writes is written twice.
subroutine show(a, b)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: b
  b = a*a
  write (*, *) a
end subroutine show

subroutine teller(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = x
  call show(a, b)
  y = b*b
end subroutine teller
