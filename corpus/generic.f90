! A generic name resolved by the type of its argument.
module scaling
  implicit none
  interface scale_it
    module procedure scale_real, scale_integer
  end interface scale_it
contains
  subroutine scale_real(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*b
  end subroutine scale_real

  subroutine scale_integer(a, b)
    integer, intent(inout) :: a
    real(8), intent(in) :: b
    a = int(a*b)
  end subroutine scale_integer

  subroutine scaled(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: a
    a = x
    call scale_it(a, x)
    y = a*a
  end subroutine scaled
end module scaling
