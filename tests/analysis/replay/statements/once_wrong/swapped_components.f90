! Allocatable components of one object change places.
module m7
  implicit none
  type :: t
    real(8), allocatable :: a(:), b(:)
  end type t
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(t) :: o
  o%a = x
  o%b = x(1:2)*2
  !$AD CHECKPOINT-START
  o = t(o%b, o%a)
  !$AD CHECKPOINT-END
  o = t(o%b(2:4), [o%a, o%b(1)*o%a(1)])
  y = sum(o%a) + product(o%b)
end subroutine p
end module m7
