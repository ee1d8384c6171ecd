! One element of an array of derived type is passed: of the components that the callee writes, only this element's are
! saved, a nested one and an array among them; those that it only reads, or writes before it reads, are not.
module columns
  implicit none
  type flux
    real(8) :: up, down
  end type flux
  type column
    real(8) :: t, depth, layer(3), work
    type(flux) :: f
  end type column
contains
  subroutine advance(c, dt)
    type(column), intent(inout) :: c
    real(8), intent(in) :: dt
    c%work = c%depth*dt
    c%layer = c%layer*c%layer
    c%f%up = c%f%up*c%t + c%work*c%work
    c%t = c%t + dt*sum(c%layer)*c%f%up
  end subroutine advance
end module columns

subroutine grid(x, n, cost)
  use columns
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: cost
  type(column) :: cells(5)
  integer :: i, step
  do i = 1, 5
    cells(i)%t = x*i
    cells(i)%depth = 0.5d0*x
    cells(i)%layer = 0.3d0*x
    cells(i)%f%up = 0.1d0*x
  end do
  do step = 1, n
    do i = 1, 5
      call advance(cells(i), 0.1d0)
    end do
    call advance(cells(3), 0.2d0)
  end do
  cost = sum(cells%t**2)
end subroutine grid
