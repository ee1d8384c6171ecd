! A dummy procedure may be whatever some call passes for it; a procedure pointer what some statement lets it be.
module quadrature
  implicit none
  real(8) :: slope = 2.0d0
  abstract interface
    function integrand(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
    end function integrand
  end interface
contains
  function parabola(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = slope*t*t
    slope = slope*1.5d0
  end function parabola

  subroutine middle(f, a, b, total)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b
    real(8), intent(inout) :: total
    total = total*f(0.5d0*(a + b))
  end subroutine middle

  subroutine twice(rule, a, total)
    external :: rule
    real(8), intent(in) :: a
    real(8), intent(inout) :: total
    call rule(parabola, a, 2.0d0*a, total)
    call rule(parabola, a, 3.0d0*a, total)
  end subroutine twice

  subroutine integrated(x, total)
    real(8), intent(in) :: x
    real(8), intent(out) :: total
    slope = x
    total = 1.0d0
    call twice(middle, x, total)
    total = total*slope
  end subroutine integrated
end module quadrature
