! A function result that the function allocates several times.
module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: r(:)
  integer :: j
  r = x
  do j = 1, 3
  !$AD CHECKPOINT-START
  r = up(up(r*0.5d0, 5 - j)*0.3d0, 4 - j)
  !$AD CHECKPOINT-END
  r = [r, x(2), x(3)*r(1)]
  end do
  y = sum(r)*sum(up(r, 1))
end subroutine p
  function up(a, k) result(r)
    real(8), intent(in) :: a(:)
    integer, intent(in) :: k
    real(8), allocatable :: r(:)
    integer :: i
    if (allocated(r)) error stop 'here already'
    allocate (r(0))
    do i = 1, k
      r = [r, a(i)*sum(r) + a(i)]
      if (i == 3) r = r(2:)
    end do
  end function up
end module m7
