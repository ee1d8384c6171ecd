! A call through a procedure pointer may run all that some statement lets a pointer of that name be.
module laws
  implicit none
  abstract interface
    subroutine law(a, b)
      real(8), intent(in) :: a
      real(8), intent(inout) :: b
    end subroutine law
  end interface
  type :: model
    procedure(law), pointer, nopass :: apply => null()
  end type model
contains
  subroutine square(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = a*a*b
  end subroutine square

  subroutine shift(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = a + b
  end subroutine shift

  subroutine chosen(x, which, cost)
    real(8), intent(in) :: x
    integer, intent(in) :: which
    real(8), intent(out) :: cost
    procedure(law), pointer :: p
    type(model) :: m
    real(8) :: y
    y = x
    p => square
    if (which == 1) p => shift
    call p(x, y)
    m%apply => square
    call m%apply(x, y)
    cost = y*y
  end subroutine chosen
end module laws
