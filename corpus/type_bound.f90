! A type-bound call reads and writes components of the object it is called on.
module movers
  implicit none
  type mover
    real(8) :: v, pad
  contains
    procedure :: push
  end type mover
contains
  subroutine push(self, dt)
    class(mover), intent(inout) :: self
    real(8), intent(in) :: dt
    self%v = self%v*self%v*dt
  end subroutine push

  subroutine moved(x, dt, y)
    real(8), intent(in) :: x, dt
    real(8), intent(out) :: y
    type(mover) :: s
    s%v = x
    s%pad = 1.0d0
    call s%push(dt)
    y = s%v*s%v*s%pad
  end subroutine moved
end module movers
