! Constructors in an array read the allocatable array that it is assigned to.
module m7
  implicit none
  type :: t
    real(8) :: u = 1
    real(8) :: w = 0.5d0
  end type t
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(t), allocatable :: r(:)
  allocate (r(2))
  r(1)%u = x(1)
  r(2)%w = x(2)
  r = [t(x(1)*x(3), sum(r%u)), r(1), t(r(1)%u, r(2)%u)]
  y = sum(r%u)*sum(r%w) + r(1)%w
end subroutine p
end module m7
