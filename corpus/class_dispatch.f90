! A deferred binding may run any procedure that overrides it, and a CLASS object may hold any extension's components.
module springs
  implicit none
  type, abstract :: spring
    real(8) :: k
  contains
    procedure(pulling), deferred :: pull
  end type spring
  abstract interface
    subroutine pulling(self, x, f)
      import :: spring
      class(spring), intent(inout) :: self
      real(8), intent(in) :: x
      real(8), intent(out) :: f
    end subroutine pulling
  end interface
  type, extends(spring) :: linear
  contains
    procedure :: pull => pull_linear
  end type linear
  type, extends(spring) :: worn
    real(8) :: wear
  contains
    procedure :: pull => pull_worn
  end type worn
contains
  subroutine pull_linear(self, x, f)
    class(linear), intent(inout) :: self
    real(8), intent(in) :: x
    real(8), intent(out) :: f
    f = self%k*x
  end subroutine pull_linear

  subroutine pull_worn(self, x, f)
    class(worn), intent(inout) :: self
    real(8), intent(in) :: x
    real(8), intent(out) :: f
    f = self%k*self%wear*x
    self%wear = self%wear*0.5d0
  end subroutine pull_worn

  subroutine stretched(s, x, y)
    class(spring), intent(inout) :: s
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: f, g
    call s%pull(x, f)
    call s%pull(f, g)
    y = f*g
    select type (s)
    type is (worn)
      s%wear = 1.0d0
      y = y*s%wear
    class default
      y = y*y
    end select
  end subroutine stretched
end module springs
