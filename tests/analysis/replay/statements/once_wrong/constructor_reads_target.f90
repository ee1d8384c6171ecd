! A constructor reads the components of the allocatable object that it is assigned to.
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
  type(t), allocatable :: r
  r = t(x(1), x(2))
  r = t(r%w, r%u*r%w)
  y = r%u + r%w*x(3)
end subroutine p
end module m7
