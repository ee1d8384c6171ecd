! A part writes the allocation of g%e before it reads it, or not at all; but the values of g%e that it saves go back into
! the memory that they were in.
module m7
  implicit none
  type :: state
    real(8), allocatable :: e(:)
  end type state
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s
  integer :: i
  type(state) :: g, h
  allocate(g%e(1))
  g%e = x(1)
  s = x(2)
  !$AD CHECKPOINT-START
    do i = 1, m
      g = h
      allocate(g%e(2))
      g%e = s
    end do
    s = s*sum(g%e**2)
  !$AD CHECKPOINT-END
  h%e = x
  g = h
  y = 0.5d0*sum(g%e)*s
end subroutine p
end module m7
