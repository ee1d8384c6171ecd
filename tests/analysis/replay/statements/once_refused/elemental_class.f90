! Elemental procedures with arrays of CLASS: one type for all elements, some without an extension's components.
module m7
  implicit none
  type :: vec
    real(8) :: v(3) = 0.3d0
  contains
    procedure, pass(b) :: scaled
    generic :: operator(*) => scaled
    procedure :: turn
    procedure :: size2
  end type vec
  type, extends(vec) :: heavy
    real(8) :: w = 0.6d0
  contains
    procedure :: turn => heavy_turn
  end type heavy
contains
  elemental type(vec) function scaled(a, b) result(r)
    real(8), intent(in) :: a
    class(vec), intent(in) :: b
    r%v = a*b%v + 0.2d0*b%v(3:1:-1)**2
  end function scaled
  elemental subroutine turn(self, s)
    class(vec), intent(inout) :: self
    real(8), intent(in) :: s
    self%v = 0.7d0*cshift(self%v, 1)*s
  end subroutine turn
  elemental subroutine heavy_turn(self, s)
    class(heavy), intent(inout) :: self
    real(8), intent(in) :: s
    call self%vec%turn(s*self%w)
    self%w = sin(self%w + self%v(2))
  end subroutine heavy_turn
  elemental real(8) function size2(self) result(r)
    class(vec), intent(in) :: self
    r = sum(self%v**2)
    select type (self)
    type is (heavy)
      r = r*self%w
    end select
  end function size2
subroutine p(x, n, m, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(vec) :: c(2), d(2, 2)
  type(heavy) :: h(3)
  class(vec), allocatable :: a(:)
  integer :: i
  c(1)%v = x(1)
  d(1, :)%v(2) = x(2)
  h%w = x(1)
  y = x(2)
  allocate (heavy :: a(2))
  do i = 1, m
    c = y*c
    d = x(1)*d
    call h%turn(y)
    call a%turn(size2(c))
    call c(2:1:-1)%turn(0.9d0)
    y = 0.5d0*y + sum(size2(h)) + sum(size2(d)) + 0.3d0*sum(a%size2())
    h(1:2)%vec = 0.8d0*h(2:3)%vec
  end do
end subroutine p
end module m7
