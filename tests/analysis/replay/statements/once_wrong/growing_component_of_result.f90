! Components of a function result that the function allocates several times.
module m7
  implicit none
  type :: t
    real(8), allocatable :: q(:)
  end type t
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(t) :: s(2)
  integer :: j
  do j = 1, 3
  !$AD CHECKPOINT-START
  s = up(x(j)*j)
  !$AD CHECKPOINT-END
  end do
  y = sum(s(1)%q) + sum(s(2)%q)*s(1)%q(3)
end subroutine p
  function up(a) result(r)
    real(8), intent(in) :: a
    type(t) :: r(2)
    r(1)%q = [a, a*a]
    r(1)%q = [r(1)%q, r(1)%q(1)]
    r(2) = r(1)
    r(2)%q = r(2)%q(2:)*a
  end function up
end module m7
