! Calls that are passed b(i)%c, an array of objects that b(i) has allocated.
module m7
  implicit none
  type :: cell
    real(8) :: q = 0.3d0
  end type cell
  type :: box
    type(cell), allocatable :: c(:)
  end type box
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(box) :: b(3)
  real(8) :: f
  integer :: i
  do i = 1, 3
  allocate (b(i)%c(2))
  b(i)%c%q = x(i)
  end do
  f = x(4)
  !$AD CHECKPOINT-START
  do i = 1, 3
  call dry_step(b(i)%c, f)
  end do
  !$AD CHECKPOINT-END
  y = f*b(2)%c(1)%q
end subroutine p
  subroutine dry_step(self, f)
    type(cell), intent(inout) :: self(:)
    real(8), intent(inout) :: f
    f = f*self(1)%q
    self%q = self%q*cos(f)
  end subroutine dry_step
end module m7
