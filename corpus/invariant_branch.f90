! The scheme is chosen once for all steps, the boundary by the loop's variable, the limiter keeps its value until the
! part's adjoint is done: of none of these branches anything is recorded.
subroutine march(u, scheme, n, cost)
  implicit none
  integer, intent(in) :: scheme, n
  real(8), intent(inout) :: u(n)
  real(8), intent(out) :: cost
  real(8) :: f
  integer :: i, step, limiter
  limiter = scheme + 1
  do step = 1, n
    !$AD CHECKPOINT-START
    do i = 1, n
      if (scheme == 1) then
        f = u(i)*u(i)
      else
        f = sin(u(i))
      end if
      if (i == 1 .or. i == n) cycle
      if (limiter > 1) f = f*f
      u(i) = u(i) + 0.1d0*f
    end do
    !$AD CHECKPOINT-END
  end do
  limiter = 0
  cost = sum(u**2) + limiter
end subroutine march
