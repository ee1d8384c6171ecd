! A function reference in an expression is a checkpointed call; it also writes a module variable.
module counters
  implicit none
  real(8) :: m
contains
  function square(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = a*a*m
    m = a
  end function square

  subroutine referred(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: b
    m = x
    b = square(x)
    y = b*m
  end subroutine referred
end module counters
