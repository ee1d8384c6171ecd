! Calls of b(i)%c%step in a loop within a part: each spoils what b(i)%c has, nothing of the others'.
module m7
  implicit none
  type, abstract :: cell
    real(8) :: q = 0.3d0
  contains
    procedure(stepper), deferred :: step
  end type cell
  type, extends(cell) :: wet
    real(8) :: h = 0.2d0
  contains
    procedure :: step => wet_step
  end type wet
  type, extends(cell) :: dry
  contains
    procedure :: step => dry_step
  end type dry
  type :: box
    class(cell), allocatable :: c
  end type box
  abstract interface
    subroutine stepper(self, f)
      import cell
      class(cell), intent(inout) :: self
      real(8), intent(inout) :: f
    end subroutine stepper
  end interface
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(box) :: b(3)
  integer :: i, t
  real(8) :: f
  allocate (wet :: b(1)%c)
  allocate (dry :: b(2)%c)
  allocate (b(3)%c, source=b(1)%c)
  do i = 1, 3
    b(i)%c%q = x(i)
  end do
  f = x(4)
  do t = 1, 3
  !$AD CHECKPOINT-START
    do i = 1, 3
      call b(i)%c%step(f)
    end do
  !$AD CHECKPOINT-END
  end do
  y = f*b(2)%c%q
end subroutine p
  subroutine wet_step(self, f)
    class(wet), intent(inout) :: self
    real(8), intent(inout) :: f
    self%h = self%h*f + self%q
    f = f*sin(self%h)
  end subroutine wet_step
  subroutine dry_step(self, f)
    class(dry), intent(inout) :: self
    real(8), intent(inout) :: f
    f = f*self%q
    self%q = self%q*cos(f)
  end subroutine dry_step
end module m7
