! To enter f again, its backward sweep needs the k and n it was entered with: the caller tapes them, f overwrites them.
! What is passed by value (2*g) cannot be had again behind f, which overwrites g: twice keeps it, for each call.
module counts
  implicit none
  integer :: k, n
  real(8) :: g
end module counts

subroutine f(e, v, u)
  use counts
  implicit none
  real(8), intent(inout) :: e, u(n)
  real(8), intent(in) :: v
  e = e*v*u(n)
  g = g*v
  k = k + 1
  n = n - 1
end subroutine f

subroutine twice(x, y)
  use counts
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: w(4), q(4)
  integer :: i
  k = 1
  n = 4
  g = x
  w = x
  do i = 1, 4
    q(i) = x*i
  end do
  !$AD NOCHECKPOINT
  call f(w(k), 2*g, q)
  !$AD NOCHECKPOINT
  call f(w(k), 2*g, q)
  !$AD CHECKPOINT-START
  y = g*w(1)*w(2)
  !$AD CHECKPOINT-END
  k = 0
  n = 0
end subroutine twice
