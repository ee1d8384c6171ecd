! A module variable that only the callees touch.
module state
  implicit none
  real(8) :: w
end module state

subroutine start(x)
  use state
  implicit none
  real(8), intent(in) :: x
  w = x
end subroutine start

subroutine step(x)
  use state
  implicit none
  real(8), intent(in) :: x
  w = w*x
end subroutine step

subroutine finish(r)
  use state
  implicit none
  real(8), intent(out) :: r
  r = w*w
end subroutine finish

subroutine model(x, n, y)
  implicit none
  real(8), intent(in) :: x
  integer, intent(in) :: n
  real(8), intent(out) :: y
  integer :: i
  call start(x)
  do i = 1, n
    call step(x)
  end do
  call finish(y)
end subroutine model
